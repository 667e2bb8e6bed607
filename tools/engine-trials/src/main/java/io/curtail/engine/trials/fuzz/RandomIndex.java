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

/**
 * A legacy index of a {@link RandomTable}.
 *
 * @param column what it is on
 * @param of which part of the column; null for a value that is no collection, or for the elements
 *     of a list or set
 */
record RandomIndex(Column column, Part of) {
  /** Of a collection, what of it is indexed. */
  enum Part {
    KEYS,
    VALUES,
    ENTRIES,
    /** All of one that is frozen. */
    FULL
  }

  /**
   * An index of any column that can have one; null if none can. Not of decimals: a row whose 0
   * becomes 0.00 is found by its older spelling, too, or not, as Cassandra has flushed in between.
   * Not of a part of the key: a row whose marker has expired, and that gets a cell of the marker's
   * timestamp, is found by it or not, as Cassandra has flushed or compacted the index in between.
   * Not of what is or has all of a collection where an element may be empty: Cassandra cannot flush
   * an index of such values.
   */
  static RandomIndex any(Random random, List<Column> columns) {
    List<Column> able = new ArrayList<>(columns);
    able.removeIf(column -> column.kind() == Kind.PARTITION || column.kind() == Kind.CLUSTERING);
    able.removeIf(column -> column.type().form() == CqlType.Form.USER);
    able.removeIf(column -> !column.type().isMultiCell() && !column.type().comparable());
    able.removeIf(column -> column.type().has("decimal") || column.type().has("duration"));
    able.removeIf(
        column -> hasAllOfCollection(column.type()) && CqlTypes.mayBeEmpty(column.type()));
    if (able.isEmpty()) {
      return null;
    }
    Column column = able.get(random.nextInt(able.size()));
    return new RandomIndex(column, part(random, column.type()));
  }

  private static Part part(Random random, CqlType type) {
    if (type.form() == CqlType.Form.MAP) {
      return List.of(Part.KEYS, Part.VALUES, Part.ENTRIES).get(random.nextInt(3));
    }
    return isAllOfCollection(type) ? Part.FULL : null;
  }

  private static boolean hasAllOfCollection(CqlType type) {
    return type.cql().matches(".*frozen<(list|set|map)<.*");
  }

  private static boolean isAllOfCollection(CqlType type) {
    return type.cql().matches("frozen<(list|set|map)<.*");
  }

  /** {@code CREATE INDEX}. */
  String create() {
    String target = of == null ? column.name() : of + "(" + column.name() + ")";
    return "CREATE INDEX @_i ON # (" + target + ") USING 'legacy_local_table'";
  }

  /** A condition that the index serves. */
  String condition(Random random) {
    List<CqlType> parts = column.type().parts();
    return column.name()
        + switch (column.type().form()) {
          case LIST, SET -> " CONTAINS " + parts.get(0).literal(random);
          case MAP -> condition(parts.get(0).literal(random), parts.get(1).literal(random));
          default -> " = " + column.value(random);
        };
  }

  private String condition(String key, String value) {
    return switch (of) {
      case KEYS -> " CONTAINS KEY " + key;
      case VALUES -> " CONTAINS " + value;
      default -> "[" + key + "] = " + value;
    };
  }
}
