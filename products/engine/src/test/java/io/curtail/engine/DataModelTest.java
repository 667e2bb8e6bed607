/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each feature of CQL on RocksDB and on the stock memtable, side by side in one node. */
class DataModelTest {
  @Test
  void should_answer_alike_when_a_partition_is_one_row() {
    new Twins("CREATE TABLE # (k int PRIMARY KEY, v text, w blob)")
        .run(
            "INSERT INTO # (k, v, w) VALUES (1, 'one', 0x01)",
            "INSERT INTO # (k) VALUES (2)",
            "UPDATE # SET v = 'three' WHERE k = 3",
            "INSERT INTO # (k, v, w) VALUES (4, '', 0x)",
            "UPDATE # SET v = 'uno' WHERE k = 1",
            "DELETE w FROM # WHERE k = 1",
            "INSERT INTO # (k, v) VALUES (5, 'five')",
            "DELETE FROM # WHERE k = 5",
            "DELETE v FROM # WHERE k = 3")
        .same(
            "SELECT * FROM #",
            "SELECT * FROM # WHERE k = 1",
            "SELECT * FROM # WHERE k = 2",
            "SELECT v FROM # WHERE k IN (1, 2, 3, 4, 5)",
            "SELECT * FROM # WHERE token(k) > -4000000000000000000",
            "SELECT * FROM # WHERE token(k) <= -4000000000000000000",
            "SELECT count(*) FROM #",
            "SELECT * FROM # LIMIT 2")
        .sameOrEmpty(
            "SELECT * FROM # WHERE k = 3",
            "SELECT * FROM # WHERE k = 5",
            "SELECT * FROM # WHERE token(k) > 9223372036854775807",
            "SELECT * FROM # WHERE token(k) >= 9223372036854775807");
  }

  @Test
  void should_answer_alike_when_rows_are_clustered() {
    Twins twins =
        new Twins(
            "CREATE TABLE # (p int, c int, d text, s int STATIC, v int, PRIMARY KEY (p, c, d))",
            "CLUSTERING ORDER BY (c DESC, d ASC)");
    for (int p = 0; p < 3; p++) {
      for (int c = -3; c < 4; c++) {
        for (String d : new String[] {"", "a", "b"}) {
          twins.run(
              "INSERT INTO # (p, c, d, v) VALUES (" + p + ", " + c + ", '" + d + "', " + c + ")");
        }
      }
    }
    twins
        .run(
            "UPDATE # SET s = 7 WHERE p = 1",
            "UPDATE # SET s = 9 WHERE p = 8",
            "DELETE FROM # WHERE p = 1 AND c = 2 AND d = 'a'",
            "DELETE FROM # WHERE p = 2 AND c > 1",
            "DELETE FROM # WHERE p = 2 AND c = -2 AND d >= 'a'")
        .same(
            "SELECT * FROM #",
            "SELECT * FROM # WHERE p = 1",
            "SELECT * FROM # WHERE p = 2 ORDER BY c ASC, d DESC",
            "SELECT * FROM # WHERE p = 1 AND c = 1",
            "SELECT * FROM # WHERE p = 1 AND c >= -1 AND c < 3",
            "SELECT * FROM # WHERE p = 1 AND c > -2 ORDER BY c ASC",
            "SELECT * FROM # WHERE p = 1 AND c IN (3, -3) AND d IN ('', 'b')",
            "SELECT * FROM # WHERE p = 1 AND (c, d) > (0, 'a')",
            "SELECT * FROM # WHERE p = 1 AND (c, d) IN ((0, 'a'), (2, 'b'))",
            "SELECT DISTINCT p, s FROM #",
            "SELECT * FROM # PER PARTITION LIMIT 2",
            "SELECT * FROM # WHERE p = 1 LIMIT 3",
            "SELECT * FROM # WHERE v = 2 ALLOW FILTERING",
            "SELECT s FROM # WHERE p = 8",
            "SELECT p, c, count(*) FROM # GROUP BY p, c")
        .sameOrEmpty(
            "SELECT * FROM # WHERE p = 2 AND c = 2",
            "SELECT * FROM # WHERE token(p) > 9223372036854775807")
        .run("DELETE FROM # WHERE p = 1", "INSERT INTO # (p, c, d, v) VALUES (1, 1, 'z', 1)")
        .same("SELECT * FROM #", "SELECT * FROM # WHERE p = 1")
        .run("DELETE s FROM # WHERE p = 8")
        .sameOrEmpty("SELECT * FROM # WHERE p = 8");
  }

