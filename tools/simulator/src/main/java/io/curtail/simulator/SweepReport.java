/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.campaign.Report;
import io.curtail.report.Axis;
import io.curtail.report.BarChart;
import io.curtail.report.Chart;
import io.curtail.report.IntervalChart;
import io.curtail.report.LineChart;
import io.curtail.report.Page;
import io.curtail.report.Series;
import io.curtail.report.Unit;
import io.curtail.simulator.Samples.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;

/** A figure for each family of cells, then all numbers. Immutable. */
public record SweepReport(
    List<Experiment> experiments,
    List<ExperimentSweep.Kept> kept,
    String command,
    boolean isInterrupted,
    boolean isSuccess)
    implements Report {
  static final String FILE = "results.json";
  private static final String INTERRUPTED = "The run was interrupted: this is what was finished.";
  private static final int MOST_FIGURES_OVER_TIME = 6;

  @Override
  public boolean isEmpty() {
    return kept.isEmpty();
  }

  @Override
  public String dataFile() {
    return FILE;
  }

  @Override
  public List<Result> data() {
    return results(kept);
  }

  private static List<Result> results(List<ExperimentSweep.Kept> outcomes) {
    return outcomes.stream().map(ExperimentSweep.Kept::result).toList();
  }

  @Override
  public String toText() {
    return Summary.table(data()).toText() + (isInterrupted ? "\n" + INTERRUPTED + "\n" : "");
  }

  @Override
  public Page page() {
    Page page =
        new Page(
            "Replica selection in simulated time",
            "Latency counts from the arrival at the client. Every policy sees the same arrivals,"
                + " keys, service times and changes of speed.");
    page.code(command);
    if (isInterrupted) {
      page.prose(INTERRUPTED);
    }
    for (Experiment experiment : experiments) {
      List<ExperimentSweep.Kept> outcomes = outcomes(experiment);
      if (!outcomes.isEmpty()) {
        page.section(experiment.name()).prose(experiment.shows());
        charts(experiment, outcomes).forEach(page::chart);
        page.details("All numbers", Summary.table(results(outcomes)));
      }
    }
    return page;
  }

  @Override
  public Map<String, Chart> figures() {
    Map<String, Chart> figures = new LinkedHashMap<>();
    for (Experiment experiment : experiments) {
      for (Chart chart : charts(experiment, outcomes(experiment))) {
        String title = experiment.name() + " " + chart.title();
        figures.put(title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-"), chart);
      }
    }
    return figures;
  }

  private List<ExperimentSweep.Kept> outcomes(Experiment experiment) {
    return kept.stream()
        .filter(outcome -> outcome.result().experiment().equals(experiment.name()))
        .toList();
  }

  /** The same in all figures. */
  private int colour(String policy) {
    return 1 + data().stream().map(Result::policy).distinct().toList().indexOf(policy);
  }

  private List<Chart> charts(Experiment experiment, List<ExperimentSweep.Kept> outcomes) {
    List<Result> results = results(outcomes);
    List<Chart> charts =
        new ArrayList<>(
            experiment.axis() == null
                ? List.of(bars(results))
                : againstAxis(experiment.axis(), results));
    List<ExperimentSweep.Kept> drawn =
        outcomes.stream().filter(outcome -> outcome.distribution() != null).toList();
    if (!drawn.isEmpty()) {
      List<ExperimentSweep.Kept> first = ofCell(drawn, drawn.get(0).result());
      charts.add(percentiles(first, new CellNames(results).name(first.get(0).result())));
      charts.addAll(overTime(first));
    }
    return charts;
  }

  /** A figure for each combination of the other parameters: p99.9 and p99 against the axis. */
  private List<Chart> againstAxis(String axis, List<Result> results) {
    Map<String, List<Result>> families = new LinkedHashMap<>();
    for (Result result : results) {
      Map<String, Object> rest = new LinkedHashMap<>(result.cell());
      rest.remove(axis);
      families.computeIfAbsent(Summary.name(rest), name -> new ArrayList<>()).add(result);
    }
    boolean onePoint =
        results.stream().map(result -> result.cell().get(axis)).distinct().count() == 1;
    List<Chart> charts = new ArrayList<>();
    families.forEach(
        (name, family) -> {
          String cell = onePoint ? Summary.name(family.get(0).cell()) : name;
          BiFunction<String, ToDoubleFunction<Result>, Chart> chart =
              onePoint
                  ? (title, value) -> rows(title, family, value)
                  : (title, value) -> against(axis, title, family, value);
          charts.add(chart.apply("p99.9, " + cell, Result::p999Millis));
          charts.add(chart.apply("p99, " + cell, Result::p99Millis));
        });
    return charts;
  }

  /** A row a policy, where the axis has one value only. */
  private Chart rows(String title, List<Result> results, ToDoubleFunction<Result> value) {
    IntervalChart chart =
        new IntervalChart(title, Axis.logarithmic("latency", Unit.MILLISECONDS), Double.NaN);
    Summary.bySeeds(results)
        .forEach(
            (key, seeds) ->
                chart.add(
                    key.policy(),
                    colour(key.policy()),
                    Summary.mean(seeds, value),
                    Summary.least(seeds, value),
                    Summary.most(seeds, value)));
    return chart.caption("Dots are means over the seeds, bars the least and the most.");
  }

  private Chart against(
      String axis, String title, List<Result> results, ToDoubleFunction<Result> value) {
    LineChart chart =
        new LineChart(
            title, Axis.linear(axis, Unit.PLAIN), Axis.logarithmic("latency", Unit.MILLISECONDS));
    Map<String, TreeMap<Double, List<Result>>> policies = new LinkedHashMap<>();
    for (Result result : results) {
      double x = ((Number) result.cell().get(axis)).doubleValue();
      policies
          .computeIfAbsent(result.policy(), policy -> new TreeMap<>())
          .computeIfAbsent(x, key -> new ArrayList<>())
          .add(result);
    }
    policies.forEach(
        (policy, points) -> {
          double[] x = points.keySet().stream().mapToDouble(Double::doubleValue).toArray();
          List<List<Result>> seeds = List.copyOf(points.values());
          double[] y = seeds.stream().mapToDouble(s -> Summary.mean(s, value)).toArray();
          double[] low = seeds.stream().mapToDouble(s -> Summary.least(s, value)).toArray();
          double[] high = seeds.stream().mapToDouble(s -> Summary.most(s, value)).toArray();
          chart.add(Series.of(policy, x, y).colour(colour(policy)).band(low, high));
        });
    return chart.caption("Lines are means over the seeds, bands the least and the most.");
  }

  private Chart bars(List<Result> results) {
    CellNames names = new CellNames(results);
    List<String> cells = results.stream().map(names::name).distinct().toList();
    BarChart chart = new BarChart("p99.9", Axis.logarithmic("latency", Unit.MILLISECONDS), cells);
    Map<Summary.Key, List<Result>> groups = Summary.bySeeds(results);
    for (String policy : results.stream().map(Result::policy).distinct().toList()) {
      Double[] values = new Double[cells.size()];
      groups.forEach(
          (key, seeds) -> {
            if (key.policy().equals(policy)) {
              values[cells.indexOf(names.name(key.experiment(), key.cell()))] =
                  Summary.mean(seeds, Result::p999Millis);
            }
          });
      chart.add(policy, colour(policy), values);
    }
    return chart.caption("Means over the seeds.");
  }

  /** The whole distribution in the first cell, first seed. */
  private Chart percentiles(List<ExperimentSweep.Kept> outcomes, String cell) {
    Result first = outcomes.get(0).result();
    LineChart chart =
        new LineChart(
            "Latency by percentile, " + cell,
            Axis.percentile("percentile"),
            Axis.logarithmic("latency", Unit.MILLISECONDS));
    for (ExperimentSweep.Kept outcome : outcomes) {
      String policy = outcome.result().policy();
      Distribution latency = outcome.distribution();
      chart.add(Series.of(policy, latency.percentiles(), latency.millis()).colour(colour(policy)));
    }
    return chart.caption("Seed " + first.seed() + ".");
  }

  private static List<ExperimentSweep.Kept> ofCell(
      List<ExperimentSweep.Kept> outcomes, Result cell) {
    return outcomes.stream()
        .filter(outcome -> outcome.result().cell().equals(cell.cell()))
        .filter(outcome -> outcome.result().seed() == cell.seed())
        .toList();
  }

  private List<Chart> overTime(List<ExperimentSweep.Kept> outcomes) {
    List<ExperimentSweep.Kept> some = outcomes.stream().limit(MOST_FIGURES_OVER_TIME).toList();
    Axis rate = Axis.linear("served", Unit.RATE);
    Axis waiting = Axis.linear("waiting", Unit.COUNT);
    Axis score = Axis.logarithmic("score", Unit.MILLISECONDS);
    Axis limit = Axis.linear("limit", Unit.RATE);
    return List.of(
        time("Reads served by server 0", rate, some, Sample::served),
        time("Queue of server 0", waiting, some, Sample::queue),
        time("Longest queue of all servers", waiting, some, Sample::longestQueue),
        time("Score that client 0 gives server 0", score, some, Sample::score),
        time("Rate limit of client 0 to server 0", limit, some, Sample::rate));
  }

  private Chart time(
      String title, Axis axis, List<ExperimentSweep.Kept> outcomes, ToDoubleFunction<Sample> of) {
    LineChart chart = new LineChart(title, Axis.linear("time", Unit.SECONDS), axis);
    List<String> drawn = new ArrayList<>();
    for (ExperimentSweep.Kept outcome : outcomes) {
      double[] y = outcome.samples().overTime(of);
      if (Arrays.stream(y).anyMatch(value -> value > 0)) {
        String policy = outcome.result().policy();
        drawn.add(policy);
        double[] seconds = outcome.samples().overTime(Sample::second);
        chart.add(Series.of(policy, seconds, y).colour(colour(policy)));
      }
    }
    return drawn.isEmpty() || drawn.size() == outcomes.size()
        ? chart
        : chart.caption(
            "Only " + String.join(", ", drawn) + (drawn.size() == 1 ? " has" : " have") + " one.");
  }
}
