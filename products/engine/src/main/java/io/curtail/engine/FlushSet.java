/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.Iterator;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.AbstractIterator;

/**
 * The partitions of a range on their way into a data file of Cassandra: for streaming and repair,
 * or because the table moves to another memtable.
 */
final class FlushSet implements Memtable.FlushablePartitionSet<Partition> {
  private final RocksMemtable memtable;
  private final TableStore store;
  private final TableMetadata metadata;
  private final PartitionPosition from;
  private final PartitionPosition to;
  private final CommitLogPosition lowerBound;
  private final CommitLogPosition upperBound;
  private long partitions;
  private long keyBytes;

  FlushSet(
      RocksMemtable memtable,
      TableStore store,
      PartitionPosition from,
      PartitionPosition to,
      CommitLogPosition lowerBound,
      CommitLogPosition upperBound) {
    this.memtable = memtable;
    this.store = store;
    this.metadata = memtable.metadata();
    this.from = from;
    this.to = to;
    this.lowerBound = lowerBound;
    this.upperBound = upperBound;
    try (PartitionScan scan = PartitionScan.between(store, from, to)) {
      while (scan.hasNext()) {
        keyBytes += scan.next().getKeyLength();
        partitions++;
      }
    }
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
    return lowerBound;
  }

  @Override
  public CommitLogPosition commitLogUpperBound() {
    return upperBound;
  }

  @Override
  public RegularAndStaticColumns columns() {
    return metadata.regularAndStaticColumns();
  }

  @Override
  public EncodingStats encodingStats() {
    return EncodingStats.NO_STATS;
  }

  @Override
  public long partitionCount() {
    return partitions;
  }

  @Override
  public long partitionKeysSize() {
    return keyBytes;
  }

  @Override
  public long dataSize() {
    return memtable.allBytes();
  }

  @Override
  public Iterator<Partition> iterator() {
    PartitionScan scan = PartitionScan.between(store, from, to);
    return new AbstractIterator<Partition>() {
      @Override
      protected Partition computeNext() {
        if (!scan.hasNext()) {
          return endOfData();
        }
        return new StoredPartition(store, metadata, scan.next());
      }
    };
  }
}
