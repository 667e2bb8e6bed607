/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Bars of several named groups over categories, side by side. */
public final class BarChart extends Chart {
  private static final int LEFT = 64;
  private static final int HEADROOM = 34;
  private static final int FOOT = 26;
  private static final int LINE = 14;
  private static final double CHARACTER = 6.6;

  private record Bars(String name, int colour, List<Double> values) {}

  private final Axis yAxis;
  private final List<String> categories;
  private final List<Bars> groups = new ArrayList<>();

  public BarChart(String title, Axis yAxis, List<String> categories) {
    super(title);
    this.yAxis = yAxis;
    this.categories = List.copyOf(categories);
  }

  /** One value a category; colour as in {@link Series}. */
  public BarChart add(String name, int colour, Double... values) {
    if (values.length != categories.size()) {
      throw new IllegalArgumentException("bars " + name + ": one value a category is needed");
    }
    groups.add(new Bars(name, Palette.colour(colour, groups.size()), List.of(values)));
    return this;
  }

  private Legend legend() {
    return new Legend(
        groups.stream().map(Bars::name).toList(), groups.stream().map(Bars::colour).toList());
  }

  @Override
  int height(int width) {
    return 286 + LINE * labelLines(width) + (int) legend().height(width);
  }

  private double room(int width) {
    return (width - 10.0 - LEFT) / categories.size();
  }

  private int labelLines(int width) {
    return categories.stream().mapToInt(name -> wrap(name, room(width)).size()).max().orElse(1);
  }

  /** Breaks a label at its spaces into lines that fit, where its words do. */
  private static List<String> wrap(String label, double room) {
    List<String> lines = new ArrayList<>();
    for (String word : label.split(" ", -1)) {
      String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1) + " ";
      if (!lines.isEmpty() && (last + word).length() * CHARACTER <= room) {
        lines.set(lines.size() - 1, last + word);
      } else {
        lines.add(word);
      }
    }
    return lines;
  }

  @Override
  void draw(Svg svg, int width) {
    legend().draw(svg, width);
    Frame frame =
        new Frame(
            LEFT,
            legend().height(width) + HEADROOM,
            width - 10.0,
            height(width) - FOOT - LINE * labelLines(width),
            null,
            yAxis,
            null,
            yAxis.scale(0, highest()));
    frame.drawYAxis(svg);
    double room = room(width);
    for (int category = 0; category < categories.size(); category++) {
      double left = frame.left() + category * room;
      drawCategory(svg, frame, category, left + room * 0.12, room * 0.76);
      double y = frame.bottom() + 19;
      for (String line : wrap(categories.get(category), room)) {
        svg.text(left + room / 2, y, "middle", "tick category", line);
        y += LINE;
      }
    }
    svg.line(frame.left(), frame.bottom(), frame.right(), frame.bottom(), "axis");
  }

  private void drawCategory(Svg svg, Frame frame, int category, double left, double width) {
    double barWidth = width / groups.size();
    double x = left;
    for (Bars bars : groups) {
      double value = bars.values().get(category);
      if (!Double.isNaN(value)) {
        double top = frame.y(value);
        svg.rectangle(
            x,
            top,
            barWidth - 2,
            frame.bottom() - top,
            "fill s" + bars.colour(),
            bars.name() + ", " + categories.get(category) + ": " + yAxis.unit().format(value));
      }
      x += barWidth;
    }
  }

  private double highest() {
    return groups.stream()
        .flatMap(bars -> bars.values().stream())
        .filter(value -> !Double.isNaN(value))
        .max(Comparator.naturalOrder())
        .orElse(0.0);
  }
}
