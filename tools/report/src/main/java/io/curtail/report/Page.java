/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A report as one HTML file that needs no network: style, script and pictures are inside. Content
 * appears in the order of the calls. Text is plain text and is escaped. Not thread-safe.
 */
public final class Page {
  private static final int WIDE = 860;
  private static final int NARROW = 360;

  private final String title;
  private final StringBuilder body = new StringBuilder();
  private final StringBuilder contents = new StringBuilder();
  private int headings;

  /** The lead says in a sentence or two what the page shows. */
  public Page(String title, String lead) {
    this.title = title;
    body.append("<header><h1>").append(Html.escape(title)).append("</h1>\n");
    body.append("<p class=\"lead\">").append(Html.escape(lead)).append("</p></header>\n");
  }

  /** Begins a section, which is also listed at the top of the page. */
  public Page section(String heading) {
    String id = "s" + ++headings;
    String text = Html.escape(heading);
    contents.append("<a href=\"#").append(id).append("\">").append(text).append("</a>\n");
    body.append("<h2 id=\"").append(id).append("\">").append(text).append("</h2>\n");
    return this;
  }

  public Page heading(String heading) {
    body.append("<h3>").append(Html.escape(heading)).append("</h3>\n");
    return this;
  }

  public Page prose(String paragraph) {
    body.append("<p>").append(Html.escape(paragraph)).append("</p>\n");
    return this;
  }

  /** A command or other text that is shown as it is typed. */
  public Page code(String text) {
    body.append("<pre>").append(Html.escape(text)).append("</pre>\n");
    return this;
  }

  public Page tiles(List<Tile> tiles) {
    body.append("<div class=\"tiles\">\n");
    for (Tile tile : tiles) {
      body.append("<div class=\"tile ").append(tile.tone().name().toLowerCase(Locale.ROOT));
      body.append("\"><strong>").append(Html.escape(tile.value())).append("</strong>");
      body.append("<span>").append(Html.escape(tile.label())).append("</span>");
      body.append("<small>").append(Html.escape(tile.detail())).append("</small></div>\n");
    }
    body.append("</div>\n");
    return this;
  }

  public Page table(Table table) {
    body.append(table.toHtml());
    return this;
  }

  /** A table that is folded away until the reader asks. */
  public Page details(String summary, Table table) {
    body.append("<details><summary>").append(Html.escape(summary)).append("</summary>\n");
    body.append(table.toHtml()).append("</details>\n");
    return this;
  }

  /** Charts that are folded away until the reader asks. */
  public Page details(String summary, List<? extends Chart> charts) {
    body.append("<details><summary>").append(Html.escape(summary)).append("</summary>\n");
    charts.forEach(this::chart);
    body.append("</details>\n");
    return this;
  }

  /** Drawn twice, for a wide and a narrow window, so that its text is legible in both. */
  public Page chart(Chart chart) {
    body.append("<figure><h4>").append(Html.escape(chart.title())).append("</h4>\n");
    body.append("<div class=\"wide\">").append(chart.svg(WIDE)).append("</div>\n");
    body.append("<div class=\"narrow\">").append(chart.svg(NARROW)).append("</div>\n");
    if (!chart.caption().isEmpty()) {
      body.append("<figcaption>").append(Html.escape(chart.caption())).append("</figcaption>");
    }
    body.append("</figure>\n");
    return this;
  }

  public String toHtml() {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        + Html.escape(title)
        + "</title>\n<style>\n"
        + Resource.text("chart.css")
        + Resource.text("page.css")
        + "</style></head>\n<body>\n<main>\n"
        + (headings > 1 ? "<nav>\n" + contents + "</nav>\n" : "")
        + body
        + "</main>\n<script>\n"
        + Resource.text("tooltip.js")
        + "</script>\n</body></html>\n";
  }

  /** Writes the page, replacing a file that is there. */
  public void write(Path file) throws IOException {
    Files.writeString(file, toHtml(), StandardCharsets.UTF_8);
  }
}
