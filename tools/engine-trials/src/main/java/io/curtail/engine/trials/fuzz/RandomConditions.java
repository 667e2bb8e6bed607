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
import java.util.stream.Stream;

/** Random {@code WHERE} clauses over the keys of a {@link RandomTable}. */
record RandomConditions(Random random, RandomTable table) {
  /** One partition. */
  String partition() {
    return table.of(Kind.PARTITION).stream().map(this::equal).collect(Collectors.joining(" AND "));
  }

  /** One partition, or a few. */
  String partitions() {
    List<Column> keys = table.of(Kind.PARTITION);
    if (keys.size() > 1 || random.nextInt(4) > 0) {
      return partition();
    }
    return in(keys.get(0));
  }

  /** One row. */
  String row() {
    return Stream.concat(
            Stream.of(partition()), table.of(Kind.CLUSTERING).stream().map(this::equal))
        .collect(Collectors.joining(" AND "));
  }

  /** A run of rows of one partition, bounded on one side or two, or by the head of their key. */
  String range() {
    List<Column> clustering = table.of(Kind.CLUSTERING);
    List<String> all = new ArrayList<>();
    all.add(partition());
    int fixed = random.nextInt(clustering.size());
    for (int i = 0; i < fixed; i++) {
      all.add(equal(clustering.get(i)));
    }
    if (fixed > 0 && random.nextInt(4) == 0) {
      return String.join(" AND ", all);
    }
    List<Column> bounded =
        random.nextInt(4) == 0 && fixed == 0
            ? clustering.subList(0, 1 + random.nextInt(clustering.size()))
            : clustering.subList(fixed, fixed + 1);
    int sides = random.nextInt(3);
    if (sides != 0) {
      all.add(bound(bounded, random.nextBoolean() ? ">" : ">="));
    }
    if (sides != 1) {
      all.add(bound(bounded, random.nextBoolean() ? "<" : "<="));
    }
    return String.join(" AND ", all);
  }

  /** Rows of some partitions by lists of values. */
  String lists() {
    List<String> all = new ArrayList<>();
    all.add(partitions());
    for (Column column : table.of(Kind.CLUSTERING)) {
      all.add(random.nextInt(3) == 0 ? equal(column) : in(column));
    }
    return String.join(" AND ", all);
  }

  private String bound(List<Column> columns, String operator) {
    if (columns.size() == 1) {
      return columns.get(0).name() + " " + operator + " " + columns.get(0).value(random);
    }
    List<String> values = columns.stream().map(column -> column.value(random)).toList();
    return "(%s) %s (%s)"
        .formatted(RandomTable.names(columns), operator, String.join(", ", values));
  }

  private String equal(Column column) {
    return column.name() + " = " + column.value(random);
  }

  private String in(Column column) {
    List<String> values = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      values.add(column.value(random));
    }
    return column.name() + " IN (" + String.join(", ", values) + ")";
  }
}
