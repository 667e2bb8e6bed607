/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.Locale;

/** Writes SVG elements, coordinates with one decimal so that files diff well. */
final class Svg {
  private final StringBuilder out = new StringBuilder();

  Svg raw(String element) {
    out.append(element).append('\n');
    return this;
  }

  Svg line(double x1, double y1, double x2, double y2, String cssClass) {
    return raw(
        String.format(
            Locale.ROOT,
            "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>",
            cssClass,
            number(x1),
            number(y1),
            number(x2),
            number(y2)));
  }

  /** The anchor is start, middle or end. */
  Svg text(double x, double y, String anchor, String cssClass, String text) {
    return raw(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>",
            cssClass,
            number(x),
            number(y),
            anchor,
            Html.escape(text)));
  }

  Svg rectangle(double x, double y, double width, double height, String cssClass, String tip) {
    String body = tip == null ? "/>" : "><title>" + Html.escape(tip) + "</title></rect>";
    return raw(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"%s",
            cssClass,
            number(x),
            number(y),
            number(Math.max(0, width)),
            number(Math.max(0, height)),
            body));
  }

  Svg circle(double x, double y, double radius, String cssClass) {
    return raw(
        String.format(
            Locale.ROOT,
            "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>",
            cssClass,
            number(x),
            number(y),
            number(radius)));
  }

  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