  @Test
  void should_answer_alike_when_ranges_are_deleted_over_and_over() {
    Twins twins = new Twins("CREATE TABLE # (p int, c int, d int, v int, PRIMARY KEY (p, c, d))");
    Random random = new Random(7);
    for (int i = 0; i < 400; i++) {
      int from = random.nextInt(12);
      int to = from + random.nextInt(6);
      String using = " USING TIMESTAMP " + (1 + random.nextInt(50));
      switch (random.nextInt(4)) {
        case 0:
          twins.run("DELETE FROM #" + using + " WHERE p = 1 AND c >= " + from + " AND c < " + to);
          break;
        case 1:
          twins.run(
              "DELETE FROM #" + using + " WHERE p = 1 AND c = " + from + " AND d > " + (to % 3));
          break;
        default:
          twins.run(
              String.format(
                  "INSERT INTO # (p, c, d, v) VALUES (1, %d, %d, %d)%s", from, to % 5, i, using));
      }
      if (i % 10 == 0) {
        twins.sameOrEmpty(
            "SELECT * FROM # WHERE p = 1",
            "SELECT * FROM # WHERE p = 1 ORDER BY c DESC, d DESC",
            "SELECT * FROM # WHERE p = 1 AND c > " + from + " AND c <= " + to,
            "SELECT * FROM # WHERE p = 1 AND c IN (" + from + ", " + to + ") AND d = 1");
      }
    }
  }

  @Test
  void should_answer_alike_when_columns_hold_collections() {
    new Twins(
            "CREATE TABLE # (k int, c int, m map<text, int>, s set<decimal>, l list<text>, fm"
                + " frozen<map<int, text>>, sm map<int, int> STATIC, PRIMARY KEY (k, c))")
        .run(
            "INSERT INTO # (k, c, m, s, l, fm) VALUES (1, 1, {'a': 1, 'b': 2}, {1.0, 2.5}, ['x',"
                + " 'y'], {1: 'one'})",
            "UPDATE # SET m['c'] = 3, s = s + {1.00, 7}, l = l + ['z'] WHERE k = 1 AND c = 1",
            "UPDATE # SET l = ['w'] + l, sm[4] = 5 WHERE k = 1 AND c = 1",
            "DELETE m['a'] FROM # WHERE k = 1 AND c = 1",
            "UPDATE # SET l[1] = 'changed' WHERE k = 1 AND c = 1",
            "UPDATE # SET s = s - {2.5} WHERE k = 1 AND c = 1",
            "UPDATE # SET m = {'q': 9} WHERE k = 1 AND c = 2",
            "UPDATE # SET m = {} WHERE k = 1 AND c = 2",
            "UPDATE # SET m['r'] = 10 WHERE k = 1 AND c = 2")
        .same("SELECT * FROM #", "SELECT m['c'], m['b'..'c'] FROM # WHERE k = 1 AND c = 1");
  }

  @Test
  void should_answer_alike_when_columns_hold_user_types_tuples_and_vectors() {
    TestNode.start().cql("CREATE TYPE IF NOT EXISTS twin.place (x int, y text)");
    new Twins(
            "CREATE TABLE # (k int PRIMARY KEY, u place, f frozen<place>, t tuple<int, text>, v"
                + " vector<float, 3>, vt vector<text, 2>)")
        .run(
            "INSERT INTO # (k, u, f, t, v, vt) VALUES (1, {x: 1, y: 'a'}, {x: 2}, (1, 'b'), [1,"
                + " 2, 3], ['p', 'q'])",
            "UPDATE # SET u.y = 'changed' WHERE k = 1",
            "UPDATE # SET u.x = null WHERE k = 1",
            "UPDATE # SET u = {x: 5} WHERE k = 2")
        .same("SELECT * FROM #", "SELECT u.y, f.x FROM # WHERE k = 1");
  }

