/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.compare;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.schema.TableMetadata;

/**
 * What a partition in RocksDB must be: what it was when somebody began to look, and all that was
 * written since, put together by Cassandra's own code. Thread-safe.
 */
final class FollowedPartition {
  /** Writes that are kept one by one before they are put together. */
  private static final int MOST_UPDATES = 64;

  final DecoratedKey key;

  private final TableMetadata metadata;
  private final List<PartitionUpdate> updates = new ArrayList<>();
  private long bytes;
  private int comparisons;

  /**
   * @param start what RocksDB has of it now
   */
  FollowedPartition(TableMetadata metadata, PartitionUpdate start) {
    this.metadata = metadata;
    key = start.partitionKey();
    add(start);
  }

  /**
   * Notes a write.
   *
   * @return by how many bytes of the heap this has grown; may be negative
   */
  synchronized long add(PartitionUpdate update) {
    long before = bytes;
    updates.add(update);
    bytes += update.unsharedHeapSize();
    if (updates.size() > MOST_UPDATES) {
      expected();
    }
    return bytes - before;
  }

  /** All of it as one. */
  synchronized PartitionUpdate expected() {
    if (updates.size() > 1) {
      List<UnfilteredRowIterator> all = new ArrayList<>();
      updates.forEach(update -> all.add(update.unfilteredIterator()));
      PartitionUpdate together;
      try (UnfilteredRowIterator merged = UnfilteredRowIterators.merge(all)) {
        together = PartitionUpdate.fromIterator(merged, ColumnFilter.all(metadata));
      }
      updates.clear();
      updates.add(together);
      bytes = together.unsharedHeapSize();
    }
    return updates.get(0);
  }

  /** Of the heap. */
  synchronized long bytes() {
    return bytes;
  }

  /** Counts a comparison; how many there were. */
  synchronized int compared() {
    return ++comparisons;
  }
}
