/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

/** Draws one series into a frame: band, line, and the texts that the page's tooltip shows. */
final class Curve {
  private final Series series;
  private final Frame frame;
  private final int colour;

  Curve(Series series, Frame frame, int colour) {
    this.series = series;
    this.frame = frame;
    this.colour = colour;
  }

  void draw(Svg svg) {
    if (series.low() != null) {
      svg.raw("<path class=\"band s" + colour + "\" d=\"" + bandPath() + "\"/>");
    }
    StringBuilder path = new StringBuilder();
    StringBuilder tips = new StringBuilder();
    boolean pen = false;
    for (int i = 0; i < series.x().length; i++) {
      if (Double.isNaN(series.y()[i])) {
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

  /** Where the curve ends, for its label; NaN when it has no point. */
  double lastY() {
    for (int i = series.y().length - 1; i >= 0; i--) {
      if (!Double.isNaN(series.y()[i])) {
        return frame.y(series.y()[i]);
      }
    }
    return Double.NaN;
  }
}
