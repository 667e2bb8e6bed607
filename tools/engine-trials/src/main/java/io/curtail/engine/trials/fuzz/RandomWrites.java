/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import io.curtail.engine.trials.fuzz.RandomTable.Column;
import io.curtail.engine.trials.fuzz.RandomTable.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random statements that write to a {@link RandomTable}, named {@code #} in them. */
final class RandomWrites {
  private static final List<Integer> TIMES_TO_LIVE = List.of(1, 5, 100, 10_000, 500_000_000);
  private static final int MOST_IN_BATCH = 5;

  private static final int CHANCE_OF_DELETIONS = 60;

  private final Random random;
  private final RandomTable table;
  private final RandomConditions conditions;

  private int latest = 1_000;

  /**
   * Whether a counter table now only has deletions. What a counter is that is counted up after it
   * was deleted depends on what Cassandra flushed in between.
   */
  private boolean isDeleting;

  RandomWrites(Random random, RandomTable table) {
    this.random = random;
    this.table = table;
    conditions = new RandomConditions(random, table);
  }

  /** One statement or batch. */
  String next() {
    if (table.isCounter) {
      isDeleting |= random.nextInt(CHANCE_OF_DELETIONS) == 0;
      return isDeleting ? delete("") : count();
    }
    int choice = random.nextInt(20);
    if (choice < 2) {
      return batch();
    }
    if (table.hasTransactions && choice < 5) {
      return conditional();
    }
    return single(timestamp());
  }

  private String single(String timestamp) {
    int choice = random.nextInt(10);
    if (choice < 4) {
      return insert(timestamp);
    }
    if (choice < 8) {
      String update = update(timestamp);
      return update != null ? update : insert(timestamp);
    }
    return delete(timestamp);
  }

  /** A timestamp from few: {@code $n} is n microseconds from a moment that only grows. */
  private String timestamp() {
    int choice = random.nextInt(10);
    if (choice < 3) {
      return table.hasTransactions ? "" : "$" + latest++;
    }
    if (choice == 3 && !table.forgets) {
      String future = table.dropsColumns ? "2" : "9000000000000000000";
      return List.of("0", "1", "-1", oldest(), future, "5", "6").get(random.nextInt(7));
    }
    return "$" + random.nextInt(12);
  }

  /**
   * Cassandra deletes what a collection was at one less than the statement's timestamp, and one
   * less than the least is its sign for no deletion: stock then shows an empty collection or null,
   * as another column of the row was deleted or not.
   */
  private String oldest() {
    boolean hasMultiCell =
        table.of(Kind.STATIC, Kind.REGULAR).stream()
            .anyMatch(column -> column.type().isMultiCell());
    return hasMultiCell ? "-9223372036854775806" : "-9223372036854775807";
  }

  private String using(String timestamp, boolean mayExpire) {
    List<String> using = new ArrayList<>();
    if (!timestamp.isEmpty()) {
      using.add("TIMESTAMP " + timestamp);
    }
    if (mayExpire && table.writesExpire && random.nextInt(4) == 0) {
      using.add("TTL " + TIMES_TO_LIVE.get(random.nextInt(TIMES_TO_LIVE.size())));
    }
    return using.isEmpty() ? "" : " USING " + String.join(" AND ", using);
  }

  private String insert(String timestamp) {
    boolean onlyStatic = !table.of(Kind.STATIC).isEmpty() && random.nextInt(8) == 0;
    List<Column> written = new ArrayList<>(table.of(Kind.PARTITION));
    if (!onlyStatic) {
      written.addAll(clustering());
      table.of(Kind.REGULAR).stream().filter(c -> random.nextInt(3) > 0).forEach(written::add);
    }
    table.of(Kind.STATIC).stream().filter(c -> random.nextInt(3) == 0).forEach(written::add);
    List<String> values = new ArrayList<>();
    for (Column column : written) {
      boolean isKey = column.kind() == Kind.PARTITION || column.kind() == Kind.CLUSTERING;
      values.add(!isKey && random.nextInt(20) == 0 ? "null" : column.value(random));
    }
    return "INSERT INTO # (%s) VALUES (%s)"
            .formatted(RandomTable.names(written), String.join(", ", values))
        + using(timestamp, true);
  }

  /** All of it; of a compact table the last ones may be missing, which are null then. */
  private List<Column> clustering() {
    List<Column> all = table.of(Kind.CLUSTERING);
    return table.isCompact && all.size() > 1 && random.nextInt(6) == 0
        ? all.subList(0, 1 + random.nextInt(all.size() - 1))
        : all;
  }

  /** An update; null if the table has nothing to set. */
  private String update(String timestamp) {
    boolean onlyStatic = onlyStatic(6);
    List<Column> candidates = table.of(onlyStatic ? Kind.STATIC : Kind.REGULAR);
    if (candidates.isEmpty()) {
      return null;
    }
    List<String> assignments = new ArrayList<>();
    for (Column column : candidates) {
      if (random.nextInt(2) == 0) {
        assignments.add(assignment(column));
      }
    }
    if (assignments.isEmpty()) {
      assignments.add(assignment(candidates.get(random.nextInt(candidates.size()))));
    }
    String set = using(timestamp, true) + " SET " + String.join(", ", assignments);
    return "UPDATE #" + set + " WHERE " + where(onlyStatic);
  }

  private String assignment(Column column) {
    String name = column.name();
    if (random.nextInt(12) == 0) {
      return name + " = null";
    }
    List<CqlType> parts = column.type().parts();
    return switch (column.type().form()) {
      case LIST -> listAssignment(column, parts.get(0));
      case SET ->
          List.of(
                  name + " = " + column.value(random),
                  name + " = " + name + " + " + column.value(random),
                  name + " = " + name + " - " + column.value(random))
              .get(random.nextInt(3));
      case MAP -> {
        String key = parts.get(0).literal(random);
        yield List.of(
                name + " = " + column.value(random),
                name + " = " + name + " + " + column.value(random),
                name + " = " + name + " - {" + key + "}",
                name + "[" + key + "] = " + parts.get(1).literal(random),
                name + "[" + key + "] = null")
            .get(random.nextInt(5));
      }
      case USER -> {
        int field = random.nextInt(parts.size());
        String value = random.nextInt(4) == 0 ? "null" : parts.get(field).literal(random);
        yield random.nextBoolean()
            ? name + " = " + column.value(random)
            : name + ".f" + field + " = " + value;
      }
      case SINGLE -> name + " = " + column.value(random);
    };
  }

  private String listAssignment(Column column, CqlType element) {
    String name = column.name();
    return List.of(
            name + " = " + column.value(random),
            name + " = " + name + " + " + column.value(random),
            name + " = " + column.value(random) + " + " + name,
            name + " = " + name + " - " + column.value(random),
            name + "[" + random.nextInt(3) + "] = " + element.literal(random),
            name + "[0] = null")
        .get(random.nextInt(6));
  }

  private String delete(String timestamp) {
    // Stock Cassandra 5.0 writes data files that it cannot read if a partition's deletion is older
    // than 1970.
    String using = using(timestamp.startsWith("-") ? "0" : timestamp, false);
    return switch (random.nextInt(5)) {
      case 0 -> "DELETE FROM #" + using + " WHERE " + conditions.partitions();
      case 1 -> "DELETE FROM #" + using + " WHERE " + conditions.row();
      case 2 -> {
        List<Column> statics = table.of(Kind.STATIC);
        boolean isStatic = !statics.isEmpty() && random.nextInt(3) == 0;
        List<Column> columns = isStatic ? statics : table.of(Kind.REGULAR);
        if (columns.isEmpty()) {
          yield deleteRange(using);
        }
        Column column = columns.get(random.nextInt(columns.size()));
        String what = "DELETE " + deleted(column) + " FROM #" + using + " WHERE ";
        yield what + where(isStatic);
      }
      default -> deleteRange(using);
    };
  }

  private String deleteRange(String using) {
    boolean isClustered = !table.of(Kind.CLUSTERING).isEmpty();
    return "DELETE FROM #"
        + using
        + " WHERE "
        + (isClustered ? conditions.range() : conditions.partitions());
  }

  private String deleted(Column column) {
    if (random.nextInt(3) == 0) {
      return column.name();
    }
    List<CqlType> parts = column.type().parts();
    return column.name()
        + switch (column.type().form()) {
          case LIST -> "[0]";
          case SET, MAP -> "[" + parts.get(0).literal(random) + "]";
          case USER -> ".f" + random.nextInt(parts.size());
          case SINGLE -> "";
        };
  }

  private String batch() {
    boolean together = random.nextBoolean();
    String any = together ? timestamp() : "";
    String timestamp = any.startsWith("-") ? "0" : any;
    List<String> statements = new ArrayList<>();
    for (int i = 1 + random.nextInt(MOST_IN_BATCH); i > 0; i--) {
      statements.add(single(together ? "" : timestamp()));
    }
    String unlogged = random.nextInt(3) == 0 ? "" : "UNLOGGED ";
    String using = timestamp.isEmpty() ? "" : " USING TIMESTAMP " + timestamp;
    return "BEGIN "
        + unlogged
        + "BATCH"
        + using
        + " "
        + String.join("; ", statements)
        + "; APPLY BATCH";
  }

  private String insertIfAbsent() {
    String insert = insert("");
    int using = insert.indexOf(" USING ");
    return (using < 0 ? insert : insert.substring(0, using)) + " IF NOT EXISTS";
  }

  private String conditional() {
    List<Column> simple =
        table.of(Kind.REGULAR).stream().filter(column -> !column.type().isMultiCell()).toList();
    return switch (random.nextInt(4)) {
      case 0 -> insertIfAbsent();
      case 1 -> "DELETE FROM # WHERE " + conditions.row() + " IF EXISTS";
      default -> {
        String update = simple.isEmpty() ? null : update("");
        if (update == null) {
          yield insertIfAbsent();
        }
        Column column = simple.get(random.nextInt(simple.size()));
        String compared = random.nextInt(4) == 0 ? "null" : column.value(random);
        yield update
            + " IF "
            + (random.nextInt(3) == 0 ? "EXISTS" : column.name() + " = " + compared);
      }
    };
  }

  private String count() {
    boolean onlyStatic = onlyStatic(4);
    List<Column> columns = table.of(onlyStatic ? Kind.STATIC : Kind.REGULAR);
    Column column = columns.get(random.nextInt(columns.size()));
    String sign = random.nextBoolean() ? "+" : "-";
    return "UPDATE # SET %1$s = %1$s %2$s %3$d WHERE "
            .formatted(column.name(), sign, random.nextInt(100))
        + where(onlyStatic);
  }

  private boolean onlyStatic(int chance) {
    return !table.of(Kind.STATIC).isEmpty()
        && (table.of(Kind.REGULAR).isEmpty() || random.nextInt(chance) == 0);
  }

  private String where(boolean onlyStatic) {
    return onlyStatic ? conditions.partition() : conditions.row();
  }
}
