/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.campaign.Interval;
import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.load.Joiners;
import io.curtail.lab.load.LoadResult;
import io.curtail.report.Axis;
import io.curtail.report.BarChart;
import io.curtail.report.Chart;
import io.curtail.report.IntervalChart;
import io.curtail.report.LineChart;
import io.curtail.report.Series;
import io.curtail.report.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** The pictures of one condition; an arm has the same colour in all of them. */
record ReportCharts(ConditionResult result, Comparison comparison) {
  private static final int[] COLOURS = {2, 1, 8, 3, 4, 5, 6, 7};

  private int colour(String arm) {
    return colour(result, arm);
  }

  static int colour(ConditionResult result, String arm) {
    return COLOURS[result.arms().indexOf(arm) % COLOURS.length];
  }

  /** The pictures by the names of their files, in the order of the page. */
  Map<String, Chart> main() {
    Condition condition = result.condition();
    Map<String, Chart> charts = new LinkedHashMap<>();
    charts.put("percentiles", LatencyChart.of(result));
    charts.put("ratios", latencyRatios());
    if (condition.findsCeiling()) {
      charts.put("throughput", throughputRatios());
    }
    if (condition.changes()) {
      charts.put("over-time", overTime());
    }
    if (condition.hasKnownSickNodes()) {
      charts.put("sick-node", disturbedNodeOverTime());
      charts.put("sick-node-reads", disturbedReadsOverTime());
    }
    if (result.nodes() > 1) {
      charts.put("busiest-node", busiestNode());
    }
    return charts;
  }

  /** Of a node that gets slower step by step. */
  List<Chart> steps() {
    return List.of(overTime(), disturbedNodeOverTime(), disturbedReadsOverTime());
  }

  private Chart overTime() {
    return overTime(
            "Latency over time: p99 in each second",
            Axis.logarithmic("p99", Unit.MILLISECONDS),
            this::p99InEachSecond)
        .caption("By the second in which a request should have been sent, all runs together.");
  }

  private double[] p99InEachSecond(String arm) {
    List<LoadResult> runs = result.runs(arm).stream().map(ArmRun::result).toList();
    double[] millis = new double[runs.get(0).seconds().size()];
    for (int second = 0; second < millis.length; second++) {
      Histogram pooled = new Histogram(3);
      for (LoadResult run : runs) {
        pooled.add(run.seconds().get(second));
      }
      millis[second] =
          pooled.getTotalCount() == 0 ? Double.NaN : pooled.getValueAtPercentile(99) / 1e3;
    }
    return millis;
  }

  /** In each second, what the node served from its storage that served most. */
  private Chart busiestNode() {
    return overTime(
            "Reads that the busiest node served from its storage",
            Axis.linear("reads a second", Unit.RATE),
            arm -> meanOverRuns(arm, run -> run.reads().busiestNode()))
        .caption(
            "In each second the node that served most, whichever it was, mean over the runs. Copies"
                + " that are asked for digests, retries or probes count as well.");
  }

  private Chart disturbedReadsOverTime() {
    return overTime(
            "Share of the reads served by storage that is not well",
            Axis.linear("share", Unit.SHARE),
            arm -> meanOverRuns(arm, run -> Shares.READ.overTime(run, run.nodes())))
        .caption("Whoever coordinated them. The nodes are others in each block; this is the mean.");
  }

  private Chart disturbedNodeOverTime() {
    return overTime(
            "Share of the requests coordinated by the node that is not well",
            Axis.linear("share", Unit.SHARE),
            arm -> meanOverRuns(arm, run -> Shares.COORDINATED.overTime(run, run.nodes())))
        .caption(
            "The node is another one in each block; this is the mean over the blocks. A request"
                + " counts in the second in which it should have been sent, so what waits for a"
                + " paused node counts while the node is paused.");
  }

  private Chart overTime(String title, Axis axis, Function<String, double[]> inEachSecond) {
    LineChart chart = new LineChart(title, Axis.linear("time in the run", Unit.SECONDS), axis);
    mark(chart);
    for (String arm : result.arms()) {
      double[] y = inEachSecond.apply(arm);
      chart.add(Series.of(arm, middles(y.length), y).colour(colour(arm)));
    }
    return chart;
  }

  private double[] meanOverRuns(String arm, Function<ArmRun, double[]> inEachSecond) {
    List<ArmRun> runs = result.runs(arm);
    double[] mean = new double[runs.get(0).result().seconds().size()];
    for (ArmRun run : runs) {
      double[] values = inEachSecond.apply(run);
      for (int second = 0; second < mean.length; second++) {
        mean[second] += values[second] / runs.size();
      }
    }
    return mean;
  }

  private void mark(LineChart chart) {
    Condition condition = result.condition();
    Duration length = condition.load().length();
    if (condition.isDisturbed()) {
      for (Disturbance.Span span : condition.disturbance().spans(length)) {
        chart.mark(condition.disturbance().label(), span.fromSeconds(), span.toSeconds());
      }
    }
    Joiners joiners = condition.load().joiners();
    if (joiners != null) {
      String label = joiners.generators() + " more generators";
      chart.mark(label, joiners.after().toMillis() / 1e3, length.toMillis() / 1e3);
    }
  }