  @Test
  void should_answer_alike_when_counters_count() {
    new Twins("CREATE TABLE # (k int, c text, n counter, s counter STATIC, PRIMARY KEY (k, c))")
        .run(
            "UPDATE # SET n = n + 5 WHERE k = 1 AND c = 'a'",
            "UPDATE # SET n = n - 7 WHERE k = 1 AND c = 'a'",
            "UPDATE # SET n = n + 1, s = s + 2 WHERE k = 1 AND c = 'b'",
            "DELETE n FROM # WHERE k = 1 AND c = 'b'")
        .same("SELECT * FROM #");
  }

  @Test
  void should_answer_alike_when_writes_are_conditional() {
    new Twins("CREATE TABLE # (k int, c int, v int, PRIMARY KEY (k, c))")
        .same(
            "INSERT INTO # (k, c, v) VALUES (1, 1, 1) IF NOT EXISTS",
            "INSERT INTO # (k, c, v) VALUES (1, 1, 2) IF NOT EXISTS",
            "UPDATE # SET v = 3 WHERE k = 1 AND c = 1 IF v = 1",
            "UPDATE # SET v = 4 WHERE k = 1 AND c = 1 IF v = 1",
            "DELETE FROM # WHERE k = 1 AND c = 1 IF v > 10",
            "SELECT * FROM #");
  }

  @Test
  void should_answer_alike_when_batches_are_logged() {
    new Twins("CREATE TABLE # (k int, c int, v int, PRIMARY KEY (k, c))")
        .run(
            "BEGIN BATCH INSERT INTO # (k, c, v) VALUES (1, 1, 1); INSERT INTO # (k, c, v) VALUES"
                + " (2, 1, 1); DELETE FROM # WHERE k = 3; APPLY BATCH",
            "BEGIN BATCH USING TIMESTAMP 5 INSERT INTO # (k, c, v) VALUES (1, 2, 1); DELETE FROM #"
                + " WHERE k = 1 AND c = 2; APPLY BATCH")
        .same("SELECT * FROM #");
  }

  @Test
  void should_resolve_ties_alike_when_timestamps_are_equal() {
    new Twins("CREATE TABLE # (k int PRIMARY KEY, a int, b text)")
        .run(
            "INSERT INTO # (k, a, b) VALUES (1, 1, 'x') USING TIMESTAMP 10",
            "INSERT INTO # (k, a, b) VALUES (1, 2, 'b') USING TIMESTAMP 10",
            "INSERT INTO # (k, a) VALUES (2, 1) USING TIMESTAMP 10",
            "DELETE a FROM # USING TIMESTAMP 10 WHERE k = 2",
            "INSERT INTO # (k, a) VALUES (3, 9) USING TIMESTAMP 10 AND TTL 1000",
            "INSERT INTO # (k, a) VALUES (3, 9) USING TIMESTAMP 10",
            "INSERT INTO # (k, a) VALUES (4, 9) USING TIMESTAMP 10",
            "DELETE FROM # USING TIMESTAMP 10 WHERE k = 4",
            "INSERT INTO # (k, a) VALUES (5, 1) USING TIMESTAMP -9223372036854775807",
            "INSERT INTO # (k, a) VALUES (6, 1) USING TIMESTAMP 9223372036854775807")
        .same("SELECT k, a, b, writetime(a), writetime(b) FROM #");
  }

  @Test
  void should_expire_alike_when_time_passes() throws InterruptedException {
    Twins twins =
        new Twins("CREATE TABLE # (k int, c int, v int, m map<int, int>, PRIMARY KEY (k, c))")
            .run("INSERT INTO # (k, c, v) VALUES (1, 4, 1) USING TTL 630720000");
    // Long enough to be read before it is over, and not.
    for (int ttl : new int[] {86_400, 1}) {
      twins.run(
          "INSERT INTO # (k, c, v) VALUES (" + ttl + ", 1, 1) USING TTL " + ttl,
          "INSERT INTO # (k, c, v) VALUES (" + ttl + ", 2, 1)",
          "UPDATE # USING TTL " + ttl + " SET v = 2, m[1] = 2 WHERE k = " + ttl + " AND c = 2",
          "UPDATE # USING TTL " + ttl + " SET v = 2 WHERE k = " + ttl + " AND c = 3");
    }
    twins.same("SELECT * FROM # WHERE k = 86400", "SELECT c, v FROM # WHERE k = 86400");
    Thread.sleep(2_100);
    twins.same("SELECT * FROM #", "SELECT c, v FROM #", "SELECT * FROM # WHERE k = 1 AND c = 4");
  }

