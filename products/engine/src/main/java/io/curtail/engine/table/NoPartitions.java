/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import java.util.Collections;
import java.util.Iterator;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.EncodingStats;

/** What a stream gets of a memtable that is flushed for streams: nothing. */
public final class NoPartitions<P extends Partition> implements Memtable.FlushablePartitionSet<P> {
  private final Memtable memtable;
  private final PartitionPosition from;
  private final PartitionPosition to;

  /** Between two positions, of which each may be null. */
  public NoPartitions(Memtable memtable, PartitionPosition from, PartitionPosition to) {
    this.memtable = memtable;
    this.from = from;
    this.to = to;
  }

  @Override
  public Memtable memtable() {
    return memtable;
  }

  @Override
  public PartitionPosition from() {
    return from;
  }

  @Override
  public PartitionPosition to() {
    return to;
  }

  @Override
  public CommitLogPosition commitLogLowerBound() {
    return CommitLogPosition.NONE;
  }

  @Override
  public CommitLogPosition commitLogUpperBound() {
    return CommitLogPosition.NONE;
  }

  @Override
  public RegularAndStaticColumns columns() {
    return RegularAndStaticColumns.NONE;
  }

  @Override
  public EncodingStats encodingStats() {
    return EncodingStats.NO_STATS;
  }

  @Override
  public long partitionCount() {
    return 0;
  }

  @Override
  public long partitionKeysSize() {
    return 0;
  }

  @Override
  public long dataSize() {
    return 0;
  }

  @Override
  public Iterator<P> iterator() {
    return Collections.emptyIterator();
  }
}
