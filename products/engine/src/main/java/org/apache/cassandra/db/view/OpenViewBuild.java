/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.cassandra.db.view;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterators;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.FBUtilities;

/**
 * A build of a view that Cassandra has begun, of which it shows little to others than its package,
 * and whether it was stopped to nobody. Thread-safe.
 */
public final class OpenViewBuild {
  private static final Field BUILDER = field(View.class, "builder");
  private static final Field IS_STOPPED = field(ViewBuilder.class, "isStopped");

  private final ColumnFamilyStore table;
  private final View view;
  private final ViewBuilder builder;

  private OpenViewBuild(ColumnFamilyStore table, View view, ViewBuilder builder) {
    this.table = table;
    this.view = view;
    this.builder = builder;
  }

  private static Field field(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null; // a Cassandra that is not known
    }
  }

  /**
   * The build that this thread is about to begin, having asked the table to flush.
   *
   * @return null if there is none, or Cassandra's builds are others than those of 5.0
   */
  public static OpenViewBuild beginning(ColumnFamilyStore table) {
    if (BUILDER == null || IS_STOPPED == null) {
      return null;
    }
    for (View view : table.viewManager) {
      if (Thread.holdsLock(view)) {
        ViewBuilder builder = (ViewBuilder) get(BUILDER, view);
        return builder == null ? null : new OpenViewBuild(table, view, builder);
      }
    }
    return null;
  }

  private static Object get(Field field, Object of) {
    try {
      return field.get(of);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e); // made accessible above
    }
  }

  /** Whether Cassandra, or {@link #stop}, has stopped it: for good, or to begin another. */
  public boolean isStopped() {
    if (!(boolean) get(IS_STOPPED, builder)) {
      return false;
    }
    synchronized (builder) { // who stops it tells the tasks next, with this lock in hand
      return true;
    }
  }

  /** Stops it, as for a change of the schema, and waits until all of its tasks have ended. */
  public void stop() {
    builder.stop();
  }

  /** The view. */
  public View view() {
    return view;
  }

  /** Writes what the view has of a partition, as Cassandra does for those in its data files. */
  public void add(DecoratedKey key) {
    if (!view.getReadQuery().selectsKey(key)) {
      return;
    }
    long nowInSec = FBUtilities.nowInSeconds();
    SinglePartitionReadCommand command =
        view.getSelectStatement().internalReadForView(key, nowInSec);
    UnfilteredRowIterator nothing =
        UnfilteredRowIterators.noRowsIterator(
            table.metadata(), key, Rows.EMPTY_STATIC_ROW, DeletionTime.LIVE, false);
    try (ReadExecutionController reading = command.executionController();
        UnfilteredRowIterator rows =
            UnfilteredPartitionIterators.getOnlyElement(command.executeLocally(reading), command)) {
      Iterator<Collection<Mutation>> mutations =
          table.viewManager.generateViewUpdates(List.of(view), rows, nothing, nowInSec, true);
      AtomicLong base = new AtomicLong(Long.MAX_VALUE); // of no write that somebody waits for
      mutations.forEachRemaining(
          some ->
              StorageProxy.mutateMV(
                  key.getKey(), some, true, base, Dispatcher.RequestTime.forImmediateExecution()));
    }
  }
}
