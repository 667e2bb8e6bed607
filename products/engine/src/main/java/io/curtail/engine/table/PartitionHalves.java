/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import java.util.Iterator;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;

/**
 * What is written to a partition, in two writes: its deletions and static row with the first half
 * of its rows, and the others. Thread-safe.
 */
public final class PartitionHalves {
  public final PartitionUpdate first;
  public final PartitionUpdate second;

  private PartitionHalves(PartitionUpdate first, PartitionUpdate second) {
    this.first = first;
    this.second = second;
  }

  /** Whether it has no halves: one row, or none. */
  public static boolean isOne(PartitionUpdate update) {
    boolean isHeadEmpty = update.deletionInfo().isLive() && update.staticRow().isEmpty();
    return update.rowCount() + (isHeadEmpty ? 0 : 1) <= 1;
  }

  /** The halves of one that is not {@linkplain #isOne one}. */
  public static PartitionHalves of(PartitionUpdate update) {
    PartitionUpdate.Builder first = builder(update);
    PartitionUpdate.Builder second = builder(update);
    first.addPartitionDeletion(update.deletionInfo().getPartitionDeletion());
    Iterator<RangeTombstone> ranges = update.deletionInfo().rangeIterator(false);
    ranges.forEachRemaining(first::add);
    first.add(update.staticRow());
    int left = update.rowCount() / 2;
    for (Row row : update) {
      (left-- > 0 ? first : second).add(row);
    }
    return new PartitionHalves(first.build(), second.build());
  }

  private static PartitionUpdate.Builder builder(PartitionUpdate update) {
    return new PartitionUpdate.Builder(
        update.metadata(), update.partitionKey(), update.columns(), update.rowCount());
  }
}
