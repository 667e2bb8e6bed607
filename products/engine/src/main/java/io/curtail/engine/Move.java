/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.operation.PurgeHolds;
import io.curtail.engine.table.ChangedPartitions;
import io.curtail.engine.table.FlushSet;
import io.curtail.engine.table.TableStore;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.notifications.INotification;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.SSTableAddedNotification;
import org.apache.cassandra.notifications.TruncationNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a memtable's rows to data files: what Cassandra tells meanwhile, and what its
 * compactions may not do. Thread-safe.
 */
final class Move implements INotificationConsumer {
  private static final Logger logger = LoggerFactory.getLogger(Move.class);
  private static final int POLL_SECONDS = 1;

  private final RocksMemtable memtable;
  private final Memtable.Owner owner;
  private final PurgeHolds purgeHolds;
  private volatile boolean hasBegun;

  /** One that has not begun, of a memtable that may have another end. */
  Move(RocksMemtable memtable, Memtable.Owner owner, PurgeHolds purgeHolds) {
    this.memtable = memtable;
    this.owner = owner;
    this.purgeHolds = purgeHolds;
  }

  /** Before the first row is written to a file. */
  void begin() {
    hasBegun = true;
    purgeHolds.begin(table());
    table().getTracker().subscribe(this);
  }

  /**
   * Once the memtable is gone; does nothing if it did not move. As long as the disk does not know
   * that the rows have moved, a start would serve them again, so nothing is purged in the files.
   */
  void end() {
    if (!hasBegun) {
      return;
    }
    if (memtable.store().state().isLive()) {
      ScheduledFuture<?> unused =
          ScheduledExecutors.optionalTasks.schedule(this::end, POLL_SECONDS, TimeUnit.SECONDS);
      return;
    }
    table().getTracker().unsubscribe(this);
    purgeHolds.end(table());
  }

  /** What of a range goes to a data file, once it has begun. */
  FlushSet flushSet(PartitionPosition from, PartitionPosition to) {
    TableStore store = memtable.store();
    ChangedPartitions changes = store.changes();
    boolean isCopied = changes != null && changes.areAllBesideTheCopy() && hasRows(changes);
    if (isCopied) {
      logger.info(
          "{} was copied: {} partitions have changed since", memtable.name(), changes.count());
    }
    return new FlushSet(
        memtable,
        store,
        from,
        to,
        memtable.getCommitLogLowerBound(),
        memtable.getFinalCommitLogUpperBound(),
        isCopied ? changes : null);
  }

  /** Without a row to write, nothing would tell that the move has ended. */
  private boolean hasRows(ChangedPartitions changes) {
    for (Partition partition : new FlushSet(memtable, memtable.store(), null, null, changes)) {
      if (!partition.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private ColumnFamilyStore table() {
    return (ColumnFamilyStore) owner;
  }

  /**
   * Compactions may purge in the files: nothing may be read here again. If that cannot be written
   * down, as on a full disk, the flush ends all the same: else the memtable would never be
   * discarded, its commit log would be kept, and nobody would try again.
   */
  private void moved() {
    try {
      memtable.store().endMove();
    } catch (FSError | RuntimeException e) {
      logger.warn("That {} has moved is written down when RocksDB can do it", memtable.name(), e);
    }
  }

  @Override
  public void handleNotification(INotification notification, Object sender) {
    if (notification instanceof SSTableAddedNotification
        && ((SSTableAddedNotification) notification).memtable().orElse(null) == memtable) {
      moved();
    }
    if (notification instanceof TruncationNotification) {
      truncated(table().getTracker().getView());
    }
  }

  private void truncated(View view) {
    if (view.flushingMemtables.contains(memtable)) {
      // The files would go alone. Nobody waits for the move of a table without snapshots.
      throw new IllegalStateException(
          memtable.name()
              + " is not truncated, since its rows in RocksDB could not be written to data files, or"
              + " are not yet: the log says why; then TRUNCATE it again");
    }
    if (!view.liveMemtables.contains(memtable)) {
      // Or a start would serve the rows without the files.
      memtable.store().endMove();
    }
  }
}
