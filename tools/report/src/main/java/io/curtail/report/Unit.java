/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.DoubleFunction;

/** What a number on an axis or in a table means, and how it is written for a reader. */
public enum Unit {
  /** A number without a unit. */
  PLAIN(Unit::digits),
  /** Latency in milliseconds, written in the prefix that reads best: 250 µs, 1.5 ms, 2 s. */
  MILLISECONDS(Unit::milliseconds),
  /** Elapsed time in seconds. */
  SECONDS(value -> digits(value) + " s"),
  /** A share between 0 and 1, written in percent. */
  SHARE(value -> digits(value * 100) + " %"),
  /** A percentile between 0 and 100. */
  PERCENTILE(value -> "p" + digits(value, 6)),
  /** A count of things; thousands and millions are shortened. */
  COUNT(Unit::shortened),
  /** Requests a second. */
  RATE(value -> shortened(value) + "/s"),
  /** Memory or disk in bytes, powers of 1024. */
  BYTES(Unit::bytes),
  /** One measurement divided by another: ×0.52. */
  RATIO(value -> (Double.isFinite(value) ? "×" : "") + digits(value));

  @SuppressWarnings("ImmutableEnumChecker") // functions of their argument alone
  private final DoubleFunction<String> format;

  Unit(DoubleFunction<String> format) {
    this.format = format;
  }

  /** The value with its unit, at most three significant digits. */
  public String format(double value) {
    return format.apply(value);
  }

  private static String milliseconds(double value) {
    double size = Math.abs(value);
    if (size != 0 && size < 0.9995) {
      return digits(value * 1_000) + " µs";
    }
    return size < 999.5 ? digits(value) + " ms" : digits(value / 1_000) + " s";
  }

  private static String bytes(double value) {
    String[] prefixes = {" B", " KiB", " MiB", " GiB", " TiB"};
    double scaled = value;
    int prefix = 0;
    while (Math.abs(scaled) >= 1024 && prefix < prefixes.length - 1) {
      scaled /= 1024;
      prefix++;
    }
    return digits(scaled) + prefixes[prefix];
  }

  private static String shortened(double value) {
    double size = Math.abs(value);
    if (size >= 999_500) {
      return digits(value / 1e6) + "M";
    }
    return size >= 9_995 ? digits(value / 1e3) + "k" : digits(value, 4);
  }

  static String digits(double value) {
    return digits(value, 3);
  }

  static String digits(double value, int significant) {
    if (!Double.isFinite(value)) {
      return "–";
    }
    BigDecimal rounded =
        new BigDecimal(value).round(new MathContext(significant, RoundingMode.HALF_UP));
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}
