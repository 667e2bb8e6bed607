/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of text under column titles, for the page and for the terminal. Not thread-safe. */
public final class Table {
  private final List<String> columns;
  private final int leftColumns;
  private boolean endsInWords;
  private final List<List<String>> rows = new ArrayList<>();

  /** The first {@code leftColumns} columns hold words, the rest numbers (aligned to the right). */
  public Table(int leftColumns, String... columns) {
    this.leftColumns = leftColumns;
    this.columns = List.of(columns);
  }

  /** The last column holds words too. */
  public Table endingInWords() {
    endsInWords = true;
    return this;
  }

  private boolean isOfWords(int column) {
    return column < leftColumns || (endsInWords && column == columns.size() - 1);
  }

  public Table row(String... cells) {
    return row(List.of(cells));
  }

  public Table row(List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          "a row of " + cells.size() + " cells in a table of " + columns.size() + " columns");
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  /** The table in plain text, columns padded, ending with a line break. */
  public String toText() {
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = columns.get(i).length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    line(text, columns, widths);
    List<String> rules = new ArrayList<>();
    for (int width : widths) {
      rules.add("─".repeat(width));
    }
    line(text, rules, widths);
    rows.forEach(row -> line(text, row, widths));
    return text.toString();
  }

  private void line(StringBuilder text, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : "  ")
          .append(isOfWords(i) ? cells.get(i) + padding : padding + cells.get(i));
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  String toHtml() {
    StringBuilder html = new StringBuilder("<div class=\"table\"><table>\n<thead><tr>");
    cells(html, columns, "th");
    html.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      html.append("<tr>");
      cells(html, row, "td");
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>\n").toString();
  }

  private void cells(StringBuilder html, List<String> cells, String element) {
    for (int i = 0; i < cells.size(); i++) {
      html.append('<').append(element).append(isOfWords(i) ? ">" : " class=\"number\">");
      html.append(Html.escape(isOfWords(i) ? cells.get(i) : withUnitKept(cells.get(i))))
          .append("</")
          .append(element)
          .append('>');
    }
  }

  /** No line ends between a number and what it counts, however narrow the page. */
  private static String withUnitKept(String cell) {
    return cell.replaceAll("(?<=[0-9]) (?=%|\\p{L}{1,3}\\b)", "\u00a0");
  }
}
