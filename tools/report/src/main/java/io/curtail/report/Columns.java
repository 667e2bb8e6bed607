/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** The columns of a table: each title beside what a row has under it. Not thread-safe. */
public final class Columns<R> {
  private final List<String> titles = new ArrayList<>();
  private final List<Function<R, String>> cells = new ArrayList<>();

  public Columns<R> add(String title, Function<R, String> cell) {
    titles.add(title);
    cells.add(cell);
    return this;
  }

  /** The table of these rows; its first columns hold words, as in {@link Table}. */
  public Table table(int leftColumns, Collection<R> rows) {
    Table table = new Table(leftColumns, titles.toArray(new String[0]));
    rows.forEach(row -> table.row(cells.stream().map(cell -> cell.apply(row)).toList()));
    return table;
  }
}
