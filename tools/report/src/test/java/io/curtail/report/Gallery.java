/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Every kind of content once, from seeded random data: what the tests examine and a person views.
 */
final class Gallery {
  private final SplittableRandom random = new SplittableRandom(7);

  Page page() {
    return new Page("Every part of a page", "Seeded random data, only to look at the drawing.")
        .section("Numbers first")
        .tiles(
            List.of(
                new Tile("−47 %", "median latency", "95 % interval −44 % to −49 %", Tile.Tone.GOOD),
                new Tile("×1.02", "p99.9", "not resolved: ×0.91 to ×1.13", Tile.Tone.NEUTRAL),
                new Tile("8.3 %", "requests touched", "stock; 0.1 % expected", Tile.Tone.BAD)))
        .prose("A paragraph with <markup> & entities that must be shown as typed.")
        .code("./curtail lab run zones --pairs 8")
        .section("Curves")
        .chart(percentiles())
        .chart(overTime())
        .section("Bars and intervals")
        .chart(
            new BarChart("Share of requests by node", shareAxis(), List.of("n1", "n2", "n3"))
                .add("stock", 2, 0.34, 0.33, 0.33)
                .add("curtail", 1, 0.45, 0.1, 0.45)
                .caption("The second node is slow."))
        .chart(intervals())
        .heading("As numbers")
        .table(new Table(1, "policy", "p50", "p99").row("stock", "1 ms", "9 ms"))
        .details("All pairs", new Table(1, "pair", "p50").row("1", "1 ms").row("2", "1.1 ms"));
  }

  Chart overTime() {
    double[] x = new double[60];
    double[] stock = new double[60];
    double[] low = new double[60];
    double[] high = new double[60];
    double[] curtail = new double[60];
    for (int i = 0; i < x.length; i++) {
      x[i] = i;
      boolean fault = (i >= 20 && i < 30) || (i >= 45 && i < 50);
      stock[i] = (fault ? 900 : 4) * (0.8 + 0.4 * random.nextDouble());
      low[i] = stock[i] * 0.7;
      high[i] = stock[i] * 1.5;
      curtail[i] = (fault ? 9 : 3.5) * (0.8 + 0.4 * random.nextDouble());
    }
    curtail[33] = Double.NaN;
    return new LineChart(
            "p99 over time",
            Axis.linear("time", Unit.SECONDS),
            Axis.logarithmic("latency", Unit.MILLISECONDS))
        .mark("node 2 paused", 20, 30)
        .mark("node 2 paused", 45, 50)
        .add(Series.of("stock", x, stock).colour(2).band(low, high))
        .add(Series.of("curtail", x, curtail).colour(1))
        .caption("Each point is one second.");
  }

  LineChart percentiles() {
    LineChart chart =
        new LineChart(
            "Latency by percentile",
            Axis.percentile("percentile"),
            Axis.logarithmic("latency", Unit.MILLISECONDS));
    double[] x = {0, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
    String[] names = {"Default", "Basic", "weighted-least-loaded", "c3", "curtail"};
    for (int s = 0; s < names.length; s++) {
      double[] y = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        y[i] = (5.0 - s) * 0.2 * Math.pow(-Math.log10(1 - x[i] / 100) + 0.7, 1.6);
      }
      chart.add(Series.of(names[s], x, y));
    }
    return chart;
  }

  private static IntervalChart intervals() {
    return new IntervalChart(
            "Curtail divided by stock", Axis.logarithmic("ratio (less is better)", Unit.RATIO), 1)
        .add("zones, ONE: p50", 1, 0.53, 0.51, 0.55)
        .add("zones, QUORUM: p50", 1, 0.86, 0.83, 0.9)
        .add("steady: p99", 8, 1.01, 0.92, 1.1);
  }

  private static Axis shareAxis() {
    return Axis.linear("share", Unit.SHARE);
  }
}
