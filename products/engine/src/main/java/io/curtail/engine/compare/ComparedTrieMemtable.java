/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.compare;

import io.curtail.engine.table.GuardedTrieMemtable;
import io.curtail.engine.table.MoveGuard;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.concurrent.OpOrder;

/** Cassandra's TrieMemtable, which tells a {@link Shadow} of each write that it has taken. */
public final class ComparedTrieMemtable extends GuardedTrieMemtable {
  private final Shadow shadow;

  /** As Cassandra makes its own, told to a shadow. */
  public ComparedTrieMemtable(
      AtomicReference<CommitLogPosition> commitLogLowerBound,
      TableMetadataRef metadata,
      Memtable.Owner owner,
      Memtable.Factory stock,
      MoveGuard guard,
      Shadow shadow) {
    super(commitLogLowerBound, metadata, owner, stock, guard);
    this.shadow = shadow;
  }

  @Override
  public long put(PartitionUpdate update, UpdateTransaction indexer, OpOrder.Group opGroup) {
    long timeDelta = super.put(update, indexer, opGroup);
    shadow.offer(update);
    return timeDelta;
  }

  @Override
  public boolean shouldSwitch(ColumnFamilyStore.FlushReason reason) {
    shadow.flushed(reason);
    return super.shouldSwitch(reason);
  }

  @Override
  public void metadataUpdated() {
    super.metadataUpdated();
    shadow.metadataUpdated();
  }
}
