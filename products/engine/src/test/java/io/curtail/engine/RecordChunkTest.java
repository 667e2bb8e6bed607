/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.codec.Keys;
import io.curtail.engine.table.Chunks;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;

/** Records that C copies are those that Java copies, and the rows in them are all of a table. */
class RecordChunkTest {
  private static final int ROWS = 150;

  @Test
  void should_take_the_same_records_in_c_as_in_java() {
    TableStore store = filled("chunks", "PRIMARY KEY (k, c)");
    byte[] partition = partition(store);
    byte[] first = Keys.record(partition, Keys.HEADER);
    byte[] last = Keys.record(partition, Keys.END);
    for (int records : new int[] {1, 7, ROWS, 1_000}) {
      for (int bytes : new int[] {1, 3_000, 1 << 20}) {
        assertThat(chunks(store, first, last, false, records, bytes, true))
            .usingElementComparator(Arrays::compareUnsigned)
            .containsExactlyElementsOf(chunks(store, first, last, false, records, bytes, false));
        assertThat(chunks(store, last, first, true, records, bytes, true))
            .usingElementComparator(Arrays::compareUnsigned)
            .containsExactlyElementsOf(chunks(store, last, first, true, records, bytes, false));
      }
    }
    assertThat(chunks(store, first, null, false, 1_000, 1 << 20, true)).hasSize(1);
  }

  @Test
  void should_answer_as_the_stock_memtable_when_a_partition_has_many_chunks() {
    Twins twins = new Twins("CREATE TABLE # (k int, c int, v text, PRIMARY KEY (k, c))");
    for (int c = 0; c < ROWS; c++) {
      twins.run("INSERT INTO # (k, c, v) VALUES (1, " + c + ", '" + "v".repeat(c * 5) + "')");
    }
    twins
        .same(
            "SELECT * FROM # WHERE k = 1",
            "SELECT * FROM # WHERE k = 1 LIMIT 1",
            "SELECT * FROM # WHERE k = 1 LIMIT 9",
            "SELECT * FROM # WHERE k = 1 ORDER BY c DESC",
            "SELECT * FROM # WHERE k = 1 AND c >= 7 AND c < 90 ORDER BY c DESC LIMIT 80",
            "SELECT c FROM # WHERE k = 1 AND c > 60 AND c <= 149")
        .sameOrEmpty("SELECT * FROM # WHERE k = 1 AND c > 149");
  }

  @Test
  void should_answer_as_the_stock_memtable_when_partitions_of_one_row_are_scanned() {
    Twins twins = new Twins("CREATE TABLE # (k int PRIMARY KEY, v text)");
    for (int k = 0; k < ROWS; k++) {
      twins.run("INSERT INTO # (k, v) VALUES (" + k + ", '" + "v".repeat(k * 9) + "')");
    }
    twins.same(
        "SELECT * FROM #",
        "SELECT * FROM # LIMIT 8",
        "SELECT * FROM # LIMIT 75",
        "SELECT k FROM # WHERE token(k) > 0",
        "SELECT * FROM # WHERE token(k) > -4000000000000000000 AND token(k) <= 99 LIMIT 30");
  }

  @Test
  void should_answer_as_the_stock_memtable_when_partitions_of_any_length_are_scanned() {
    Twins twins =
        new Twins("CREATE TABLE # (k int, c int, s int STATIC, v text, PRIMARY KEY (k, c))");
    for (int k = 0; k < 40; k++) {
      // Some end where a chunk does.
      for (int c = 0; c < k % 5 * (k % 11) * 2; c++) {
        twins.run(
            "INSERT INTO # (k, c, v) VALUES (%d, %d, '%s')"
                .replaceFirst("%d", Integer.toString(k))
                .replaceFirst("%d", Integer.toString(c))
                .replaceFirst("%s", "v".repeat(k * 3)));
      }
    }
    sameScans(twins);
    for (int k = 0; k < 50; k += 3) {
      twins.run("UPDATE # SET s = 1 WHERE k = " + k);
    }
    sameScans(twins);
    twins.run(
        "DELETE FROM # WHERE k = 6",
        "INSERT INTO # (k, c, v) VALUES (6, 2, 'again')",
        "DELETE FROM # WHERE k = 14 AND c > 3 AND c < 9",
        "DELETE FROM # WHERE k = 29 AND c >= 0",
        "DELETE FROM # WHERE k = 18 AND c = 0",
        "DELETE v FROM # WHERE k = 19 AND c = 1");
    sameScans(twins);
  }

  private static void sameScans(Twins twins) {
    twins.same(
        "SELECT * FROM #",
        "SELECT k, c FROM #",
        "SELECT k, s FROM # LIMIT 1",
        "SELECT * FROM # LIMIT 8",
        "SELECT * FROM # LIMIT 9",
        "SELECT * FROM # LIMIT 41",
        "SELECT * FROM # LIMIT 300",
        "SELECT * FROM # PER PARTITION LIMIT 1",
        "SELECT * FROM # PER PARTITION LIMIT 9 LIMIT 60",
        "SELECT DISTINCT k FROM #",
        "SELECT DISTINCT k, s FROM #",
        "SELECT DISTINCT k FROM # LIMIT 5",
        "SELECT * FROM # WHERE token(k) > 0",
        "SELECT * FROM # WHERE token(k) > -4000000000000000000 AND token(k) <= 99 LIMIT 70",
        "SELECT * FROM # WHERE c > 3 ALLOW FILTERING",
        "SELECT k, c FROM # WHERE c IN (0, 4) ALLOW FILTERING");
  }

  private static List<byte[]> chunks(
      TableStore store,
      byte[] from,
      byte[] bound,
      boolean reversed,
      int records,
      int bytes,
      boolean natively) {
    List<byte[]> chunks = new ArrayList<>();
    try (ReadOptions reading = new ReadOptions().setTotalOrderSeek(true);
        RocksIterator iterator = store.database.iterator(store.family(), reading)) {
      if (reversed) {
        iterator.seekForPrev(from);
      } else {
        iterator.seek(from);
      }
      byte[] chunk;
      do {
        chunk =
            natively && store.database.isMergingNatively()
                ? NativeMerge.records(iterator.getNativeHandle(), bound, reversed, records, bytes)
                : Chunks.inJava(iterator, bound, reversed, records, bytes);
        chunks.add(chunk);
      } while (chunk[0] != 0);
    }
    return chunks;
  }

  private static byte[] partition(TableStore store) {
    return store.keys.encode(
        TestNode.start()
            .store("twin", "chunks")
            .metadata()
            .partitioner
            .decorateKey(ByteBufferUtil.bytes(1)));
  }

  private static TableStore filled(String table, String key) {
    EmbeddedNode node = TestNode.start();
    node.cql(
        String.format(
            "CREATE TABLE twin.%s (k int, c int, v text, %s) WITH memtable = 'rocksdb'",
            table, key));
    for (int c = 0; c < ROWS; c++) {
      node.cql(
          String.format(
              "INSERT INTO twin.%s (k, c, v) VALUES (1, %d, '%s')", table, c, "v".repeat(c * 3)));
    }
    return TestNode.memtable(node.store("twin", table)).store();
  }
}
