/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What is stored, read and written. Values are random letters and digits, which LZ4 leaves alone.
 */
public enum LabTable {
  /** What the lab reads and writes unless the table itself is the question. */
  ROWS(
      "rows of 256 bytes, one a partition",
      "key text PRIMARY KEY, value blob",
      "SELECT value FROM %s WHERE key = ?",
      "INSERT INTO %s (key, value) VALUES (?, ?)",
      1,
      256),

  /** NDBench's table, with rows of about 6 KB as in the article on Rocksandra. */
  EMP(
      "rows of 6 KB, one a partition",
      "emp_uname text PRIMARY KEY, emp_first text, emp_last text, emp_dept text",
      "SELECT * FROM %s WHERE emp_uname = ?",
      "INSERT INTO %s (emp_uname, emp_first, emp_last, emp_dept) VALUES (?, ?, ?, ?)",
      3,
      2_000),

  /** Small rows, fifty a partition, each read by its whole key. */
  SMALL(
      "rows of 100 bytes, fifty a partition",
      "device bigint, minute int, reading text, PRIMARY KEY (device, minute)",
      "SELECT reading FROM %s WHERE device = ? AND minute = ?",
      "INSERT INTO %s (device, minute, reading) VALUES (?, ?, ?)",
      1,
      100) {
    @Override
    int bindKey(ByteBuffer[] values, long row) {
      values[0] = ByteBuffer.allocate(Long.BYTES).putLong(0, row / ROWS_A_PARTITION);
      values[1] = ByteBuffer.allocate(Integer.BYTES).putInt(0, (int) (row % ROWS_A_PARTITION));
      return 2;
    }
  };

  /** Of all tables. */
  public static final String KEYSPACE = "curtail_lab";

  private static final int ROWS_A_PARTITION = 50;
  private static final int DIFFERENT_VALUES = 2_048;

  private final String description;
  private final String columns;
  private final String read;
  private final String write;
  private final int values;
  private final int valueBytes;

  LabTable(
      String description, String columns, String read, String write, int values, int valueBytes) {
    this.description = description;
    this.columns = columns;
    this.read = read;
    this.write = write;
    this.values = values;
    this.valueBytes = valueBytes;
  }

  /** Sets the values of the primary key of a row and returns how many there are. */
  int bindKey(ByteBuffer[] values, long row) {
    values[0] = ByteBuffer.wrap(("user" + row).getBytes(StandardCharsets.UTF_8));
    return 1;
  }

  /** The partition key of a row as it is stored, for tables whose key is one column. */
  public ByteBuffer partitionKey(long row) {
    ByteBuffer[] values = new ByteBuffer[2];
    bindKey(values, row);
    return values[0];
  }

  /** For a reader. */
  public String description() {
    return description;
  }

  /** What a user stores with one row, keys aside. */
  public int rowBytes() {
    return values * valueBytes;
  }

  /** Without the keyspace. */
  public String tableName() {
    return name().toLowerCase(Locale.ROOT);
  }

  String qualifiedName() {
    return KEYSPACE + "." + tableName();
  }

  /** With Cassandra's own options, or on a memtable of the node's configuration. */
  String creation(Optional<String> memtable) {
    return "CREATE TABLE IF NOT EXISTS "
        + qualifiedName()
        + " ("
        + columns
        + ")"
        + memtable
            .map(
                name ->
                    " WITH memtable = '"
                        + name
                        + "' AND compaction = {'class': 'UnifiedCompactionStrategy'}")
            .orElse("");
  }

  Statements prepare(CqlSession session) {
    return new Statements(this, session);
  }

  /**
   * The table that a user named.
   *
   * @throws IllegalArgumentException for any other name
   */
  public static LabTable named(String name) {
    for (LabTable table : values()) {
      if (table.tableName().equals(name.toLowerCase(Locale.ROOT))) {
        return table;
      }
    }
    throw new IllegalArgumentException("table: rows, emp or small, not \"" + name + "\"");
  }

  /** Reads and writes of a session. Used by one thread at a time. */
  static final class Statements {
    private final LabTable table;
    private final PreparedStatement read;
    private final PreparedStatement write;
    private final ByteBuffer[] pool;

    private Statements(LabTable table, CqlSession session) {
      this.table = table;
      read = session.prepare(String.format(table.read, table.qualifiedName()));
      write = session.prepare(String.format(table.write, table.qualifiedName()));
      pool = new ByteBuffer[DIFFERENT_VALUES];
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < pool.length; i++) {
        pool[i] = ByteBuffer.wrap(text(random, table.valueBytes));
      }
    }

    private static byte[] text(SplittableRandom random, int length) {
      byte[] text = new byte[length];
      for (int i = 0; i < length; i++) {
        text[i] = (byte) Character.forDigit(random.nextInt(36), 36);
      }
      return text;
    }

    BoundStatement read(long row) {
      ByteBuffer[] values = new ByteBuffer[2];
      return bind(read, values, table.bindKey(values, row));
    }

    BoundStatement write(long row, long valueSeed) {
      SplittableRandom random = new SplittableRandom(valueSeed);
      ByteBuffer[] values = new ByteBuffer[2 + table.values];
      int size = table.bindKey(values, row);
      for (int i = 0; i < table.values; i++) {
        values[size++] = pool[random.nextInt(pool.length)];
      }
      return bind(write, values, size);
    }

    private static BoundStatement bind(PreparedStatement statement, ByteBuffer[] values, int size) {
      BoundStatement bound = statement.bind();
      for (int i = 0; i < size; i++) {
        bound = bound.setBytesUnsafe(i, values[i].duplicate());
      }
      return bound;
    }
  }
}
