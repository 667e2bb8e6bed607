/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;

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

  @Test
  void should_not_seek_when_nothing_was_ever_deleted() {
    Twins twins = filled("CREATE TABLE # (p int, c int, d text, v int, PRIMARY KEY (p, c, d))");
    seeksNothing(() -> twins.sameOrEmpty(NAMED));
    seeksNothing(() -> twins.run("DELETE FROM # WHERE p = 1").sameOrEmpty(NAMED));
  }

  @Test
  void should_answer_alike_when_partitions_have_static_rows_and_deletions() {
    Twins twins =
        filled("CREATE TABLE # (p int, c int, d text, s int STATIC, v int, PRIMARY KEY (p, c, d))");
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
    String one = "SELECT v FROM " + twins.rocks + " WHERE p = 1 AND c = 4 AND d = 'b'";
    EmbeddedNode node = TestNode.start();
    await(() -> lookups(() -> node.rows(one)) == 1);
    twins.sameOrEmpty(NAMED).run("DELETE FROM # WHERE p = 2");
    await(() -> lookups(() -> node.rows(one)) == 2);
    twins.sameOrEmpty(NAMED);
  }

  private static long lookups(Runnable read) {
    long before = count(TickerType.NUMBER_KEYS_READ);
    read.run();
    return count(TickerType.NUMBER_KEYS_READ) - before;
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
    await(
        () -> {
          long before = seeks();
          statements.run();
          return seeks() == before;
        });
  }

  private static long seeks() {
    return count(TickerType.NUMBER_DB_SEEK);
  }

  private static long count(TickerType counter) {
    return Engine.running().database.statistics().getTickerCount(counter);
  }
}
