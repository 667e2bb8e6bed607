/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a request asks of a table, on the stock memtable or on RocksDB, and how much more than on
 * stock it may cost.
 */
public enum TableCase {
  SMALL(2.2, 1.0, "row of 100 B by key", TestTable.SMALL, "SELECT * FROM # WHERE k = ?"),
  LARGE(1.75, 1.1, "row of 6 KB by key", TestTable.LARGE, "SELECT * FROM # WHERE k = ?"),
  ROW(2.0, 0.95, "row of 50", TestTable.CLUSTERED, "SELECT * FROM # WHERE p = ? AND c = ?"),
  EXPIRING(2.0, 0.95, "row of 50, TTL and nulls", TestTable.EXPIRING, ROW.statement),
  STATIC(2.2, 0.95, "row of 50, static column", TestTable.STATIC, ROW.statement),
  STATIC_NOT_ASKED(
      1.55,
      0.95,
      "row of 50, static column not asked",
      TestTable.STATIC,
      "SELECT v FROM # WHERE p = ? AND c = ?"),
  DELETED(1.9, 0.75, "row of 50, deletions", TestTable.DELETED, ROW.statement),
  DELETED_ONCE(1.85, 0.95, "row of 50, 1 deletion in 400", TestTable.DELETED_ONCE, ROW.statement),
  PARTITION(1.75, 1.4, "partition of 50 rows", TestTable.CLUSTERED, "SELECT * FROM # WHERE p = ?"),
  FIRST(2.6, 1.1, "LIMIT 1 of 50 rows", TestTable.CLUSTERED, "SELECT * FROM # WHERE p = ? LIMIT 1"),
  FIRST_STATIC(2.55, 1.1, "LIMIT 1, static column", TestTable.STATIC, FIRST.statement),
  SCAN(1.1, 1.0, "scan, 20,000 rows by key", TestTable.SMALL, "SELECT * FROM #"),
  CLUSTERED_SCAN(1.7, 1.45, "scan, 400 x 50 rows", TestTable.CLUSTERED, "SELECT * FROM #"),
  INSERT(2.9, 1.1, "insert of 100 B", TestTable.INSERTED, "INSERT INTO # (k, v) VALUES (?, ?)"),
  ROW_INSERT(
      2.8,
      1.1,
      "insert of a row of 50",
      TestTable.INSERTED_ROWS,
      "INSERT INTO # (p, c, v) VALUES (?, ?, ?)"),
  HALF(
      2.0,
      1.1,
      "half update of 6 KB",
      TestTable.UPDATED,
      "UPDATE # SET v0 = ?, v1 = ?, v2 = ? WHERE k = ?"),
  UPDATED(1.9, 0.6, "row of 6 KB, half updated", TestTable.HALF_UPDATED, LARGE.statement),
  FULL(
      1.85,
      1.1,
      "full update of 6 KB",
      TestTable.OVERWRITTEN,
      "INSERT INTO # (k, v0, v1, v2, v3, v4, v5) VALUES (?, ?, ?, ?, ?, ?, ?)"),
  COUNTER(2.2, 0.8, "counter", TestTable.COUNTER, "UPDATE # SET n = n + 1 WHERE k = ?");

  /** Budgets of rows and partitions that RocksDB is not asked for, as they are kept. */
  private static final Map<TableCase, Double> KEPT =
      Map.of(
          SMALL, 1.1,
          LARGE, 1.1,
          ROW, 0.8,
          EXPIRING, 0.85,
          STATIC, 0.85,
          STATIC_NOT_ASKED, 0.85,
          DELETED, 0.65,
          DELETED_ONCE, 1.0,
          PARTITION, 1.0,
          FIRST, 1.2);

  private final double mostCpu;
  private final double mostHeap;
  private final String title;
  private final TestTable table;
  private final String statement;

  /**
   * @param mostCpu budget of its processor time over stock's: what is reached, and a third more
   * @param mostHeap the same of its heap: what is reached, and a seventh more
   */
  TableCase(double mostCpu, double mostHeap, String title, TestTable table, String statement) {
    this.mostCpu = mostCpu;
    this.mostHeap = mostHeap;
    this.title = title;
    this.table = table;
    this.statement = statement;
  }

  /** As a reader of the results knows it. */
  public String title() {
    return title;
  }

