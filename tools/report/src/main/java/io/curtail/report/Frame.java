/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.List;

/** The plot area of a chart with two axes: grid, ticks, axis titles, and where a value falls. */
record Frame(
    double left,
    double top,
    double right,
    double bottom,
    Axis xAxis,
    Axis yAxis,
    Scale xScale,
    Scale yScale) {
  static final int NARROW = 520;
  private static final double ROOM_PER_X_TICK = 78;
  private static final double ROOM_PER_Y_TICK = 46;

  double x(double value) {
    return left + xScale.position(value) * (right - left);
  }

  double y(double value) {
    return bottom - yScale.position(value) * (bottom - top);
  }

  void drawGrid(Svg svg) {
    drawYAxis(svg);
    drawXAxis(svg);
  }

  void drawYAxis(Svg svg) {
    for (double tick : yScale.ticks((int) ((bottom - top) / ROOM_PER_Y_TICK))) {
      svg.line(left, y(tick), right, y(tick), "grid");
      svg.text(left - 8, y(tick) + 4, "end", "tick", yAxis.unit().format(tick));
    }
    svg.text(0, top - 20, "start", "axis-title", yAxis.title());
  }

  private void drawXAxis(Svg svg) {
    svg.line(left, bottom, right, bottom, "axis");
    List<Double> ticks = xScale.ticks((int) ((right - left) / ROOM_PER_X_TICK));
    for (int i = 0; i < ticks.size(); i++) {
      double tick = ticks.get(i);
      svg.line(x(tick), bottom, x(tick), bottom + 5, "axis");
      svg.text(x(tick), bottom + 19, "middle", "tick", xAxis.unit().format(tick));
    }
    svg.text((left + right) / 2, bottom + 38, "middle", "axis-title", xAxis.title());
  }
}
