/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Tables, and whole keyspaces, as an operator lists them. Immutable. */
final class TableNames {
  private static final String NONE = "none";
  private static final Set<String> ALL = Set.of();
  private static final Pattern NAME = Pattern.compile("\\w+(\\.\\w+)?");

  /** By keyspace. */
  private final Map<String, Set<String>> tables;

  private TableNames(Map<String, Set<String>> tables) {
    this.tables = tables;
  }

  /**
   * @param text {@code none}, or {@code keyspace} and {@code keyspace.table} as Cassandra stores
   *     the names, by commas
   * @throws IllegalArgumentException if it is none of these, in a phrase that goes on from what it
   *     was to be
   */
  static TableNames parse(String text) {
    Map<String, Set<String>> tables = new HashMap<>();
    if (text.equals(NONE)) {
      return new TableNames(tables);
    }
    for (String each : text.split(",", -1)) {
      String name = each.trim();
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "must be none, or keyspaces and tables by commas (shop, logs.events), not '"
                + text
                + "'");
      }
      int dot = name.indexOf('.');
      if (dot < 0) {
        tables.put(name, ALL);
      } else {
        String keyspace = name.substring(0, dot);
        Set<String> some = tables.computeIfAbsent(keyspace, k -> new HashSet<>());
        if (some != ALL) {
          some.add(name.substring(dot + 1));
        }
      }
    }
    return new TableNames(tables);
  }

  boolean contains(String keyspace, String table) {
    if (tables.isEmpty()) {
      return false;
    }
    Set<String> some = tables.get(keyspace);
    return some != null && (some == ALL || some.contains(table));
  }
}
