/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.Iterators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.DecoratedKey;

/**
 * The partitions of a table in order, as they are in keys, for long work on each. A scan keeps all
 * data files that there were when it began, so some are read at a time and none is open meanwhile;
 * what is written meanwhile may be among them or not. It ends when the table's rows have gone. Not
 * thread-safe.
 */
public final class PartitionWalk extends AbstractIterator<byte[]> {
  private static final int PARTITIONS_A_SCAN = 256;

  private final TableStore store;
  private final List<byte[]> partitions = new ArrayList<>();
  private int at;

  /** From the first. */
  public PartitionWalk(TableStore store) {
    this.store = store;
  }

  /** The same, as Cassandra names them. */
  public Iterator<DecoratedKey> keys() {
    return Iterators.transform(this, key -> store.keys.decode(key, key.length));
  }

  @Override
  protected byte[] computeNext() {
    if (at == partitions.size()) {
      scan(at == 0 ? null : partitions.get(at - 1));
    }
    return at == partitions.size() ? endOfData() : partitions.get(at++);
  }

  private void scan(byte[] last) {
    partitions.clear();
    at = 0;
    try (PartitionScan scan = PartitionScan.behind(store, last)) {
      while (partitions.size() < PARTITIONS_A_SCAN && scan.hasNext()) {
        scan.next();
        byte[] record = scan.record();
        partitions.add(Arrays.copyOf(record, store.keys.length(record)));
      }
    }
  }
}
