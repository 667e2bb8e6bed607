/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.report.Axis;
import io.curtail.report.BarChart;
import io.curtail.report.Chart;
import io.curtail.report.Figure;
import io.curtail.report.LineChart;
import io.curtail.report.Page;
import io.curtail.report.Series;
import io.curtail.report.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** {@code report.html}: a figure for each family of cells, then all numbers. */
public final class CampaignReport {
  private static final int MOST_FIGURES_OVER_TIME = 6;
  private static final int FIGURE_WIDTH = 860;

  private final Campaign campaign;
  private final Map<String, Integer> colours = new LinkedHashMap<>();
  private final Map<String, Chart> charts = new LinkedHashMap<>();

  public CampaignReport(Campaign campaign) {
    this.campaign = campaign;
    campaign.results().forEach(result -> colour(result.policy()));
  }

  private int colour(String policy) {
    return colours.computeIfAbsent(policy, name -> colours.size() + 1);
  }

  /** Writes the page. */
  public void write(Path file, List<Experiment> experiments, String command) throws IOException {
    Page page =
        new Page(
            "Replica selection in simulated time",
            "Latency counts from the arrival at the client. Every policy sees the same arrivals,"
                + " keys, service times and changes of speed.");
    page.code(command);
    for (Experiment experiment : experiments) {
      List<Campaign.Kept> outcomes =
          campaign.kept().stream()
              .filter(outcome -> outcome.result().experiment().equals(experiment.name()))
              .toList();
      if (!outcomes.isEmpty()) {
        section(page, experiment, outcomes);
      }
    }
    page.write(file);
  }

  private void draw(Page page, Experiment experiment, Chart chart) {
    page.chart(chart);
    String title = experiment.name() + " " + chart.title();
    String name = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-");
    charts.put(name, chart);
  }

  /** Writes each figure of the page as a file of its own. To be called after {@link #write}. */
  public void writeFigures(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, Chart> chart : charts.entrySet()) {
      Figure.write(folder.resolve(chart.getKey() + ".svg"), chart.getValue(), FIGURE_WIDTH);
    }
  }

  private void section(Page page, Experiment experiment, List<Campaign.Kept> outcomes) {
    page.section(experiment.name()).prose(experiment.shows());
    List<Result> results = outcomes.stream().map(Campaign.Kept::result).toList();
    if (experiment.axis() != null) {
      figuresAgainstAxis(page, experiment, results);
    } else {
      bars(page, experiment, results);
    }
    List<Campaign.Kept> drawn =
        outcomes.stream().filter(outcome -> outcome.distribution() != null).toList();
    if (!drawn.isEmpty()) {
      draw(page, experiment, percentiles(drawn));
      overTime(page, experiment, drawn);
    }
    page.details("All numbers", Summary.table(results));
  }

  /** A figure for each combination of the other parameters: p99.9 and p99 against the axis. */
  private void figuresAgainstAxis(Page page, Experiment experiment, List<Result> results) {
    Map<String, List<Result>> families = new LinkedHashMap<>();
    for (Result result : results) {
      Map<String, Object> rest = new LinkedHashMap<>(result.cell());
      rest.remove(experiment.axis());
      families.computeIfAbsent(Summary.name(rest), name -> new ArrayList<>()).add(result);
    }
    families.forEach(
        (name, family) -> {
          draw(
              page,
              experiment,
              against(experiment.axis(), "p99.9, " + name, family, Result::p999Millis));
          draw(
              page,
              experiment,
              against(experiment.axis(), "p99, " + name, family, Result::p99Millis));
        });
  }

  private LineChart against(
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

  private void bars(Page page, Experiment experiment, List<Result> results) {
    List<String> cells =
        results.stream().map(result -> Summary.name(result.cell())).distinct().toList();
    BarChart chart =
        BarChart.grouped("p99.9", Axis.logarithmic("latency", Unit.MILLISECONDS), cells);
    Map<Summary.Key, List<Result>> groups = Summary.bySeeds(results);
    for (String policy : results.stream().map(Result::policy).distinct().toList()) {
      Double[] values = new Double[cells.size()];
      groups.forEach(
          (key, seeds) -> {
            if (key.policy().equals(policy)) {
              values[cells.indexOf(Summary.name(key.cell()))] =
                  Summary.mean(seeds, Result::p999Millis);
            }
          });
      chart.add(policy, colour(policy), values);
    }
    draw(page, experiment, chart.caption("Means over the seeds."));
  }

  /** The whole distribution in the first cell, first seed. */
  private LineChart percentiles(List<Campaign.Kept> outcomes) {
    Result first = outcomes.get(0).result();
    LineChart chart =
        new LineChart(
            "Latency by percentile, " + Summary.name(first.cell()),
            Axis.percentile("percentile"),
            Axis.logarithmic("latency", Unit.MILLISECONDS));
    for (Campaign.Kept outcome : ofCell(outcomes, first)) {
      String policy = outcome.result().policy();
      Distribution latency = outcome.distribution();
      chart.add(Series.of(policy, latency.percentiles(), latency.millis()).colour(colour(policy)));
    }
    return chart.caption("Seed " + first.seed() + ".");
  }

  private static List<Campaign.Kept> ofCell(List<Campaign.Kept> outcomes, Result cell) {
    return outcomes.stream()
        .filter(
            outcome ->
                outcome.result().cell().equals(cell.cell())
                    && outcome.result().seed() == cell.seed())
        .toList();
  }

  private void overTime(Page page, Experiment experiment, List<Campaign.Kept> outcomes) {
    List<Campaign.Kept> some =
        ofCell(outcomes, outcomes.get(0).result()).stream().limit(MOST_FIGURES_OVER_TIME).toList();
    Axis rate = Axis.linear("served", Unit.RATE);
    Axis waiting = Axis.linear("waiting", Unit.COUNT);
    Axis score = Axis.logarithmic("score", Unit.MILLISECONDS);
    Axis limit = Axis.linear("limit", Unit.RATE);
    draw(page, experiment, time("Reads served by server 0", rate, some, Samples::served));
    draw(page, experiment, time("Queue of server 0", waiting, some, Samples::queue));
    draw(
        page,
        experiment,
        time("Longest queue of all servers", waiting, some, Samples::longestQueue));
    draw(page, experiment, time("Score that client 0 gives server 0", score, some, Samples::score));
    draw(page, experiment, time("Rate limit of client 0 to server 0", limit, some, Samples::rate));
  }

  private LineChart time(
      String title, Axis axis, List<Campaign.Kept> outcomes, Function<Samples, double[]> samples) {
    LineChart chart = new LineChart(title, Axis.linear("time", Unit.SECONDS), axis);
    for (Campaign.Kept outcome : outcomes) {
      double[] y = samples.apply(outcome.samples());
      if (Arrays.stream(y).anyMatch(value -> value > 0)) {
        String policy = outcome.result().policy();
        chart.add(Series.of(policy, outcome.samples().seconds(), y).colour(colour(policy)));
      }
    }
    return chart;
  }
}
