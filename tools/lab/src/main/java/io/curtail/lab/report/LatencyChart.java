/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.experiment.ConditionResult;
import io.curtail.report.Axis;
import io.curtail.report.Chart;
import io.curtail.report.LineChart;
import io.curtail.report.Series;
import io.curtail.report.Unit;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/** What share of the requests took how long, a line an arm. */
public final class LatencyChart {
  private static final double FEWEST_BEYOND = 10;

  private LatencyChart() {}

  public static Chart of(ConditionResult result) {
    LineChart chart =
        new LineChart(
            "Latency by percentile",
            Axis.percentile("share of the requests that were faster"),
            Axis.logarithmic("latency", Unit.MILLISECONDS));
    for (String arm : result.arms()) {
      Histogram pooled = result.pooled(arm);
      double[] x = percentiles(pooled.getTotalCount());
      double[] y = DoubleStream.of(x).map(p -> pooled.getValueAtPercentile(p) / 1e3).toArray();
      chart.add(Series.of(arm, x, y).colour(ReportCharts.colour(result, arm)));
    }
    return chart.caption(
        "Every run of an arm together. The axis gives each further nine the same room.");
  }

  /** As far into the tail as some ten requests lie beyond. */
  private static double[] percentiles(long requests) {
    return DoubleStream.iterate(0, nines -> nines <= 4.0001, nines -> nines + 0.05)
        .map(nines -> Math.pow(10, -nines))
        .filter(beyond -> beyond * requests >= FEWEST_BEYOND)
        .map(beyond -> 100 * (1 - beyond))
        .toArray();
  }
}
