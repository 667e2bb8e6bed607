/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;

import io.curtail.engine.store.KeptRecords;
import io.curtail.testnode.EmbeddedNode;
import org.junit.jupiter.api.Test;
import org.rocksdb.TickerType;

/** Rows that a read names are got by key, and the answer is that of an iterator. */
class RowLookupTest {
  private static final String[] NAMED = {
    "SELECT * FROM # WHERE p = 1 AND c = 3 AND d = 'b'",
    "SELECT v FROM # WHERE p = 1 AND c = 3 AND d = ''",
    "SELECT * FROM # WHERE p = 1 AND c IN (0, 3, 5, 99) AND d IN ('a', 'b')",
    "SELECT * FROM # WHERE p = 1 AND c IN (5, 3) AND d = 'b' ORDER BY c DESC, d DESC",
    "SELECT * FROM # WHERE p IN (1, 2, 9) AND c = 2 AND d = 'a'",
    "SELECT * FROM # WHERE p = 9 AND c = 2 AND d = 'a'",
    "SELECT * FROM # WHERE p = 1 AND (c, d) IN ((1, 'a'), (2, 'b'), (7, 'x'))"
  };

  private static final String WITH_STATIC =
      "CREATE TABLE # (p int, c int, d text, s int STATIC, v int, PRIMARY KEY (p, c, d))";

  @Test
  void should_not_seek_when_nothing_was_ever_deleted() {
    Twins twins = filled("CREATE TABLE # (p int, c int, d text, v int, PRIMARY KEY (p, c, d))");
    seeksNothing(() -> twins.sameOrEmpty(NAMED));
    seeksNothing(() -> twins.run("DELETE FROM # WHERE p = 1").sameOrEmpty(NAMED));
  }

  @Test
  void should_answer_alike_when_partitions_have_static_rows_and_deletions() {
    Twins twins = filled(WITH_STATIC);
    seeksNothing(
        () ->
            twins
                .sameOrEmpty(NAMED)
                .run("UPDATE # SET s = 4 WHERE p = 1", "UPDATE # SET s = 5 WHERE p = 9")
                .sameOrEmpty(NAMED)
                .run(
                    "DELETE FROM # WHERE p = 2", "INSERT INTO # (p, c, d, v) VALUES (2, 2, 'a', 8)")
                .run("DELETE FROM # WHERE p = 1 AND c = 3 AND d = 'b'")
                .run("UPDATE # SET v = null WHERE p = 1 AND c = 5 AND d = 'a'")
                .sameOrEmpty(NAMED));
  }

  @Test
  void should_answer_alike_when_ranges_are_deleted() {
    Twins twins = filled("CREATE TABLE # (p int, c int, d text, v int, PRIMARY KEY (p, c, d))");
    twins
        .run(
            "DELETE FROM # WHERE p = 1 AND c = 3",
            "DELETE FROM # WHERE p = 1 AND c > 4",
            "INSERT INTO # (p, c, d, v) VALUES (1, 3, 'b', 8)")
        .sameOrEmpty(NAMED)
        .run("DELETE FROM # WHERE p = 1")
        .sameOrEmpty(NAMED);
  }

  /** Also after a partition was deleted, when it looks for that too. */
  @Test
  void should_look_for_nothing_but_the_row_when_rows_expire_and_no_partition_was_deleted() {
    Twins twins = filled("CREATE TABLE # (p int, c int, d text, v int, PRIMARY KEY (p, c, d))");
    twins.run(
        "INSERT INTO # (p, c, d, v) VALUES (1, 3, 'b', null)",
        "INSERT INTO # (p, c, d, v) VALUES (1, 4, 'b', 7) USING TTL 100000",
        "DELETE FROM # WHERE p = 1 AND c = 5 AND d = 'b'");
    String one = "SELECT v FROM # WHERE p = 1 AND c = 4 AND d = 'b'";
    await(() -> lookups(twins, one) == 1);
    twins.sameOrEmpty(NAMED).run("DELETE FROM # WHERE p = 2");
    await(() -> lookups(twins, one) == 2);
    twins.sameOrEmpty(NAMED);
  }

