/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a chart as a file of its own, for a README: it carries its title and its colours. */
public final class Figure {
  private static final int TITLE = 34;
  private static final int MARGIN = 16;

  private Figure() {}

  /** Replaces a file that is there; the width is in CSS pixels. */
  public static void write(Path file, Chart chart, int width) throws IOException {
    Files.writeString(file, toSvg(chart, width), StandardCharsets.UTF_8);
  }

  static String toSvg(Chart chart, int width) {
    int inner = width - 2 * MARGIN;
    int height = chart.height(inner) + TITLE + MARGIN;
    Svg svg = new Svg();
    svg.raw("<style>" + Resource.text("chart.css") + "</style>");
    svg.rectangle(0, 0, width, height, "paper", null);
    svg.text(MARGIN, 24, "start", "figure-title", chart.title());
    svg.raw("<g transform=\"translate(" + MARGIN + "," + TITLE + ")\">");
    chart.draw(svg, inner);
    svg.raw("</g>");
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
        + width
        + "\" height=\""
        + height
        + "\" viewBox=\"0 0 "
        + width
        + " "
        + height
        + "\" role=\"img\" aria-label=\""
        + Html.escape(chart.title())
        + "\">\n"
        + svg
        + "</svg>\n";
  }
}
