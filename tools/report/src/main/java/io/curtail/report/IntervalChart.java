/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Estimates with their intervals, one a row, on a common axis. With a reference line it is the
 * picture for ratios, where 1 is "no difference".
 */
public final class IntervalChart extends Chart {
  private static final int ROW = 34;
  private static final int HEADROOM = 16;
  private static final int FOOT = 48;

  private record Row(String label, int colour, double estimate, double low, double high) {}

  private final Axis axis;
  private final double reference;
  private final List<Row> rows = new ArrayList<>();

  /**
   * @param reference where the line stands; NaN for none
   */
  public IntervalChart(String title, Axis axis, double reference) {
    super(title);
    this.axis = axis;
    this.reference = reference;
  }

  /** An estimate between the ends of its interval; colour as in {@link Series}. */
  public IntervalChart add(String label, int colour, double estimate, double low, double high) {
    rows.add(new Row(label, Palette.colour(colour, 0), estimate, low, high));
    return this;
  }

  @Override
  int height(int width) {
    return HEADROOM + rowHeight(width) * rows.size() + FOOT;
  }

  /** On a narrow page the label stands above its interval. */
  private static int rowHeight(int width) {
    return width < Frame.NARROW ? ROW + 16 : ROW;
  }

  @Override
  void draw(Svg svg, int width) {
    boolean narrow = width < Frame.NARROW;
    DoubleSummaryStatistics shown =
        rows.stream()
            .flatMapToDouble(row -> DoubleStream.of(row.low(), row.high(), reference))
            .filter(value -> !Double.isNaN(value))
            .summaryStatistics();
    Scale scale = axis.scale(shown.getMin(), shown.getMax());
    Frame frame =
        new Frame(
            narrow ? 12 : labelRoom(),
            HEADROOM,
            width - 76.0,
            height(width) - FOOT,
            axis,
            null,
            scale,
            null);
    drawAxis(svg, frame);
    for (int i = 0; i < rows.size(); i++) {
      double y = HEADROOM + (i + 0.5) * rowHeight(width) + (narrow ? 8 : 0);
      drawRow(svg, frame, rows.get(i), y, narrow);
    }
  }

  private double labelRoom() {
    int longest = rows.stream().mapToInt(row -> row.label().length()).max().orElse(0);
    return 16 + longest * 7.2;
  }

  private void drawAxis(Svg svg, Frame frame) {
    for (double tick : frame.xScale().ticks((int) ((frame.right() - frame.left()) / 64))) {
      svg.line(frame.x(tick), frame.top(), frame.x(tick), frame.bottom(), "grid");
      svg.text(frame.x(tick), frame.bottom() + 17, "middle", "tick", axis.unit().format(tick));
    }
    if (!Double.isNaN(reference)) {
      svg.line(frame.x(reference), frame.top(), frame.x(reference), frame.bottom(), "reference");
    }
    svg.text(
        (frame.left() + frame.right()) / 2,
        frame.bottom() + 38,
        "middle",
        "axis-title",
        axis.title());
  }

  private void drawRow(Svg svg, Frame frame, Row row, double y, boolean narrow) {
    svg.text(
        narrow ? frame.left() : frame.left() - 14,
        narrow ? y - 12 : y + 4,
        narrow ? "start" : "end",
        "label",
        row.label());
    svg.line(frame.x(row.low()), y, frame.x(row.high()), y, "interval s" + row.colour());
    svg.circle(frame.x(row.estimate()), y, 5, "dot s" + row.colour());
    svg.text(frame.right() + 10, y + 4, "start", "label value", axis.unit().format(row.estimate()));
  }
}
