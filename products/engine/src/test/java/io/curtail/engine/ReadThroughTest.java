/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.curtail.engine.store.Database;
import io.curtail.engine.table.FlushSet;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.PerfContext;
import org.rocksdb.PerfLevel;

/** What reads a whole table, once, and the cache of blocks that clients read again and again. */
class ReadThroughTest {
  private static final int ROWS = 300;
  private static final int ROW_BYTES = 100_000;

  /** Each reads more than the cache has. */
  private static final int ROUNDS = 6;

  private final EmbeddedNode node = TestNode.start();

  @ParameterizedTest
  @ValueSource(strings = {"", ", c"})
  void should_keep_what_clients_read_when_another_table_is_swept_or_streamed(String clustering)
      throws Exception {
    String name = clustering.isEmpty() ? "cold" : "cold_rows";
    Random random = new Random(5);
    node.cql(
        String.format(
            "CREATE TABLE twin.%s (k int, c int, v blob, PRIMARY KEY (k%s)) WITH memtable ="
                + " 'rocksdb'",
            name, clustering));
    node.cql(
        String.format(
            "CREATE TABLE twin.warm_%s (k int, c int, v blob, PRIMARY KEY (k, c)) WITH memtable ="
                + " 'rocksdb'",
            name));
    Inserts.run(
        "INSERT INTO twin." + name + " (k, c, v) VALUES (?, 1, ?)",
        "0",
        Integer.toString(ROWS),
        k -> List.of(ByteBufferUtil.bytes(k), bytes(random)));
    node.cql(
        "UPDATE twin."
            + name
            + " USING TTL 100000 SET v = 0x01 WHERE k = 0"
            + (clustering.isEmpty() ? "" : " AND c = 1"));
    node.cql("INSERT INTO twin.warm_" + name + " (k, c, v) VALUES (1, 1, 0x01)");
    EngineControl control = new EngineControl(Engine.running());
    control.flush("twin", name);
    control.flush("twin", "warm_" + name);
    ColumnFamilyStore cold = node.store("twin", name);
    ColumnFamilyStore warm = node.store("twin", "warm_" + name);
    await(() -> TestNode.store(cold).property("rocksdb.num-running-compactions") == 0);
    keepsWarm(warm, () -> control.sweep("twin", name));
    keepsWarm(warm, () -> readForStream(cold));
  }

  private static ByteBuffer bytes(Random random) {
    byte[] value = new byte[ROW_BYTES];
    synchronized (random) {
      random.nextBytes(value);
    }
    return ByteBuffer.wrap(value);
  }

  private static void keepsWarm(ColumnFamilyStore warm, ThrowingCallable reading) throws Exception {
    // Those of other tables may be in the way once.
    await(() -> blocksRead(warm) == 0);
    for (int round = 0; round < ROUNDS; round++) {
      assertThatCode(reading).doesNotThrowAnyException();
    }
    assertThat(blocksRead(warm)).isZero();
  }

  private static void readForStream(ColumnFamilyStore table) throws IOException {
    RocksMemtable memtable = TestNode.memtable(table);
    Iterator<Partition> partitions =
        new FlushSet(memtable, memtable.store(), null, null, null).iterator();
    int read = 0;
    while (partitions.hasNext()) {
      try (UnfilteredRowIterator rows = partitions.next().unfilteredIterator()) {
        while (rows.hasNext()) {
          rows.next();
          read++;
        }
      }
    }
    assertThat(read).isEqualTo(ROWS);
  }

  /** By a client that reads a partition of the table: blocks that were not in the cache. */
  private static long blocksRead(ColumnFamilyStore table) {
    Database database = Engine.running().database;
    database.rocksdb.setPerfLevel(PerfLevel.ENABLE_COUNT);
    try {
      PerfContext counts = database.rocksdb.getPerfContext();
      counts.reset();
      DecoratedKey key = table.decorateKey(ByteBufferUtil.bytes(1));
      try (UnfilteredRowIterator rows =
          TestNode.memtable(table)
              .rowIterator(
                  key,
                  Slices.ALL,
                  ColumnFilter.all(table.metadata()),
                  false,
                  SSTableReadsListener.NOOP_LISTENER)) {
        assertThat(rows.hasNext()).isTrue();
      }
      return counts.getBlockReadCount();
    } finally {
      database.rocksdb.setPerfLevel(PerfLevel.DISABLE);
    }
  }
}
