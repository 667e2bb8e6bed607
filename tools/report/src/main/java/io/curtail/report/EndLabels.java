/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The names of curves at the right, moved apart where curves end close together. */
final class EndLabels {
  private static final double APART = 17;
  private static final double CHARACTER = 7.2;

  private static final class Label {
    final String name;
    final double curveX;
    final double curveY;
    final int colour;
    double y;

    Label(String name, double curveX, double curveY, int colour) {
      this.name = name;
      this.curveX = curveX;
      this.curveY = curveY;
      this.colour = colour;
      this.y = curveY;
    }
  }

  private final Frame frame;
  private final List<Label> labels = new ArrayList<>();

  EndLabels(Frame frame) {
    this.frame = frame;
  }

  /** The width to keep free at the right of the frame. */
  static double room(List<Series> series) {
    int longest = 0;
    for (Series curve : series) {
      longest = Math.max(longest, curve.name().length());
    }
    return 26 + longest * CHARACTER;
  }

  /** For a curve that ends there. */
  void add(String name, double curveX, double curveY, int colour) {
    labels.add(new Label(name, curveX, curveY, colour));
  }

  void draw(Svg svg) {
    labels.sort(Comparator.comparingDouble(label -> label.curveY));
    spread();
    double x = frame.right();
    for (Label label : labels) {
      String style = "leader s" + label.colour;
      if (label.curveX < x) { // as there were too few requests for the last percentiles
        svg.line(label.curveX + 4, label.curveY, x + 2, label.curveY, style);
      }
      svg.line(x + 2, label.curveY, x + 13, label.y, style);
      svg.text(x + 17, label.y + 4, "start", "label name s" + label.colour, label.name);
    }
  }

  /** Down from the top so that none overlaps, then up again from the bottom edge. */
  private void spread() {
    double free = frame.top();
    for (Label label : labels) {
      label.y = Math.max(label.curveY, free);
      free = label.y + APART;
    }
    free = frame.bottom();
    for (int i = labels.size() - 1; i >= 0; i--) {
      labels.get(i).y = Math.min(labels.get(i).y, free);
      free = labels.get(i).y - APART;
    }
  }
}