  /**
   * The most processor time of a request over stock's.
   *
   * @param isKept whether the engine has a {@code record_cache}
   */
  public double mostCpu(boolean isKept) {
    return isKept ? KEPT.getOrDefault(this, mostCpu) : mostCpu;
  }

  /** The most heap of a request over stock's. */
  public double mostHeap() {
    return mostHeap;
  }

  TestTable table() {
    return table;
  }

  /** The statement on the table of a storage; its markers are named as their columns. */
  String statement(String storage) {
    return statement(table, storage);
  }

  /** The same on another table of the same columns. */
  String statement(TestTable on, String storage) {
    return statement.replace("#", on.name(storage));
  }

  /** Whether its rows are updated, {@link #HALF}, before each turn. */
  boolean isOfUpdatedRows() {
    return this == UPDATED;
  }

  boolean isRead() {
    return statement.startsWith("SELECT");
  }

  /** The tables of a case, filled once. */
  enum TestTable {
    SMALL("k int PRIMARY KEY, v blob", 20_000, 1, 100, "INSERT INTO # (k, v) VALUES (?, ?)"),
    LARGE(LargeRow.COLUMNS, 4_000, 1, LargeRow.VALUE, LargeRow.INSERT),
    CLUSTERED(
        "p int, c int, v blob, PRIMARY KEY (p, c)",
        400,
        50,
        100,
        "INSERT INTO # (p, c, v) VALUES (?, ?, ?)"),
    EXPIRING(
        "p int, c int, v blob, w int, PRIMARY KEY (p, c)",
        400,
        50,
        100,
        "INSERT INTO # (p, c, v, w) VALUES (?, ?, ?, null) USING TTL 8640000"),
    STATIC(
        "p int, c int, v blob, s int static, PRIMARY KEY (p, c)",
        400,
        50,
        100,
        "INSERT INTO # (p, c, v, s) VALUES (?, ?, ?, 1)"),
    DELETED(
        CLUSTERED.columns,
        400,
        50,
        100,
        CLUSTERED.statements,
        "DELETE FROM # WHERE p = ? AND c = 7",
        "DELETE FROM # USING TIMESTAMP 1 WHERE p = ?"),
    DELETED_ONCE(
        CLUSTERED.columns,
        400,
        50,
        100,
        CLUSTERED.statements,
        "DELETE FROM # USING TIMESTAMP 1 WHERE p = 7"),
    INSERTED(SMALL.columns, Integer.MAX_VALUE, 0, 100),
    INSERTED_ROWS(CLUSTERED.columns, Integer.MAX_VALUE / 50, 0, 100),
    UPDATED(LARGE.columns, 4_000, 1, LargeRow.VALUE, LargeRow.INSERT, LargeRow.HALF),
    /** Of it all rows are updated before each turn, too. */
    HALF_UPDATED(LARGE.columns, 4_000, 1, LargeRow.VALUE, LargeRow.INSERT, LargeRow.HALF),
    OVERWRITTEN(LARGE.columns, 4_000, 1, LargeRow.VALUE, LargeRow.INSERT),
    COUNTER("k int PRIMARY KEY, n counter", 4_000, 1, 0, "UPDATE # SET n = n + 1 WHERE k = ?");

    final String columns;
    final int partitions;

    /** Of a partition; none if the table starts empty. */
    final int rows;

    final int valueBytes;
    private final String statements;

    /**
     * @param statements that fill it: the first for each row, before the table is compacted; the
     *     others after it, for each partition, or once if they name one
     */
    TestTable(String columns, int partitions, int rows, int valueBytes, String... statements) {
      this.columns = columns;
      this.partitions = partitions;
      this.rows = rows;
      this.valueBytes = valueBytes;
      this.statements = String.join(";", statements);
    }

    List<String> statements() {
      return statements.isEmpty() ? List.of() : List.of(statements.split(";", -1));
    }

    String name(String storage) {
      return "bench." + name().toLowerCase(Locale.ROOT) + "_" + storage;
    }
  }

  private static final class LargeRow {
    static final int VALUE = 1_000;
    static final String COLUMNS =
        "k int PRIMARY KEY, v0 blob, v1 blob, v2 blob, v3 blob, v4 blob, v5 blob";
    static final String INSERT =
        "INSERT INTO # (k, v0, v1, v2, v3, v4, v5) VALUES (?, ?, ?, ?, ?, ?, ?)";
    static final String HALF = "UPDATE # SET v0 = ?, v1 = ?, v2 = ? WHERE k = ?";
  }
}
