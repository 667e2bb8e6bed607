/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import java.util.List;

/**
 * The throughput that a node reaches while its p99 stays at or below a bound. Between two measured
 * numbers of clients both are taken to change in proportion.
 */
final class EqualP99 {
  private EqualP99() {}

  /** A number of clients, measured. */
  record Point(double requestsPerSecond, double p99Millis) {}

  /**
   * The most that is answered within a bound.
   *
   * @param points by ascending number of clients
   * @return NaN if even the first point is above the bound
   */
  static double throughput(List<Point> points, double boundMillis) {
    double best = Double.NaN;
    Point previous = null;
    for (Point point : points) {
      if (point.p99Millis() <= boundMillis) {
        best = larger(best, point.requestsPerSecond());
      } else if (previous != null && previous.p99Millis() <= boundMillis) {
        double way =
            (boundMillis - previous.p99Millis()) / (point.p99Millis() - previous.p99Millis());
        best =
            larger(
                best,
                previous.requestsPerSecond()
                    + way * (point.requestsPerSecond() - previous.requestsPerSecond()));
      }
      previous = point;
    }
    return best;
  }

  private static double larger(double a, double b) {
    return Double.isNaN(a) ? b : Math.max(a, b);
  }
}
