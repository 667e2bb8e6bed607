/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.operation.PurgeHolds;
import io.curtail.engine.store.GenerationState;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.notifications.INotification;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.SSTableAddedNotification;
import org.apache.cassandra.notifications.TruncationNotification;

/**
 * The way of a memtable's rows to data files: what Cassandra tells meanwhile, and what its
 * compactions may not do. Thread-safe.
 */
final class Move implements INotificationConsumer {
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

  /** Once the memtable is gone; does nothing if it did not move. */
  void end() {
    if (hasBegun) {
      table().getTracker().unsubscribe(this);
      purgeHolds.end(table());
    }
  }

  private ColumnFamilyStore table() {
    return (ColumnFamilyStore) owner;
  }

  @Override
  public void handleNotification(INotification notification, Object sender) {
    if (notification instanceof SSTableAddedNotification
        && ((SSTableAddedNotification) notification).memtable().orElse(null) == memtable) {
      // Compactions may purge in the files: nothing may be read here again.
      memtable.store().setState(GenerationState.MOVED);
    }
    if (notification instanceof TruncationNotification
        && table().getTracker().getView().flushingMemtables.contains(memtable)) {
      // The files would go alone. Nobody waits for the move of a table without snapshots.
      throw new IllegalStateException(
          memtable.name()
              + " is not truncated, since its rows in RocksDB could not be written to data files, or"
              + " are not yet: the log says why; then TRUNCATE it again");
    }
  }
}
