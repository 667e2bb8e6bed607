/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.crash;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a crash trial writes: numbered operations, one after another in a partition of their own, of
 * which only the last can be unanswered when the node dies. Operation n is, by n modulo 5: five
 * rows in one batch, a column overwritten, a counter counted up, a range of old rows deleted, a row
 * inserted into an indexed table.
 */
public final class CrashTables {
  public static final List<String> TABLES = List.of("wide", "last", "counted", "indexed");
  static final int KINDS = 5;
  static final int ROWS = 5;

  /** A deletion takes rows that are older by so many operations. */
  static final int KEPT = 50;

  /** Makes the index {@code by_v} of {@code crash.indexed} if it is not there yet. */
  public static final String CREATE_INDEX =
      "CREATE INDEX IF NOT EXISTS by_v ON crash.indexed (v) USING 'legacy_local_table'";

  private CrashTables() {}

  /**
   * The statements that make the tables where they are not there yet.
   *
   * @param replicas of each row
   */
  public static List<String> creation(int replicas) {
    return List.of(
        "CREATE KEYSPACE IF NOT EXISTS crash WITH replication = {'class': 'SimpleStrategy',"
            + " 'replication_factor': "
            + replicas
            + "}",
        "CREATE TABLE IF NOT EXISTS crash.wide (p int, n int, i int, v int, s int STATIC, m"
            + " map<int, int>, PRIMARY KEY (p, n, i)) WITH memtable = 'rocksdb'",
        "CREATE TABLE IF NOT EXISTS crash.last (p int PRIMARY KEY, v int) WITH memtable ="
            + " 'rocksdb'",
        "CREATE TABLE IF NOT EXISTS crash.counted (p int PRIMARY KEY, v counter) WITH memtable ="
            + " 'rocksdb'",
        "CREATE TABLE IF NOT EXISTS crash.indexed (p int, n int, v int, PRIMARY KEY (p, n)) WITH"
            + " memtable = 'rocksdb'",
        CREATE_INDEX);
  }

  /**
   * What an operation runs.
   *
   * @param statement with a marker for each value
   * @param values numbers, and maps of numbers
   */
  public record Operation(String statement, List<Object> values) {
    /** The statement with its values. */
    public String text() {
      String text = statement;
      for (Object value : values) {
        text = text.replaceFirst("\\?", value.toString().replace("=", ": "));
      }
      return text;
    }
  }

  /** The operation of this number in a partition. */
  public static Operation operation(int p, int n) {
    return switch (n % KINDS) {
      case 0 ->
          new Operation(
              "BEGIN UNLOGGED BATCH "
                  + "INSERT INTO crash.wide (p, n, i, v, s, m) VALUES (?, ?, ?, ?, ?, ?); "
                      .repeat(ROWS)
                  + "APPLY BATCH",
              IntStream.range(0, ROWS)
                  .boxed()
                  .flatMap(i -> Stream.<Object>of(p, n, i, n, n, Map.of(1, n)))
                  .toList());
      case 1 -> new Operation("UPDATE crash.last SET v = ? WHERE p = ?", List.of(n, p));
      case 2 -> new Operation("UPDATE crash.counted SET v = v + 1 WHERE p = ?", List.of(p));
      case 3 ->
          new Operation("DELETE FROM crash.wide WHERE p = ? AND n <= ?", List.of(p, n - KEPT));
      default ->
          new Operation(
              "INSERT INTO crash.indexed (p, n, v) VALUES (?, ?, ?)", List.of(p, n, indexed(p, n)));
    };
  }

  /** Whether an operation that was not answered may not be done twice. */
  public static boolean counts(int n) {
    return n % KINDS == 2;
  }

  /** The value by which the index finds a row; no other row has it. */
  public static int indexed(int p, int n) {
    return p * 1_000_000 + n;
  }

  /** The last operation of a kind up to and with the given one; below zero if there is none. */
  static int lastOfKind(int kind, int upTo) {
    return upTo - Math.floorMod(upTo - kind, KINDS);
  }
}
