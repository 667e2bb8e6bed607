/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.cassandra.db.memtable;

import io.curtail.engine.table.NoPartitions;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.schema.TableMetadataRef;

/**
 * Cassandra's TrieMemtable, of which some is for its package only, for a subclass elsewhere. Not a
 * memtable that hands everything to another one: Cassandra looks for the largest memtable by its
 * class, and compares memtables by identity.
 */
public abstract class OpenTrieMemtable extends TrieMemtable {
  /**
   * @param factory of a configuration with {@code class_name: TrieMemtable}
   */
  protected OpenTrieMemtable(
      AtomicReference<CommitLogPosition> commitLogLowerBound,
      TableMetadataRef metadata,
      Owner owner,
      Memtable.Factory factory) {
    super(commitLogLowerBound, metadata, owner, ((TrieMemtable.Factory) factory).shardCount);
  }

  /** Whether the thread that asks for partitions flushes them; any other gets none. */
  protected abstract boolean isFlushing();

  @Override
  public final FlushablePartitionSet<MemtablePartition> getFlushSet(
      PartitionPosition from, PartitionPosition to) {
    return isFlushing() ? super.getFlushSet(from, to) : new NoPartitions<>(this, from, to);
  }

  /** Whether a configuration makes such memtables. */
  public static boolean isMadeBy(Memtable.Factory factory) {
    return factory instanceof TrieMemtable.Factory;
  }
}
