/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.store.NativeIterators;
import io.curtail.testnode.EmbeddedNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.rows.RangeTombstoneMarker;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.rocksdb.PerfContext;
import org.rocksdb.PerfLevel;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;

/** Partitions with more deleted ranges than are read at once. */
class ManyRangesTest {
  private static final int PREFIXES = 320;

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_answer_as_the_stock_memtable_when_a_partition_has_many_ranges() {
    for (String order : List.of("c ASC, d ASC", "c DESC, d ASC")) {
      Twins twins = filled(order);
      for (Slices slices : slices(twins.rocksStore().metadata().comparator)) {
        for (boolean reversed : new boolean[] {false, true}) {
          ColumnFamilyStore stock = node.store("twin", twins.stock.split("\\.", -1)[1]);
          assertThat(read(twins.rocksStore(), slices, reversed, Integer.MAX_VALUE))
              .isEqualTo(read(stock, slices, reversed, Integer.MAX_VALUE));
        }
      }
      String backwards = order.startsWith("c ASC") ? "c DESC, d DESC" : "c ASC, d DESC";
      String[] queries = {
        "SELECT * FROM # WHERE p = 1",
        "SELECT * FROM # WHERE p = 1 ORDER BY " + backwards,
        "SELECT * FROM # WHERE p = 1 AND c > 30 AND c <= 290",
        "SELECT * FROM # WHERE p = 1 AND c > 30 AND c <= 290 ORDER BY " + backwards
      };
      twins.same(queries).same("SELECT * FROM #", "SELECT * FROM # WHERE p = 1 LIMIT 20");
      for (String query : queries) {
        assertThat(node.rows(query.replace("#", twins.rocks), 7))
            .isEqualTo(node.rows(query.replace("#", twins.stock), 7));
      }
    }
  }

  /** Each second prefix is deleted, and a third of those have a row again. */
  private static Twins filled(String order) {
    Twins twins =
        new Twins(
            "CREATE TABLE # (p int, c int, d int, v int, PRIMARY KEY (p, c, d))",
            "CLUSTERING ORDER BY (" + order + ")");
    for (int c = 0; c < PREFIXES; c++) {
      for (int d = 0; d < 2; d++) {
        twins.run(insert(c, d, 10));
      }
      if (c % 2 == 0) {
        twins.run("DELETE FROM # USING TIMESTAMP 20 WHERE p = 1 AND c = " + c);
      }
      if (c % 6 == 0) {
        twins.run(insert(c, 1, 30));
      }
    }
    return twins;
  }

  private static String insert(int c, int d, int timestamp) {
    return String.format(
        "INSERT INTO # (p, c, d, v) VALUES (1, %d, %d, %d) USING TIMESTAMP %d",
        c, d, timestamp, timestamp);
  }

  private static List<Slices> slices(ClusteringComparator comparator) {
    List<Slices> all = new ArrayList<>(List.of(Slices.ALL));
    boolean isDescending = comparator.subtype(0).isReversed();
    int[] bounds = {20, 21, 150, 151, PREFIXES - 2, PREFIXES - 1};
    for (int i = 0; i < bounds.length; i++) {
      for (int j = i; j < bounds.length; j++) {
        int from = isDescending ? bounds[j] : bounds[i];
        int to = isDescending ? bounds[i] : bounds[j];
        all.add(
            Slices.with(
                comparator,
                Slice.make(
                    ClusteringBound.create(comparator, true, true, from),
                    ClusteringBound.create(comparator, false, true, to))));
        all.add(
            Slices.with(
                comparator,
                Slice.make(
                    ClusteringBound.create(comparator, true, false, from, 0),
                    ClusteringBound.create(comparator, false, false, to, 1))));
      }
    }
    for (int step : new int[] {2, 3, 5}) {
      Slices.Builder some = new Slices.Builder(comparator);
      for (int c = 1; c < PREFIXES; c += step) {
        some.add(Slice.make(comparator, c));
        some.add(Slice.make(comparator, c + 1, 1));
      }
      all.add(some.build());
    }
    Slices.Builder wide = new Slices.Builder(comparator);
    for (int c = 0; c < PREFIXES; c += 100) {
      int from = isDescending ? c + 90 : c;
      int to = isDescending ? c : c + 90;
      wide.add(
          Slice.make(
              ClusteringBound.create(comparator, true, true, from),
              ClusteringBound.create(comparator, false, false, to)));
    }
    all.add(wide.build());
    return all;
  }

  /** Rows and bounds of deleted ranges, in words. */
  private static List<String> read(
      ColumnFamilyStore table, Slices slices, boolean reversed, int most) {
    List<String> found = new ArrayList<>();
    try (UnfilteredRowIterator partition = rows(table, slices, reversed)) {
      while (found.size() < most && partition.hasNext()) {
        found.add(text(partition.next(), reversed, table.metadata()));
      }
    }
    return found;
  }

  private static UnfilteredRowIterator rows(
      ColumnFamilyStore table, Slices slices, boolean reversed) {
    Memtable memtable = table.getTracker().getView().getCurrentMemtable();
    return memtable.rowIterator(
        table.decorateKey(ByteBufferUtil.bytes(1)),
        slices,
        ColumnFilter.all(table.metadata()),
        reversed,
        SSTableReadsListener.NOOP_LISTENER);
  }

  private static String text(Unfiltered next, boolean reversed, TableMetadata metadata) {
    StringBuilder text = new StringBuilder(next.clustering().kind().toString());
    text.append(' ').append(next.clustering().toString(metadata));
    if (!next.isRow()) {
      RangeTombstoneMarker marker = (RangeTombstoneMarker) next;
      if (marker.isClose(reversed)) {
        text.append(" ends ").append(marker.closeDeletionTime(reversed).markedForDeleteAt());
      }
      if (marker.isOpen(reversed)) {
        text.append(" begins ").append(marker.openDeletionTime(reversed).markedForDeleteAt());
      }
    }
    return text.toString();
  }

