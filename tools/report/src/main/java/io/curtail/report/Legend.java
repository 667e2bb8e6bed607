/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.List;

/** Names of series with a sample of their colour, in rows that fit the width. */
record Legend(List<String> names, List<Integer> colours) {
  private static final double ROW = 20;
  private static final double CHARACTER = 7.2;

  double height(double width) {
    return ROW * rows(width);
  }

  private int rows(double width) {
    int rows = 1;
    double x = 0;
    for (String name : names) {
      if (x > 0 && x + room(name) > width) {
        rows++;
        x = 0;
      }
      x += room(name);
    }
    return rows;
  }

  void draw(Svg svg, double width) {
    double x = 0;
    double y = 12;
    for (int i = 0; i < names.size(); i++) {
      if (x > 0 && x + room(names.get(i)) > width) {
        x = 0;
        y += ROW;
      }
      svg.rectangle(x, y - 8, 14, 8, "fill s" + colours.get(i), null);
      svg.text(x + 20, y, "start", "label", names.get(i));
      x += room(names.get(i));
    }
  }

  private static double room(String name) {
    return 20 + name.length() * CHARACTER + 18;
  }
}
