/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A query of some columns. Its answer may have, or not have, rows that show none of their cells.
 *
 * <p>Such a row lives or not by cells that were not asked for. Cassandra leaves out such a cell, or
 * its tombstone, where it is older than the row's liveness, to read less, though the liveness may
 * have expired. It does that for each data file and memtable by itself (CASSANDRA-10657, {@code
 * BTreeRow.filter}), so the row is in the answer or not as cells and liveness were flushed together
 * or not.
 */
record NarrowQuery(boolean isDistinct, List<String> selected, String rest) {
  private static final Pattern QUERY =
      Pattern.compile(
          "(?:PAGES \\d+ )?SELECT (DISTINCT )?(?!\\*|count)(.*?) FROM #(.*?)"
              + "(?: PER PARTITION LIMIT \\d+)?(?: LIMIT \\d+)?");

  private static final Pattern CALL = Pattern.compile("\\w+\\((\\w+)\\)");

  /** Null if it asks for all columns, or for something else than columns. */
  static NarrowQuery of(String query) {
    Matcher matcher = QUERY.matcher(query);
    return matcher.matches()
        ? new NarrowQuery(
            matcher.group(1) != null, List.of(matcher.group(2).split(", ")), matcher.group(3))
        : null;
  }

  /** The same without limits. */
  String unlimited() {
    return "SELECT " + (isDistinct ? "DISTINCT " : "") + from(selected);
  }

  /** The same without limits, of these columns too. */
  String wide(Iterable<String> columns) {
    List<String> all = new ArrayList<>(selected);
    for (String column : columns) {
      if (!selected.contains(column)) {
        all.add(column);
      }
    }
    return "SELECT " + from(all) + (isDistinct ? " PER PARTITION LIMIT 1" : "");
  }

  private String from(List<String> columns) {
    return String.join(", ", columns) + " FROM #" + rest;
  }

  /**
   * Whether an answer differs from what it is a part of by nothing but rows that show no cell.
   *
   * @param narrow rows of {@link #unlimited}
   * @param wide rows of {@link #wide}
   * @param kinds of all columns by name, as {@code system_schema.columns} has them
   */
  boolean isPart(List<String> narrow, List<String> wide, Map<String, String> kinds) {
    List<String> parts = showing(narrow, kinds);
    List<String> wholes = showing(wide, kinds);
    return parts.size() == wholes.size()
        && IntStream.range(0, parts.size())
            .allMatch(i -> (wholes.get(i) + ", ").startsWith(parts.get(i) + ", "));
  }

  /** Rows with a selected cell that is there: of the row, or of the partition if it is distinct. */
  private List<String> showing(List<String> rows, Map<String, String> kinds) {
    String kind = isDistinct ? "static" : "regular";
    List<String> cells =
        selected.stream()
            .filter(column -> kind.equals(kinds.get(CALL.matcher(column).replaceFirst("$1"))))
            .toList();
    return rows.stream().filter(row -> cells.stream().anyMatch(cell -> shows(row, cell))).toList();
  }

  private static boolean shows(String row, String cell) {
    return !(", " + row + ", ").contains(", " + cell + "=null, ");
  }
}
