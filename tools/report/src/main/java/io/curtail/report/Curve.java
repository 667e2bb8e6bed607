/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

/**
 * Draws one series into a frame: band, line, and the texts that the page's tooltip shows. A point
 * without a neighbour is a dot, since a line needs two; its interval is an upright stroke.
 */
record Curve(Series series, Frame frame, int colour) {
  private static final double DOT_RADIUS = 4.5;

  void draw(Svg svg) {
    if (series.low() != null) {
      svg.raw("<path class=\"band s" + colour + "\" d=\"" + bandPath() + "\"/>");
    }
    drawLine(svg);
    for (int i = 0; i < series.x().length; i++) {
      if (has(i) && !has(i - 1) && !has(i + 1)) {
        drawDot(svg, i);
      }
    }
  }

  private boolean has(int i) {
    return i >= 0 && i < series.y().length && !Double.isNaN(series.y()[i]);
  }

  private void drawDot(Svg svg, int i) {
    double x = frame.x(series.x()[i]);
    if (series.low() != null) {
      double low = frame.y(series.low()[i]);
      svg.line(x, low, x, frame.y(series.high()[i]), "interval s" + colour);
    }
    svg.circle(x, frame.y(series.y()[i]), DOT_RADIUS, "dot s" + colour);
  }

  private void drawLine(Svg svg) {
    StringBuilder path = new StringBuilder();
    StringBuilder tips = new StringBuilder();
    boolean pen = false;
    for (int i = 0; i < series.x().length; i++) {
      if (!has(i)) {
        pen = false;
        continue;
      }
      path.append(pen ? 'L' : 'M').append(point(series.x()[i], series.y()[i]));
      pen = true;
      tips.append(tips.isEmpty() ? "" : "|")
          .append(frame.xAxis().unit().format(series.x()[i]))
          .append('~')
          .append(frame.yAxis().unit().format(series.y()[i]));
    }
    svg.raw(
        "<path class=\"line s"
            + colour
            + "\" data-name=\""
            + Html.escape(series.name())
            + "\" data-tips=\""
            + tips
            + "\" d=\""
            + path
            + "\"/>");
  }

  private String bandPath() {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < series.x().length; i++) {
      path.append(i == 0 ? 'M' : 'L').append(point(series.x()[i], series.high()[i]));
    }
    for (int i = series.x().length - 1; i >= 0; i--) {
      path.append('L').append(point(series.x()[i], series.low()[i]));
    }
    return path.append('Z').toString();
  }

  private String point(double x, double y) {
    return Svg.number(frame.x(x)) + "," + Svg.number(frame.y(y));
  }

  /** Gives the curve a name where it ends, if it has a point. */
  void label(EndLabels labels) {
    for (int i = series.y().length - 1; i >= 0; i--) {
      if (has(i)) {
        labels.add(series.name(), frame.x(series.x()[i]), frame.y(series.y()[i]), colour);
        return;
      }
    }
  }
}