  @Test
  void should_answer_alike_when_storage_is_compact_and_a_partition_is_one_row() {
    new Twins("CREATE TABLE # (k int PRIMARY KEY, v text, w int)", "COMPACT STORAGE")
        .run(
            "INSERT INTO # (k, v, w) VALUES (1, 'one', 1)",
            "INSERT INTO # (k, v) VALUES (2, 'two')",
            "INSERT INTO # (k, v) VALUES (3, '')",
            "INSERT INTO # (k, v, w) VALUES (4, 'four', 4)",
            "DELETE v FROM # WHERE k = 2",
            "DELETE w FROM # WHERE k = 1",
            "DELETE FROM # WHERE k = 4")
        .same(
            "SELECT * FROM #",
            "SELECT * FROM # WHERE k = 1",
            "SELECT DISTINCT k FROM #",
            "SELECT count(*) FROM #")
        .sameOrEmpty(
            "SELECT * FROM # WHERE k = 2",
            "SELECT w FROM # WHERE k IN (1, 2, 3)",
            "SELECT v FROM # WHERE k = 4");
  }

  @Test
  void should_answer_alike_when_storage_is_compact_and_rows_are_clustered() {
    new Twins(
            "CREATE TABLE # (k int, c text, d int, v int, PRIMARY KEY (k, c, d))",
            "COMPACT STORAGE")
        .run(
            "INSERT INTO # (k, c, d, v) VALUES (1, 'a', 1, 1)",
            "INSERT INTO # (k, c, d, v) VALUES (1, 'a', -1, 2)",
            // Without a value for d, which is null then.
            "INSERT INTO # (k, c, v) VALUES (1, 'a', 3)",
            "INSERT INTO # (k, c, v) VALUES (1, 'b', 4)",
            "INSERT INTO # (k, c, d, v) VALUES (1, 'b', 5, 5)",
            "DELETE v FROM # WHERE k = 1 AND c = 'b' AND d = 5")
        .same(
            "SELECT * FROM #",
            "SELECT * FROM # WHERE k = 1 ORDER BY c DESC, d DESC",
            "SELECT * FROM # WHERE k = 1 AND c = 'a'",
            "SELECT * FROM # WHERE k = 1 AND c = 'a' AND d > -5",
            "SELECT * FROM # WHERE k = 1 AND c = 'a' AND d IN (1, -1)",
            "SELECT * FROM # WHERE k = 1 AND c > 'a'")
        .run("DELETE FROM # WHERE k = 1 AND c = 'a'")
        .same("SELECT * FROM #");
    new Twins("CREATE TABLE # (k int, c int, PRIMARY KEY (k, c))", "COMPACT STORAGE")
        .run("INSERT INTO # (k, c) VALUES (1, 1)", "INSERT INTO # (k, c) VALUES (1, 2)")
        .run("DELETE FROM # WHERE k = 1 AND c = 1")
        .same("SELECT * FROM #", "SELECT * FROM # WHERE k = 1 AND c = 2");
  }

  @Test
  void should_forget_a_column_when_it_is_dropped_and_added_again() {
    new Twins("CREATE TABLE # (k int PRIMARY KEY, a int, b int, m map<int, int>)")
        .run(
            "INSERT INTO # (k, a, b, m) VALUES (1, 1, 1, {1: 1})",
            "INSERT INTO # (k, a, b) VALUES (2, 2, 2)",
            "ALTER TABLE # DROP a",
            "ALTER TABLE # DROP m",
            "UPDATE # SET b = 3 WHERE k = 1")
        .same("SELECT * FROM #")
        .run(
            "ALTER TABLE # ADD a int",
            "ALTER TABLE # ADD z int",
            "ALTER TABLE # ADD m map<int, int>")
        .same("SELECT * FROM #")
        .run("INSERT INTO # (k, a, z) VALUES (1, 5, 6)", "UPDATE # SET m[7] = 8 WHERE k = 1")
        .same("SELECT * FROM #");
  }
}
