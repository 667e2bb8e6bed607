/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;

/** Curves over a common axis, with bands for intervals and marked spans of x (a fault). */
public final class LineChart extends Chart {
  private static final int LEFT = 64;
  private static final int HEADROOM = 34;
  private static final int FOOT = 48;

  /** A marked stretch of the x axis. */
  private record Span(String label, double from, double to) {}

  private final Axis xAxis;
  private final Axis yAxis;
  private final List<Series> series = new ArrayList<>();
  private final List<Span> spans = new ArrayList<>();

  public LineChart(String title, Axis xAxis, Axis yAxis) {
    super(title);
    this.xAxis = xAxis;
    this.yAxis = yAxis;
  }

  public LineChart add(Series curve) {
    series.add(curve);
    return this;
  }

  /** Shades the x values between the two; the label is written into the first one of its name. */
  public LineChart mark(String label, double from, double to) {
    spans.add(new Span(label, from, to));
    return this;
  }

  @Override
  int height(int width) {
    return (width < Frame.NARROW ? 300 : 360) + (int) legendHeight(width);
  }

  private boolean labelsBeside(int width) {
    return width >= Frame.NARROW && series.size() > 1 && series.size() <= 8;
  }

  private double legendHeight(int width) {
    return labelsBeside(width) || series.size() < 2 ? 0 : legend().height(width);
  }

  private Legend legend() {
    List<String> names = new ArrayList<>();
    List<Integer> colours = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) {
      names.add(series.get(i).name());
      colours.add(colour(i));
    }
    return new Legend(names, colours);
  }

  private int colour(int place) {
    return Palette.colour(series.get(place).colour(), place);
  }

  @Override
  void draw(Svg svg, int width) {
    double legendHeight = legendHeight(width);
    if (legendHeight > 0) {
      legend().draw(svg, width);
    }
    double right = width - (labelsBeside(width) ? EndLabels.room(series) : 18);
    Frame frame =
        new Frame(
            LEFT,
            legendHeight + HEADROOM,
            right,
            height(width) - FOOT,
            xAxis,
            yAxis,
            xAxis.scale(lowest(Series::x), highest(Series::x)),
            yAxis.scale(lowest(LineChart::floor), highest(LineChart::ceiling)));
    drawSpans(svg, frame);
    frame.drawGrid(svg);
    EndLabels labels = new EndLabels(frame);
    for (int i = 0; i < series.size(); i++) {
      Curve curve = new Curve(series.get(i), frame, colour(i));
      curve.draw(svg);
      curve.label(labels);
    }
    if (labelsBeside(width)) {
      labels.draw(svg);
    }
  }

  private void drawSpans(Svg svg, Frame frame) {
    List<String> labelled = new ArrayList<>();
    for (Span span : spans) {
      double from = frame.x(span.from());
      double to = Math.max(frame.x(span.to()), from + 1);
      svg.rectangle(from, frame.top(), to - from, frame.bottom() - frame.top(), "span", null);
      if (!labelled.contains(span.label())) {
        labelled.add(span.label());
        svg.text(from, frame.top() - 5, "start", "span-label", span.label());
      }
    }
  }

  private static double[] floor(Series curve) {
    return curve.low() == null ? curve.y() : curve.low();
  }

  private static double[] ceiling(Series curve) {
    return curve.high() == null ? curve.y() : curve.high();
  }

  private double lowest(Function<Series, double[]> values) {
    return extreme(values, Math::min);
  }

  private double highest(Function<Series, double[]> values) {
    return extreme(values, Math::max);
  }

  private double extreme(Function<Series, double[]> values, DoubleBinaryOperator better) {
    double best = Double.NaN;
    for (Series curve : series) {
      for (double value : values.apply(curve)) {
        if (!Double.isNaN(value)) {
          best = Double.isNaN(best) ? value : better.applyAsDouble(best, value);
        }
      }
    }
    return best;
  }
}
