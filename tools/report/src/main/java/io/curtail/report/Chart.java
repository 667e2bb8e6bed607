/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

/** A picture that can draw itself as SVG in any width. Not thread-safe while it is being built. */
public abstract class Chart {
  private final String title;
  private String caption = "";

  Chart(String title) {
    this.title = title;
  }

  /** What the chart says, in a sentence under it. */
  public final Chart caption(String text) {
    caption = text;
    return this;
  }

  public final String title() {
    return title;
  }

  final String caption() {
    return caption;
  }

  abstract int height(int width);

  /** Draws into a space of the given width and {@link #height}, the origin at the upper left. */
  abstract void draw(Svg svg, int width);

  /** The chart as an SVG element for inside a page; the page's style sheet colours it. */
  final String svg(int width) {
    Svg svg = new Svg();
    draw(svg, width);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
        + width
        + " "
        + height(width)
        + "\" role=\"img\" aria-label=\""
        + Html.escape(title)
        + "\">\n"
        + svg
        + "</svg>\n";
  }
}
