/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.AbstractMemtableWithCommitlog;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.service.snapshot.SnapshotType;
import org.apache.cassandra.utils.concurrent.OpOrder;

/** A memtable that Cassandra 6.0 asks whether it may be switched. */
abstract class SwitchedMemtable extends AbstractMemtableWithCommitlog {
  /** What the names of snapshots begin with that a {@code TRUNCATE} takes. */
  static final String SNAPSHOT_OF_TRUNCATION = SnapshotType.TRUNCATE.label;

  SwitchedMemtable(
      TableMetadataRef metadata, AtomicReference<CommitLogPosition> commitLogLowerBound) {
    super(metadata, commitLogLowerBound);
  }

  /** As without the hint, which saves what looks for a partition that is there. */
  @Override
  public final long put(
      PartitionUpdate update,
      UpdateTransaction indexer,
      OpOrder.Group opGroup,
      boolean assumeMissing) {
    return put(update, indexer, opGroup);
  }

  @Override
  public abstract long put(
      PartitionUpdate update, UpdateTransaction indexer, OpOrder.Group opGroup);

  @Override
  public final boolean shouldSwitch(ColumnFamilyStore.FlushReason reason, TableMetadata latest) {
    return shouldSwitch(reason);
  }
}
