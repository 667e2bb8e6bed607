/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials;

import io.curtail.engine.trials.RandomTable.Column;
import io.curtail.engine.trials.RandomTable.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** Random queries of a {@link RandomTable}, named {@code #} in them. */
final class RandomQueries {
  private final Random random;
  private final RandomTable table;
  private final RandomConditions conditions;

  RandomQueries(Random random, RandomTable table) {
    this.random = random;
    this.table = table;
    conditions = new RandomConditions(random, table);
  }

  String next() {
    boolean isClustered = !table.of(Kind.CLUSTERING).isEmpty();
    switch (random.nextInt(isClustered ? 10 : 5)) {
      case 0 -> {
        return "SELECT * FROM # WHERE " + token() + limits(false);
      }
      case 1 -> {
        return "SELECT " + selection() + " FROM #" + limits(true);
      }
      case 2 -> {
        return "SELECT " + selection() + " FROM # WHERE " + conditions.row();
      }
      case 3 -> {
        return filtering();
      }
      case 4 -> {
        return "SELECT * FROM # WHERE " + conditions.partitions() + limits(false);
      }
      case 5 -> {
        return "SELECT "
            + selection()
            + " FROM # WHERE "
            + conditions.range()
            + order()
            + limits(false);
      }
      case 6 -> {
        return "SELECT * FROM # WHERE " + conditions.lists() + limits(false);
      }
      case 7 -> {
        return "SELECT DISTINCT " + names(Kind.PARTITION, Kind.STATIC) + " FROM #" + limits(false);
      }
      case 8 -> {
        return "SELECT * FROM # WHERE " + conditions.partition() + order() + limits(false);
      }
      default -> {
        return "SELECT " + selection() + " FROM # WHERE " + conditions.range() + order();
      }
    }
  }

  /** Everything that can be seen of every cell. */
  String everything() {
    List<String> selected = new ArrayList<>(List.of("*"));
    if (!table.isCounter) {
      List<Column> columns = new ArrayList<>(table.of(Kind.REGULAR));
      columns.addAll(table.of(Kind.STATIC));
      for (Column column : columns) {
        boolean perElement = column.type().form() == CqlType.Form.LIST;
        if (!perElement) {
          if (!table.hasTransactions) {
            selected.add("writetime(" + column.name() + ")");
          }
          selected.add("ttl(" + column.name() + ")");
        }
      }
    }
    return "SELECT " + (selected.size() == 1 ? "*" : allNames() + rest(selected)) + " FROM #";
  }

  private String allNames() {
    return names(Kind.PARTITION, Kind.CLUSTERING, Kind.STATIC, Kind.REGULAR);
  }

  private static String rest(List<String> selected) {
    return ", " + String.join(", ", selected.subList(1, selected.size()));
  }

  private String selection() {
    if (random.nextBoolean()) {
      return "*";
    }
    List<String> some = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (Column column : table.of(kind)) {
        if (random.nextInt(3) == 0) {
          some.add(column.name());
        }
      }
    }
    // Of a table in which nothing expires, as a count may count rows that show no cell or not.
    return some.isEmpty() ? (table.expires() ? "*" : "count(*)") : String.join(", ", some);
  }

  private String token() {
    String keys = names(Kind.PARTITION);
    long bound = random.nextLong();
    return random.nextBoolean()
        ? "token(" + keys + ") > " + bound
        : "token(" + keys + ") <= " + bound;
  }

  private String filtering() {
    if (table.hasIndex && table.indexable() != null && random.nextInt(3) > 0) {
      Column indexed = table.indexable();
      return "SELECT * FROM # WHERE "
          + indexed.name()
          + " = "
          + indexed.value(random)
          + " ALLOW FILTERING";
    }
    List<Column> candidates = new ArrayList<>(table.isCounter ? List.of() : table.of(Kind.REGULAR));
    candidates.addAll(table.of(Kind.CLUSTERING));
    candidates.removeIf(column -> column.type().isMultiCell() || !column.type().comparable());
    if (candidates.isEmpty()) {
      return "SELECT * FROM #";
    }
    Column column = candidates.get(random.nextInt(candidates.size()));
    return "SELECT * FROM # WHERE "
        + column.name()
        + List.of(" = ", " > ", " <= ").get(random.nextInt(3))
        + column.value(random)
        + " ALLOW FILTERING";
  }

  private String order() {
    if (random.nextBoolean()) {
      return "";
    }
    return " ORDER BY "
        + table.of(Kind.CLUSTERING).stream()
            .map(column -> column.name() + (column.descending() ? " ASC" : " DESC"))
            .collect(Collectors.joining(", "));
  }

  private String limits(boolean perPartition) {
    String limit = "";
    if (perPartition && random.nextInt(3) == 0) {
      limit += " PER PARTITION LIMIT " + (1 + random.nextInt(3));
    }
    if (random.nextInt(3) == 0) {
      limit += " LIMIT " + (1 + random.nextInt(6));
    }
    return limit;
  }

  private String names(Kind... kinds) {
    List<String> names = new ArrayList<>();
    for (Kind kind : kinds) {
      table.of(kind).forEach(column -> names.add(column.name()));
    }
    return String.join(", ", names);
  }
}
