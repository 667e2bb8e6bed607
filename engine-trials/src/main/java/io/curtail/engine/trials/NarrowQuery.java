/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query of some columns. Its answer may have, or not have, rows that show none of their cells.
 *
 * <p>Such a row lives by a cell that was not asked for. Cassandra leaves such a cell out where it
 * is older than the row's liveness, to read less, and sees too late that the liveness has expired.
 * It does that for each data file and memtable by itself (CASSANDRA-10657, {@code
 * BTreeRow.filter}), so the row is in the answer or not as the cell and the liveness were flushed
 * together or not.
 */
final class NarrowQuery {
  private static final Pattern QUERY =
      Pattern.compile(
          "(?:PAGES \\d+ )?SELECT (?!\\*|DISTINCT|count)(.*?) FROM #(.*?)"
              + "(?: PER PARTITION LIMIT \\d+)?(?: LIMIT \\d+)?");

  private static final Pattern CALL = Pattern.compile("\\w+\\((\\w+)\\)");

  private final List<String> selected;
  private final String rest;

  private NarrowQuery(List<String> selected, String rest) {
    this.selected = selected;
    this.rest = rest;
  }

  /** Null if it asks for all columns, or for something else than columns. */
  static NarrowQuery of(String query) {
    Matcher matcher = QUERY.matcher(query);
    return matcher.matches()
        ? new NarrowQuery(List.of(matcher.group(1).split(", ")), matcher.group(2))
        : null;
  }

  /** The same without limits. */
  String unlimited() {
    return query(selected);
  }

  /** The same without limits, of these columns too. */
  String wide(Iterable<String> columns) {
    List<String> all = new ArrayList<>(selected);
    for (String column : columns) {
      if (!selected.contains(column)) {
        all.add(column);
      }
    }
    return query(all);
  }

  private String query(List<String> columns) {
    return "SELECT " + String.join(", ", columns) + " FROM #" + rest;
  }

  /**
   * Whether an answer differs from what it is a part of by nothing but rows that show no cell.
   *
   * @param narrow rows of {@link #unlimited}
   * @param wide rows of {@link #wide}
   * @param kinds of all columns by name, as {@code system_schema.columns} has them
   */
  boolean isPart(List<String> narrow, List<String> wide, Map<String, String> kinds) {
    int next = 0;
    for (String row : wide) {
      // A partition without rows shows its static columns alone.
      while (next < narrow.size()
          && !starts(row, narrow.get(next))
          && hasNone("clustering", narrow.get(next), kinds)
          && hasNone("regular", narrow.get(next), kinds)) {
        next++;
      }
      if (next < narrow.size() && starts(row, narrow.get(next))) {
        next++;
      } else if (!hasNone("regular", row, kinds)) {
        return false;
      }
    }
    return next == narrow.size();
  }

  private static boolean starts(String row, String with) {
    return (row + ", ").startsWith(with + ", ");
  }

  private boolean hasNone(String kind, String row, Map<String, String> kinds) {
    return selected.stream()
        .filter(column -> kind.equals(kinds.get(CALL.matcher(column).replaceFirst("$1"))))
        .allMatch(column -> (", " + row + ", ").contains(", " + column + "=null, "));
  }
}
