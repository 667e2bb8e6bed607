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
    return switch (random.nextInt(isClustered ? 11 : 5)) {
      case 0 -> "SELECT * FROM # WHERE " + token() + limits(false);
      case 1 -> "SELECT " + selection() + " FROM #" + limits(true);
      case 2 -> "SELECT " + selection() + " FROM # WHERE " + conditions.row();
      case 3 -> filtering();
      case 4 -> "SELECT * FROM # WHERE " + conditions.partitions() + limits(false);
      case 5 ->
          "SELECT " + selection() + " FROM # WHERE " + conditions.range() + order() + limits(false);
      case 6 -> "SELECT * FROM # WHERE " + conditions.lists() + limits(false);
      case 7 -> "SELECT DISTINCT " + names(Kind.PARTITION, Kind.STATIC) + " FROM #" + limits(false);
      case 8 -> "SELECT * FROM # WHERE " + conditions.partition() + order() + limits(false);
      case 9 -> groups();
      default -> "SELECT " + selection() + " FROM # WHERE " + conditions.range() + order();
    };
  }

  /** Everything that can be seen of every cell. */
  String everything() {
    List<String> selected = new ArrayList<>();
    if (!table.isCounter) {
      for (Column column : table.of(Kind.REGULAR, Kind.STATIC)) {
        boolean perElement = column.type().form() == CqlType.Form.LIST;
        if (!perElement) {
          if (!table.hasTransactions) {
            selected.add("writetime(" + column.name() + ")");
          }
          selected.add("ttl(" + column.name() + ")");
        }
      }
    }
    return selected.isEmpty()
        ? "SELECT * FROM #"
        : "SELECT %s, %s FROM #".formatted(names(Kind.values()), String.join(", ", selected));
  }

  private String selection() {
    if (random.nextBoolean()) {
      return "*";
    }
    List<Column> some =
        table.of(Kind.values()).stream().filter(column -> random.nextInt(3) == 0).toList();
    // Of a table in which nothing expires, as a count may count rows that show no cell or not.
    return some.isEmpty() ? (table.expires() ? "*" : "count(*)") : RandomTable.names(some);
  }

  /** Counts by partition or by the head of the clustering, where they are certain. */
  private String groups() {
    if (table.expires()) {
      return "SELECT * FROM # WHERE " + conditions.range() + limits(true);
    }
    List<Column> clustering = table.of(Kind.CLUSTERING);
    List<Column> keys = new ArrayList<>(table.of(Kind.PARTITION));
    keys.addAll(clustering.subList(0, random.nextInt(clustering.size() + 1)));
    String names = RandomTable.names(keys);
    boolean isOfAll = random.nextBoolean();
    String where = isOfAll ? "" : " WHERE " + conditions.range();
    String order = isOfAll ? "" : order();
    return "SELECT count(*), %1$s FROM #%2$s GROUP BY %1$s%3$s".formatted(names, where, order)
        + limits(false);
  }

  private String token() {
    String keys = names(Kind.PARTITION);
    long bound = random.nextLong();
    return "token(%s) %s %d".formatted(keys, random.nextBoolean() ? ">" : "<=", bound);
  }

  private String filtering() {
    if (table.index() != null && random.nextInt(3) > 0) {
      return "SELECT * FROM # WHERE " + table.index().condition(random) + " ALLOW FILTERING";
    }
    List<Column> candidates = new ArrayList<>(table.isCounter ? List.of() : table.of(Kind.REGULAR));
    candidates.addAll(table.of(Kind.CLUSTERING));
    candidates.removeIf(column -> column.type().isMultiCell() || !column.type().comparable());
    if (candidates.isEmpty()) {
      return "SELECT * FROM #";
    }
    Column column = candidates.get(random.nextInt(candidates.size()));
    String operator = List.of("=", ">", "<=").get(random.nextInt(3));
    return "SELECT * FROM # WHERE %s %s %s ALLOW FILTERING"
        .formatted(column.name(), operator, column.value(random));
  }

  private String order() {
    return random.nextBoolean()
        ? ""
        : table.of(Kind.CLUSTERING).stream()
            .map(column -> column.name() + (column.descending() ? " ASC" : " DESC"))
            .collect(Collectors.joining(", ", " ORDER BY ", ""));
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
    return RandomTable.names(table.of(kinds));
  }
}