  @Test
  void should_read_few_ranges_when_few_rows_are_asked_for() throws Exception {
    int ranges = 2_000;
    node.cql(
        "CREATE TABLE twin.ranges_far (p int, c int, d int, PRIMARY KEY (p, c, d))"
            + " WITH memtable = 'rocksdb'");
    Inserts.run(
        "DELETE FROM twin.ranges_far WHERE p = 1 AND c = ?",
        "0",
        Integer.toString(ranges),
        c -> List.of(ByteBufferUtil.bytes(c)));
    ColumnFamilyStore table = node.store("twin", "ranges_far");
    readsFew(table, ranges, 2 * ranges);
    Inserts.run(
        "INSERT INTO twin.ranges_far (p, c, d) VALUES (1, ?, 1)",
        "0",
        Integer.toString(ranges),
        c -> List.of(ByteBufferUtil.bytes(c)));
    readsFew(table, ranges, 3 * ranges);
  }

  /** Unless all rows and bounds of ranges are read; and nothing stays open. */
  private static void readsFew(ColumnFamilyStore table, int ranges, int all)
      throws RocksDBException {
    for (boolean reversed : new boolean[] {false, true}) {
      long open = NativeIterators.open();
      assertThat(steps(table, reversed, Integer.MAX_VALUE, all)).isGreaterThan(ranges);
      assertThat(steps(table, reversed, 10, 10)).isLessThan(ranges / 4);
      assertThat(NativeIterators.open()).isLessThanOrEqualTo(open);
      // Not closed by its reader.
      rows(table, Slices.ALL, reversed).forEachRemaining(next -> {});
      assertThat(NativeIterators.open()).isLessThanOrEqualTo(open);
    }
  }

  /** How many records RocksDB passes, by this thread. */
  private static long steps(ColumnFamilyStore table, boolean reversed, int most, int expected)
      throws RocksDBException {
    RocksDB database = Engine.running().database.rocksdb;
    // The first read of a thread has RocksDB count no more.
    assertThat(read(table, Slices.ALL, reversed, 1)).hasSize(1);
    database.setPerfLevel(PerfLevel.ENABLE_COUNT);
    try {
      PerfContext counts = database.getPerfContext();
      counts.reset();
      assertThat(read(table, Slices.ALL, reversed, most)).hasSize(expected);
      return counts.getInternalKeySkippedCount();
    } finally {
      database.setPerfLevel(PerfLevel.DISABLE);
    }
  }

  @Test
  void should_write_no_range_that_a_batch_does_not_touch() throws Exception {
    int ranges = 500;
    node.cql(
        "CREATE TABLE twin.ranges_apart (p int, c int, d int, PRIMARY KEY (p, c, d))"
            + " WITH memtable = 'rocksdb'");
    Inserts.run(
        "DELETE FROM twin.ranges_apart WHERE p = 1 AND c = ?",
        "0",
        Integer.toString(ranges),
        c -> List.of(ByteBufferUtil.bytes(c)));
    // Again, if other tables were written meanwhile: RocksDB counts for all.
    await(
        () -> {
          long before = written();
          node.cql(
              "BEGIN UNLOGGED BATCH"
                  + " DELETE FROM twin.ranges_apart WHERE p = 1 AND c = -1;"
                  + " DELETE FROM twin.ranges_apart WHERE p = 1 AND c = 1000;"
                  + " APPLY BATCH");
          return written() - before < 10;
        });
  }

  private static long written() {
    return Engine.running().database.statistics().getTickerCount(TickerType.NUMBER_KEYS_WRITTEN);
  }

  @Test
  void should_answer_as_the_stock_memtable_when_two_ranges_of_a_batch_touch_the_same_one() {
    Twins twins = new Twins("CREATE TABLE # (p int, c int, d int, v int, PRIMARY KEY (p, c, d))");
    for (int c = 0; c < 50; c++) {
      twins.run(insert(c, 1, 10), insert(c, 2, 25));
    }
    twins.run(
        "DELETE FROM # USING TIMESTAMP 20 WHERE p = 1 AND c >= 0 AND c < 30",
        "DELETE FROM # USING TIMESTAMP 20 WHERE p = 1 AND c = 35",
        "BEGIN UNLOGGED BATCH"
            + " DELETE FROM # USING TIMESTAMP 30 WHERE p = 1 AND c >= 4 AND c < 8;"
            + " DELETE FROM # USING TIMESTAMP 30 WHERE p = 1 AND c >= 20 AND c < 24;"
            + " DELETE FROM # USING TIMESTAMP 30 WHERE p = 1 AND c > 28 AND c < 30;"
            + " DELETE FROM # USING TIMESTAMP 15 WHERE p = 1 AND c >= 40 AND c < 45;"
            + " APPLY BATCH");
    for (int c = 0; c < 50; c++) {
      // Too late, where something is deleted.
      twins.run(insert(c, 3, 12), insert(c, 4, 18), insert(c, 5, 28));
    }
    twins.same(
        "SELECT * FROM #",
        "SELECT * FROM # WHERE p = 1 ORDER BY c DESC, d DESC",
        "SELECT * FROM # WHERE p = 1 AND c IN (3, 4, 7, 8, 19, 20, 23, 24, 28, 29, 30, 35, 40, 45)",
        "SELECT * FROM # WHERE p = 1 AND c > 22 AND c < 42");
  }
}