  private static double[] middles(int seconds) {
    return IntStream.range(0, seconds).mapToDouble(second -> second + 0.5).toArray();
  }

  /** What clients get, and how long it takes, from few clients to many. */
  Chart throughputAndP99() {
    LineChart chart =
        new LineChart(
            "Throughput and p99, " + result.condition().load().mix().description(),
            Axis.linear("requests a second", Unit.RATE),
            Axis.logarithmic("p99", Unit.MILLISECONDS));
    List<ConditionResult> family = comparison.family();
    for (String arm : result.arms()) {
      double[][] points =
          family.stream()
              .map(
                  each ->
                      new double[] {
                        mean(each, arm, Metric.THROUGHPUT), mean(each, arm, Metric.P99)
                      })
              .sorted(Comparator.comparingDouble(point -> point[0]))
              .toArray(double[][]::new);
      double[] x = Arrays.stream(points).mapToDouble(point -> point[0]).toArray();
      double[] y = Arrays.stream(points).mapToDouble(point -> point[1]).toArray();
      chart.add(Series.of(arm, x, y).colour(colour(arm)));
    }
    return chart.caption(
        "Each point is a number of clients that send one request after the other; right and low is"
            + " better.");
  }

  private static double mean(ConditionResult of, String arm, Metric metric) {
    return of.runs(arm).stream().mapToDouble(metric::of).average().orElse(Double.NaN);
  }

  private Chart latencyRatios() {
    IntervalChart chart = ratios("Latency", "less");
    for (String arm : result.challengers()) {
      for (Metric metric : Metric.values()) {
        if (metric.isLatency()) {
          add(chart, arm, metric.label(), comparison.ratio(metric, arm));
        }
      }
      if (result.condition().isDisturbed()) {
        Interval touched = comparison.ratioOfSharesSlowerThan(result.healthyP999Micros(), arm);
        add(chart, arm, "touched", touched);
      }
    }
    return captioned(chart);
  }

  private Chart throughputRatios() {
    IntervalChart chart = ratios("Throughput", "more");
    for (String arm : result.challengers()) {
      Metric metric = Metric.THROUGHPUT;
      add(chart, arm, metric.label(), comparison.ratio(metric, arm));
    }
    return captioned(chart);
  }

  private IntervalChart ratios(String of, String better) {
    return new IntervalChart(
        of + " divided by that of " + result.reference(),
        Axis.logarithmic("ratio, " + better + " is better", Unit.RATIO),
        1);
  }

  private Chart captioned(IntervalChart chart) {
    return chart.caption(
        "The dot is the estimate, the bar its 95 % interval over "
            + result.blocks().size()
            + " blocks. A bar across the dashed line has room for no difference.");
  }

  private void add(IntervalChart chart, String arm, String metric, Interval ratio) {
    if (ratio.estimate() > 0 && Double.isFinite(ratio.estimate())) {
      boolean bounded = ratio.low() > 0 && Double.isFinite(ratio.high());
      chart.add(
          arm + ", " + metric,
          colour(arm),
          ratio.estimate(),
          bounded ? ratio.low() : ratio.estimate(),
          bounded ? ratio.high() : ratio.estimate());
    }
  }

  BarChart nodeShares() {
    List<String> nodes = nodes();
    BarChart chart =
        new BarChart(
            "Share of the requests by coordinator", Axis.linear("share", Unit.SHARE), names(nodes));
    for (String arm : result.arms()) {
      Map<String, Double> shares = Shares.COORDINATED.of(result.runs(arm));
      chart.add(
          arm,
          colour(arm),
          nodes.stream().map(node -> shares.getOrDefault(node, 0.0)).toArray(Double[]::new));
    }
    return chart;
  }

  /** One picture an arm, of its run in the first block. */
  List<LineChart> nodeSharesOverTime() {
    List<LineChart> charts = new ArrayList<>();
    List<String> nodes = nodes();
    for (String arm : result.arms()) {
      ArmRun run = result.runs(arm).get(0);
      LineChart chart =
          new LineChart(
              arm + ", block " + run.block(),
              Axis.linear("time in the run", Unit.SECONDS),
              Axis.linear("share", Unit.SHARE));
      if (run.disturbed()) {
        mark(chart);
      }
      for (String node : nodes) {
        double[] shares = Shares.COORDINATED.overTime(run, List.of(node));
        String name = name(nodes, node) + (run.nodes().contains(node) ? " (not well)" : "");
        chart.add(Series.of(name, middles(shares.length), shares));
      }
      charts.add(chart);
    }
    return charts;
  }

  private List<String> nodes() {
    return result.runs().stream()
        .flatMap(run -> run.result().requestsByNode().keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }

  private static List<String> names(List<String> nodes) {
    return nodes.stream().map(node -> name(nodes, node)).toList();
  }

  private static String name(List<String> nodes, String node) {
    return "node " + (nodes.indexOf(node) + 1);
  }
}
