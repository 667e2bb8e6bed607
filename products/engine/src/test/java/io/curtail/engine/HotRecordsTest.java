/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.store.Database;
import io.curtail.engine.store.HotRecords;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.rocksdb.PerfContext;
import org.rocksdb.PerfLevel;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.TickerType;

class HotRecordsTest {
  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_merge_few_fragments_when_a_row_was_written_again_and_again() throws Exception {
    node.cql("CREATE TABLE twin.hot (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    int writes = 300;
    int written = 0;
    // All must be in one write buffer; another table may bring a flush at any moment.
    while (bufferedOf("hot") < 2L * writes) {
      flush("hot");
      for (int i = 0; i < writes; i++) {
        written++;
        node.cql("INSERT INTO twin.hot (k, v) VALUES (1, " + written + ")");
        node.cql("INSERT INTO twin.hot (k, v) VALUES (" + (1_000 + written) + ", 1)");
      }
    }
    assertThat(fragmentsOfAllRecords("hot"))
        .isLessThanOrEqualTo(written + 2L * HotRecords.MOST_FRAGMENTS);
    assertThat(node.cql("SELECT v FROM twin.hot WHERE k = 1").one().getInt("v")).isEqualTo(written);
  }

  /** It would be written anew with each sixteenth of them. */
  @Test
  void should_write_a_few_times_what_is_added_when_a_set_grows() throws Exception {
    node.cql(
        "CREATE TABLE twin.growing (k int PRIMARY KEY, s set<text>) WITH memtable = 'rocksdb'");
    int elements = 20_000;
    long before = writtenBytes();
    for (int i = 0; i < elements; i++) {
      node.cql(
          "UPDATE twin.growing SET s = s + {'an element with the number " + i + "'} WHERE k = 1");
    }
    assertThat(writtenBytes() - before).isLessThan(elements * 1_000L);
    assertThat(fragmentsOfAllRecords("growing")).isLessThan(elements / 2);
    assertThat(
            node.cql("SELECT s FROM twin.growing WHERE k = 1").one().getSet("s", UTF8Type.instance))
        .hasSize(elements);
  }

  /** What is there is read for the index, and need not be written back. */
  @Test
  void should_write_what_is_added_to_a_large_row_when_the_table_has_an_index() throws Exception {
    node.cql(
        "CREATE TABLE twin.indexed (k int PRIMARY KEY, b blob, status int, s set<int>) WITH memtable"
            + " = 'rocksdb'");
    node.cql("CREATE INDEX ON twin.indexed (status)");
    Inserts.run(
        "INSERT INTO twin.indexed (k, b) VALUES (?, ?)",
        "1",
        "2",
        k -> List.of(ByteBufferUtil.bytes(k), ByteBuffer.allocate(1 << 20)));
    int updates = 500;
    long before = writtenBytes();
    for (int i = 1; i <= updates; i++) {
      node.cql("UPDATE twin.indexed SET status = " + i + ", s = s + {" + i + "} WHERE k = 1");
    }
    // The row itself some times, when its fragments are joined; an index in another table.
    assertThat(writtenBytes() - before).isLessThan(16L << 20);
    assertThat(node.rows("SELECT k FROM twin.indexed WHERE status = " + updates))
        .containsExactly("k=1");
    assertThat(node.rows("SELECT k FROM twin.indexed WHERE status = " + (updates - 1))).isEmpty();
    assertThat(
            node.cql("SELECT s FROM twin.indexed WHERE k = 1")
                .one()
                .getSet("s", Int32Type.instance))
        .hasSize(updates);
    flush("indexed");
    assertThat(node.rows("SELECT status FROM twin.indexed")).containsExactly("status=" + updates);
  }

  private static long writtenBytes() {
    return Engine.running().database.statistics().getTickerCount(TickerType.BYTES_WRITTEN);
  }

  @Test
  void should_ask_for_fragments_in_proportion_when_a_record_is_large() {
    HotRecords records = new HotRecords();
    byte[] key = {7};
    int bytes = 1_000;
    int size = 1 << 20;
    int added = 0;
    for (int joins = 0; joins < 3; ) {
      added++;
      if (records.add(1, key, bytes) && records.join(1, key, size)) {
        assertThat(added * bytes).isBetween(size / 4, size / 4 + 16 * bytes);
        added = 0;
        joins++;
      }
    }
    while (!records.add(1, key, bytes)) {
      added++;
    }
    assertThat(records.join(1, key, 1_000)).isTrue();
    int small = 1;
    while (!records.add(1, key, bytes)) {
      small++;
    }
    assertThat(small).isEqualTo(HotRecords.MOST_FRAGMENTS);
  }

  /** They would have to be a quarter of the blob: each reader would merge thousands. */
  @Test
  void should_merge_no_more_fragments_than_a_row_has_kibibytes_when_they_are_small()
      throws Exception {
    node.cql("CREATE TABLE twin.blob (k int PRIMARY KEY, b blob, v int) WITH memtable = 'rocksdb'");
    Inserts.run(
        "INSERT INTO twin.blob (k, b) VALUES (?, ?)",
        "1",
        "2",
        k -> List.of(ByteBufferUtil.bytes(k), ByteBuffer.allocate(1 << 20)));
    int updates = 4_000;
    for (int i = 1; i <= updates; i++) {
      node.cql("UPDATE twin.blob SET v = " + i + " WHERE k = 1");
      if (i % 500 == 0) {
        assertThat(fragmentsOfAllRecords("blob")).isLessThan(1_100);
      }
    }
    assertThat(node.rows("SELECT v FROM twin.blob")).containsExactly("v=" + updates);
  }

  @Test
  void should_find_that_a_record_is_smaller_than_it_was() {
    HotRecords records = new HotRecords();
    byte[] key = {7};
    int adds = 0;
    while (!records.add(1, key, 20)) {
      adds++;
    }
    assertThat(adds).isLessThan(HotRecords.MOST_FRAGMENTS);
    assertThat(records.join(1, key, 4 << 20)).isFalse();
    adds = 1;
    while (!records.add(1, key, 20)) {
      adds++;
    }
    assertThat(adds).isEqualTo(512);
    assertThat(records.join(1, key, 200)).isTrue();
  }

  /** The memory of a table without a row must not add up to what makes each write a flush. */
  @Test
  void should_keep_what_is_written_in_memory_when_there_are_many_tables() throws Exception {
    for (int i = 0; i < 60; i++) {
      node.cql(
          "CREATE TABLE twin.many" + i + " (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
      node.cql("INSERT INTO twin.many" + i + " (k, v) VALUES (1, 1)");
    }
    flush("many0");
    for (int i = 0; i < 100; i++) {
      node.cql("INSERT INTO twin.many0 (k, v) VALUES (" + i + ", 1)");
    }
    assertThat(bufferedOf("many0")).isEqualTo(100);
    for (int i = 0; i < 60; i++) {
      node.cql("DROP TABLE twin.many" + i);
    }
  }

  @Test
  void should_lose_no_write_when_others_write_to_the_row() throws Exception {
    List<String> columns = List.of("v1", "v2", "v3", "v4");
    node.cql(
        "CREATE TABLE twin.hot_shared (p int, c int, "
            + String.join(" int, ", columns)
            + " int, PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
    int writes = 2_000;
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (String column : columns) {
        writers.add(
            threads.submit(
                () -> {
                  for (int i = 1; i <= writes; i++) {
                    node.cql(
                        String.format(
                            "UPDATE twin.hot_shared SET %s = %d WHERE p = 1 AND c = 1", column, i));
                    String query = "SELECT " + column + " FROM twin.hot_shared WHERE p = 1";
                    assertThat(node.cql(query).one().getInt(column)).isEqualTo(i);
                  }
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void should_find_what_comes_often_and_nothing_else() {
    HotRecords records = new HotRecords();
    int found = 0;
    int foundOften = 0;
    for (int i = 0; i < 100_000; i++) {
      found += records.add(1, ByteBuffer.allocate(8).putLong(i % 50_000).array(), 20) ? 1 : 0;
      foundOften += i % 10 == 0 && records.add(1, new byte[] {7}, 20) ? 1 : 0;
    }
    assertThat(found).isZero();
    assertThat(foundOften).isBetween(600, 10_000 / HotRecords.MOST_FRAGMENTS);
  }

  private static TableStore store(String table) {
    return Engine.running().stores.memtables().stream()
        .filter(each -> each.metadata().name.equals(table))
        .findFirst()
        .orElseThrow()
        .store();
  }

  private static long bufferedOf(String table) {
    return store(table).property("rocksdb.num-entries-active-mem-table");
  }

  private static void flush(String table) throws IOException {
    new EngineControl(Engine.running()).flush("twin", table);
  }

  private static long fragmentsOfAllRecords(String table) throws RocksDBException {
    Database database = Engine.running().database;
    database.rocksdb.setPerfLevel(PerfLevel.ENABLE_COUNT);
    try (ReadOptions reading = new ReadOptions().setTotalOrderSeek(true);
        RocksIterator records = database.iterator(store(table).family(), reading)) {
      PerfContext counts = database.rocksdb.getPerfContext();
      counts.reset();
      for (records.seekToFirst(); records.isValid(); records.next()) {
        assertThat(records.value()).isNotEmpty();
      }
      return counts.getInternalMergeCount();
    } finally {
      database.rocksdb.setPerfLevel(PerfLevel.DISABLE);
    }
  }
}
