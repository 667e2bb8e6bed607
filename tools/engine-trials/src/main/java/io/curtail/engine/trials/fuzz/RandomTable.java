/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

/** A random table, as it is now: columns come and go. */
final class RandomTable {
  private static final int PARTITION_VALUES = 2;
  private static final int VALUES = 4;

  /** What a column is for. */
  enum Kind {
    PARTITION,
    CLUSTERING,
    STATIC,
    REGULAR
  }

  /**
   * A column and the literals that it will hold.
   *
   * @param values few, so that writes meet
   */
  record Column(String name, CqlType type, Kind kind, boolean descending, List<String> values) {
    String value(Random random) {
      return values.get(random.nextInt(values.size()));
    }

    /** As {@code CREATE TABLE} and {@code ALTER TABLE} have it. */
    String definition() {
      return name + " " + type.cql() + (kind == Kind.STATIC ? " STATIC" : "");
    }
  }

  final boolean isCounter;

  /** Whether deletions are forgotten while the script runs; timestamps then only grow. */
  final boolean forgets;

  /**
   * Whether columns may be dropped. Stock Cassandra fails to read a multi-cell column that was
   * dropped before its timestamps, so such a table has none in the future.
   */
  final boolean dropsColumns;

  /** Whether there are lightweight transactions, whose timestamps are the node's own. */
  final boolean hasTransactions;

  /** Whether writes may have a time to live. */
  final boolean writesExpire;

  final int defaultTimeToLive;

  /** Whether it is a table of before CQL, of which no column comes or goes and none has parts. */
  final boolean isCompact;

  /** What an index is on; null if there is none. */
  private final RandomIndex index;

  private final Random random;
  private final CqlTypes types;
  private final List<Column> columns = new ArrayList<>();
  private final List<Column> dropped = new ArrayList<>();
  private final List<CqlType> userTypes = new ArrayList<>();
  private int named;

  RandomTable(Random random) {
    this.random = random;
    types = new CqlTypes(random);
    isCounter = random.nextInt(12) == 0;
    forgets = random.nextInt(3) == 0;
    dropsColumns = random.nextBoolean();
    hasTransactions = !isCounter && random.nextInt(4) == 0;
    defaultTimeToLive = !isCounter && random.nextInt(10) == 0 ? 100 : 0;
    writesExpire = !isCounter && random.nextInt(3) > 0;
    isCompact = !isCounter && random.nextInt(12) == 0;
    add(Kind.PARTITION, 1 + (random.nextInt(4) == 0 ? 1 : 0));
    int clusterings = List.of(0, 1, 1, 2, 2, 3).get(random.nextInt(6));
    add(Kind.CLUSTERING, clusterings);
    if (clusterings > 0 && !isCompact && random.nextInt(2) == 0) {
      add(Kind.STATIC, 1 + random.nextInt(2));
    }
    add(Kind.REGULAR, regulars(clusterings));
    boolean isPlain = isCounter || isCompact || random.nextInt(8) > 0;
    index = isPlain ? null : RandomIndex.any(random, columns);
  }

  /** How many regular columns it begins with: Cassandra takes no others of a compact table. */
  private int regulars(int clusterings) {
    if (isCompact) {
      return clusterings > 0 ? random.nextInt(2) : 1 + random.nextInt(3);
    }
    return isCounter ? 1 + random.nextInt(2) : random.nextInt(6);
  }

  private void add(Kind kind, int count) {
    for (int i = 0; i < count; i++) {
      addColumn(kind);
    }
  }

  /** Whether anything expires in it. */
  boolean expires() {
    return writesExpire || defaultTimeToLive > 0;
  }

  /** Adds a new column and returns it. */
  Column addColumn(Kind kind) {
    CqlType type = type(kind);
    List<String> values = new ArrayList<>();
    for (int i = 0; i < (kind == Kind.PARTITION ? PARTITION_VALUES : VALUES); i++) {
      values.add(type.literal(random));
    }
    boolean descending = kind == Kind.CLUSTERING && random.nextBoolean();
    String prefix = kind.name().substring(0, 1).toLowerCase(Locale.ROOT);
    Column column = new Column(prefix + named++, type, kind, descending, values);
    columns.add(column);
    return column;
  }

  private CqlType type(Kind kind) {
    if (kind == Kind.PARTITION || kind == Kind.CLUSTERING) {
      return types.key();
    }
    if (isCounter) {
      return new CqlType("counter", CqlType.Form.SINGLE, false, List.of(), any -> "1");
    }
    if (isCompact || random.nextInt(3) > 0) {
      return types.single();
    }
    CqlType type = types.multiCell("@_u" + userTypes.size());
    if (type.form() == CqlType.Form.USER) {
      userTypes.add(type);
    }
    return type;
  }

  void drop(Column column) {
    columns.remove(column);
    dropped.add(column);
  }

  void addAgain(Column column) {
    dropped.remove(column);
    columns.add(column);
  }

  void rename(Column column, String name) {
    columns.replaceAll(
        kept ->
            kept.equals(column)
                ? new Column(name, kept.type(), kept.kind(), kept.descending(), kept.values())
                : kept);
  }

  String newName() {
    return "n" + named++;
  }

  List<Column> dropped() {
    return dropped;
  }

  /** By kind, in the order of the kinds. */
  List<Column> of(Kind... kinds) {
    return Arrays.stream(kinds)
        .flatMap(kind -> columns.stream().filter(column -> column.kind() == kind))
        .toList();
  }

  /** The index that it has; null if it has none. */
  RandomIndex index() {
    return index;
  }

  /** Whether a column is what the index is on, so that it cannot be dropped. */
  boolean isIndexed(Column column) {
    return index != null && index.column().equals(column);
  }

  /** How many user types the table has used so far. */
  int userTypes() {
    return userTypes.size();
  }

  String createType(int number) {
    CqlType type = userTypes.get(number);
    return "CREATE TYPE fuzz." + type.cql() + " (" + CqlTypes.fields(type) + ")";
  }

  /** {@code CREATE TABLE #}, with more options to follow an {@code AND}. */
  String create() {
    String definitions = columns.stream().map(Column::definition).collect(Collectors.joining(", "));
    String key = "(" + names(of(Kind.PARTITION)) + ")";
    if (!of(Kind.CLUSTERING).isEmpty()) {
      key += ", " + names(of(Kind.CLUSTERING));
    }
    String order =
        of(Kind.CLUSTERING).stream()
            .map(column -> column.name() + (column.descending() ? " DESC" : " ASC"))
            .collect(Collectors.joining(", "));
    return "CREATE TABLE # ("
        + definitions
        + ", PRIMARY KEY ("
        + key
        + ")) WITH memtable = '%'"
        + (isCompact ? " AND COMPACT STORAGE" : "")
        + (order.isEmpty() ? "" : " AND CLUSTERING ORDER BY (" + order + ")")
        + " AND gc_grace_seconds = "
        + (forgets ? List.of(0, 60, 100_000).get(random.nextInt(3)) : 600_000_000)
        + (defaultTimeToLive > 0 ? " AND default_time_to_live = " + defaultTimeToLive : "")
        + " AND compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}";
  }

  /** In a list of CQL. */
  static String names(List<Column> columns) {
    return columns.stream().map(Column::name).collect(Collectors.joining(", "));
  }
}