  /** Nor where a partition has a static row and nothing else. */
  @Test
  void should_look_for_nothing_but_the_row_when_no_static_column_is_asked() {
    Twins twins = filled(WITH_STATIC);
    twins.run("UPDATE # SET s = 4 WHERE p = 1", "UPDATE # SET s = 5 WHERE p = 9");
    String row = " FROM # WHERE p = 1 AND c = 4 AND d = 'b'";
    await(() -> lookups(twins, "SELECT v" + row) == 1);
    await(() -> lookups(twins, "SELECT v, s" + row) == 2);
    String[] queries = {
      "SELECT v FROM # WHERE p = 1 AND c = 4 AND d = 'b'",
      "SELECT v FROM # WHERE p IN (1, 2, 9) AND c = 4 AND d = 'b'",
      "SELECT v FROM # WHERE p = 9 AND c = 4",
      "SELECT v FROM # WHERE p = 9 AND c > 4 ORDER BY c DESC",
      "SELECT v FROM # WHERE p = 1 AND c > 4 LIMIT 1",
      "SELECT v, s FROM # WHERE p = 9 AND c = 4",
      "SELECT p FROM # WHERE p = 9",
      "SELECT v FROM # WHERE c > 4 ALLOW FILTERING",
      "SELECT v FROM #"
    };
    twins.sameOrEmpty(queries).run("DELETE FROM # WHERE p = 2");
    await(() -> lookups(twins, "SELECT v" + row) == 2);
    twins.sameOrEmpty(queries);
  }

  @Test
  void should_seek_once_when_rows_follow_the_header_of_their_partition() {
    Twins twins = filled(WITH_STATIC);
    twins.run("UPDATE # SET s = 4 WHERE p = 1");
    String partition = "SELECT v, s FROM # WHERE p = 1";
    for (String rest : new String[] {"", " LIMIT 1", " AND c < 4"}) {
      await(() -> seeks(() -> read(twins, partition + rest)) == 1);
    }
    await(() -> seeks(() -> read(twins, partition + " AND c > 4")) == 2);
    twins.same(
        "SELECT * FROM # WHERE p = 1",
        "SELECT * FROM # WHERE p = 1 LIMIT 1",
        "SELECT * FROM # WHERE p = 1 AND c < 4",
        "SELECT * FROM # WHERE p = 1 ORDER BY c DESC",
        "SELECT * FROM # WHERE p = 2");
  }

  private static long lookups(Twins twins, String query) {
    return counted(TickerType.NUMBER_KEYS_READ, () -> read(twins, query));
  }

  private static void read(Twins twins, String query) {
    EmbeddedNode node = TestNode.start();
    KeptRecords.forget(TestNode.store(node.store("twin", twins.rocksName)));
    node.rows(query.replace("#", twins.rocks));
  }

  private static long counted(TickerType counter, Runnable read) {
    long before = count(counter);
    read.run();
    return count(counter) - before;
  }

  private static Twins filled(String create) {
    Twins twins = new Twins(create);
    for (int p = 1; p < 3; p++) {
      for (int c = 0; c < 7; c++) {
        for (String d : new String[] {"", "a", "b"}) {
          twins.run(
              String.format(
                  "INSERT INTO # (p, c, d, v) VALUES (%d, %d, '%s', %d)", p, c, d, p + c));
        }
      }
    }
    return twins;
  }

  /** Again, if another table was read meanwhile: RocksDB counts for all. */
  private static void seeksNothing(Runnable statements) {
    await(() -> seeks(statements) == 0);
  }

  private static long seeks(Runnable read) {
    return counted(TickerType.NUMBER_DB_SEEK, read);
  }

  private static long count(TickerType counter) {
    return Engine.running().database.statistics().getTickerCount(counter);
  }
}
