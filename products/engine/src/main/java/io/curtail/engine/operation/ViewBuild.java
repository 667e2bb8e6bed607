/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import com.google.common.util.concurrent.Uninterruptibles;
import io.curtail.engine.table.PartitionWalk;
import java.util.Collection;
import java.util.Iterator;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.view.OpenViewBuild;
import org.apache.cassandra.db.view.ViewBuilderTask;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.apache.cassandra.utils.TimeUUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a view from a table's rows in RocksDB, which stay there. Cassandra builds from data files
 * alone: it asks the memtable to flush, and puts tasks behind each other for one thread, after the
 * last of which it notes that the view is built. This is a task that is put there before them.
 *
 * <p>So it must not end before all is built, unless the build was stopped: then the others do
 * nothing, and Cassandra begins anew, after a change of the schema at once, else with the next one
 * or a start.
 *
 * <p>What is written meanwhile is in the view by its write, and what moves to data files meanwhile
 * is for the tasks that come after it.
 */
public final class ViewBuild extends ViewBuilderTask {
  private static final Logger logger = LoggerFactory.getLogger(ViewBuild.class);

  private static final int MOST_SECONDS_BETWEEN_TRIES = 30;
  private static final int POLL_MILLIS = 20;

  private final ColumnFamilyStore table;
  private final StoredTable memtable;
  private final OpenViewBuild view;
  private final TimeUUID id = TimeUUID.Generator.nextTimeUUID();
  private volatile boolean isAskedToStop;
  private volatile long parts;

  private ViewBuild(
      ColumnFamilyStore table, StoredTable memtable, OpenViewBuild view, Range<Token> ring) {
    super(table, view.view(), ring, null, 0);
    this.table = table;
    this.memtable = memtable;
    this.view = view;
  }

  /**
   * Begins, in the thread that begins Cassandra's build and has asked the table to flush.
   *
   * @return false if it cannot be: several threads build views, or Cassandra does it in another way
   */
  public static boolean begin(ColumnFamilyStore table, StoredTable memtable) {
    OpenViewBuild view = OpenViewBuild.beginning(table);
    if (view == null
        || DatabaseDescriptor.getConcurrentViewBuilders() != 1
        || CompactionManager.instance.getMaximumViewBuildThreads() != 1) {
      return false;
    }
    Token least = DatabaseDescriptor.getPartitioner().getMinimumToken();
    ViewBuild build = new ViewBuild(table, memtable, view, new Range<>(least, least));
    Future<?> unused = CompactionManager.instance.submitViewBuilder(build);
    return true;
  }

  /** Returns how many partitions were read. */
  @Override
  public Long call() {
    String name = view.view().name;
    logger.info("Building the view {} from the rows of {} in RocksDB", name, memtable.name());
    long partitions = 0;
    try {
      // The others may not know the view yet.
      Gossiper.instance.waitForSchemaAgreement(10, TimeUnit.SECONDS, view::isStopped);
      partitions = build();
    } catch (RuntimeException | Error e) { // whatever it is, the others must not end the build
      logger.error(
          "The view {} could not be built from the rows of {} in RocksDB: this is tried again when"
              + " the node starts, or the schema of the keyspace is changed",
          name,
          memtable.name(),
          e);
      isAskedToStop = true;
      JVMStabilityInspector.inspectThrowable(e);
    }
    if (isAskedToStop) {
      endAll();
    }
    logger.info(
        view.isStopped()
            ? "Stopped building the view {} after {} partitions of {}"
            : "Built the view {} from {} partitions of {}",
        name,
        partitions,
        memtable.name());
    return partitions;
  }

  private long build() {
    // Writes that began before the view was there do not know it: the walk finds what they wrote.
    Keyspace.writeOrder.awaitNewBarrier();
    Collection<Range<Token>> ranges =
        StorageService.instance.getLocalReplicas(table.getKeyspaceName()).ranges();
    long partitions = 0;
    Iterator<DecoratedKey> walk = new PartitionWalk(memtable.store()).keys();
    while (!isOver() && walk.hasNext()) {
      DecoratedKey key = walk.next();
      if (Range.isInRanges(key.getToken(), ranges)) {
        add(key);
        partitions++;
      }
      parts = CompactionProgress.partsBefore(key.getToken());
    }
    memtable.store().database.logSync.sync();
    return partitions;
  }

  private boolean isOver() {
    return isAskedToStop || view.isStopped();
  }

  /** Another node that has the view's rows may be down: tried again until it is up. */
  private void add(DecoratedKey key) {
    for (int seconds = 1; !isOver(); seconds = Math.min(2 * seconds, MOST_SECONDS_BETWEEN_TRIES)) {
      try {
        view.add(key);
        return;
      } catch (RequestExecutionException e) {
        logger.warn("The view {} is built on in {} s", view.view().name, seconds, e);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!isOver() && System.nanoTime() < end) {
          Uninterruptibles.sleepUninterruptibly(POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
    }
  }

  /** Who stops it waits for all tasks, of which this is one. */
  private void endAll() {
    new Thread(view::stop, "curtail-view-stop").start();
    while (!view.isStopped()) {
      Uninterruptibles.sleepUninterruptibly(POLL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void stop() {
    isAskedToStop = true;
  }

  @Override
  public CompactionInfo getCompactionInfo() {
    return CompactionProgress.of(table.metadata(), OperationType.VIEW_BUILD, parts, id);
  }
}
