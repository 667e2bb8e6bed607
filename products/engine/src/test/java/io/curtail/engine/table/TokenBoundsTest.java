/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.TestNode;
import io.curtail.testnode.EmbeddedNode;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.junit.jupiter.api.Test;

/** What is read of a table between the tokens at the ends of the ring. */
class TokenBoundsTest {
  private static final PartitionPosition LAST = new LongToken(Long.MAX_VALUE).maxKeyBound();
  private static final PartitionPosition END = new LongToken(Long.MIN_VALUE).minKeyBound();

  @Test
  void should_have_nothing_behind_the_last_token_and_all_before_it() {
    EmbeddedNode node = TestNode.start();
    node.cql("CREATE TABLE twin.bounds (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    ColumnFamilyStore table = node.store("twin", "bounds");
    ChangedPartitions changes = new ChangedPartitions(ChangedPartitions.MOST);
    TestNode.store(table).noteChanges(changes);
    for (int k = 0; k < 10; k++) {
      node.cql("INSERT INTO twin.bounds (k) VALUES (" + k + ")");
    }
    assertThat(partitions(table, LAST, END, null)).isZero();
    assertThat(partitions(table, LAST, null, null)).isZero();
    assertThat(partitions(table, LAST, END, changes)).isZero();
    assertThat(partitions(table, END, LAST, null)).isEqualTo(10);
    assertThat(partitions(table, END, LAST, changes)).isEqualTo(10);
    try (PartitionScan scan = PartitionScan.between(TestNode.store(table), LAST, END)) {
      assertThat(scan.hasNext()).isFalse();
    }
  }

  private static long partitions(
      ColumnFamilyStore table,
      PartitionPosition from,
      PartitionPosition to,
      ChangedPartitions only) {
    Memtable memtable = table.getTracker().getView().getCurrentMemtable();
    return new FlushSet(memtable, TestNode.store(table), from, to, only).partitionCount();
  }
}
