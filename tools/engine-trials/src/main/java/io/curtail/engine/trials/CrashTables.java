/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials;

import java.util.List;

/**
 * What a crash trial writes: numbered operations, one after another in a partition of their own, of
 * which only the last can be unanswered when the node dies. Operation n is, by n modulo 5: five
 * rows in one batch, a column overwritten, a counter counted up, a range of old rows deleted, a row
 * inserted into an indexed table.
 */
final class CrashTables {
  static final String[] TABLES = {"wide", "last", "counted", "indexed"};
  static final int KINDS = 5;
  static final int ROWS = 5;

  /** A deletion takes rows that are older by so many operations. */
  static final int KEPT = 50;

  private CrashTables() {}

  static List<String> creation() {
    return List.of(
        "CREATE KEYSPACE IF NOT EXISTS crash WITH replication = {'class': 'SimpleStrategy',"
            + " 'replication_factor': 1}",
        "CREATE TABLE IF NOT EXISTS crash.wide (p int, n int, i int, v int, s int STATIC, m"
            + " map<int, int>, PRIMARY KEY (p, n, i)) WITH memtable = 'rocksdb'",
        "CREATE TABLE IF NOT EXISTS crash.last (p int PRIMARY KEY, v int) WITH memtable ="
            + " 'rocksdb'",
        "CREATE TABLE IF NOT EXISTS crash.counted (p int PRIMARY KEY, v counter) WITH memtable ="
            + " 'rocksdb'",
        "CREATE TABLE IF NOT EXISTS crash.indexed (p int, n int, v int, PRIMARY KEY (p, n)) WITH"
            + " memtable = 'rocksdb'",
        "CREATE INDEX IF NOT EXISTS by_v ON crash.indexed (v) USING 'legacy_local_table'");
  }

  static String operation(int p, int n) {
    return switch (n % KINDS) {
      case 0 -> {
        StringBuilder batch = new StringBuilder("BEGIN UNLOGGED BATCH ");
        for (int i = 0; i < ROWS; i++) {
          batch.append(
              String.format(
                  "INSERT INTO crash.wide (p, n, i, v, s, m) VALUES (%d, %d, %d, %d, %d, {1: %d}); ",
                  p, n, i, n, n, n));
        }
        yield batch.append("APPLY BATCH").toString();
      }
      case 1 -> "UPDATE crash.last SET v = " + n + " WHERE p = " + p;
      case 2 -> "UPDATE crash.counted SET v = v + 1 WHERE p = " + p;
      case 3 -> "DELETE FROM crash.wide WHERE p = " + p + " AND n <= " + (n - KEPT);
      default ->
          String.format(
              "INSERT INTO crash.indexed (p, n, v) VALUES (%d, %d, %d)", p, n, indexed(p, n));
    };
  }

  /** The value by which the index finds a row; no other row has it. */
  static int indexed(int p, int n) {
    return p * 1_000_000 + n;
  }

  /** The last operation of a kind up to and with the given one; below zero if there is none. */
  static int lastOfKind(int kind, int upTo) {
    return upTo - Math.floorMod(upTo - kind, KINDS);
  }
}
