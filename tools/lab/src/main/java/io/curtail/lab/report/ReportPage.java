/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.campaign.Interval;
import io.curtail.lab.disturbance.PausingNode;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.Run;
import io.curtail.lab.experiment.RunQuality;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.Settings;
import io.curtail.report.Page;
import io.curtail.report.Table;
import io.curtail.report.Tile;
import io.curtail.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** The results as a page for people. */
final class ReportPage {
  private final List<Scenario> scenarios;
  private final List<ConditionResult> results;
  private final Settings settings;
  private final boolean interrupted;

  ReportPage(
      List<Scenario> scenarios,
      List<ConditionResult> results,
      Settings settings,
      boolean interrupted) {
    this.scenarios = scenarios;
    this.results = results;
    this.settings = settings;
    this.interrupted = interrupted;
  }

  Page page() {
    Page page =
        new Page(
            "Curtail beside stock",
            "Measured on real Apache Cassandra "
                + settings.cassandraVersion()
                + " nodes on one machine. The arms took turns on the same cluster, in random order,"
                + " with the same requests.");
    if (interrupted) {
      page.prose("The run was interrupted: this is what was finished.");
    }
    for (Scenario scenario : scenarios) {
      List<ConditionResult> own =
          results.stream()
              .filter(result -> result.condition().scenario().equals(scenario.name()))
              .toList();
      if (!own.isEmpty()) {
        page.section(scenario.name()).prose(scenario.explanation());
        own.forEach(result -> condition(page, result));
      }
    }
    method(page);
    return page;
  }

  private void condition(Page page, ConditionResult result) {
    Comparison comparison = new Comparison(result, settings.seed());
    ReportCharts charts = new ReportCharts(result, comparison);
    page.heading(result.condition().label());
    if (!result.isValid()) {
      page.prose(
          "NOT VALID: in every block a run broke one of the rules below, so these numbers say"
              + " more about the machine than about the arms.");
    }
    page.tiles(tiles(result, comparison));
    page.table(table(result, comparison));
    page.chart(charts.percentiles());
    page.chart(charts.latencyRatios());
    if (result.condition().findsCeiling()) {
      page.chart(charts.throughputRatios());
    }
    if (result.condition().changes()) {
      page.chart(charts.overTime());
    }
    if (result.condition().hasKnownSickNodes()) {
      page.chart(charts.disturbedNodeOverTime());
      page.chart(charts.disturbedReadsOverTime());
    }
    page.chart(charts.busiestNode());
    page.chart(charts.nodeShares());
    if (!result.condition().findsCeiling()) {
      page.details("Each coordinator's share over time", charts.nodeSharesOverTime());
    }
    page.details("Every run", runs(result));
  }

  private static List<Tile> tiles(ConditionResult result, Comparison comparison) {
    List<Tile> tiles = new ArrayList<>();
    Condition condition = result.condition();
    for (String arm : result.arms().subList(1, result.arms().size())) {
      if (condition.isDisturbed()) {
        Interval share = comparison.shareSlowerThan(result.healthyP999Micros(), arm);
        Interval ratio = comparison.ratioOfSharesSlowerThan(result.healthyP999Micros(), arm);
        String reference =
            Unit.SHARE.format(
                comparison
                    .shareSlowerThan(result.healthyP999Micros(), result.reference())
                    .estimate());
        tiles.add(
            new Tile(
                Unit.SHARE.format(share.estimate()),
                "requests touched, " + arm,
                reference + " with " + result.reference() + ": " + ReportText.describe(ratio),
                tone(ratio, false)));
      }
      Metric headline = condition.findsCeiling() ? Metric.THROUGHPUT : Metric.P50;
      for (Metric metric : List.of(headline, Metric.P999)) {
        tiles.add(tile(result, comparison, metric, arm));
      }
    }
    return tiles;
  }

  private static Tile tile(
      ConditionResult result, Comparison comparison, Metric metric, String arm) {
    Interval ratio = comparison.ratio(metric, arm);
    return new Tile(
        change(ratio.estimate()),
        metric.label() + ", " + arm + " against " + result.reference(),
        ReportText.describe(ratio) + ", " + ratio.samples() + " blocks",
        tone(ratio, metric == Metric.THROUGHPUT));
  }

  private static String change(double ratio) {
    double percent = (ratio - 1) * 100;
    return (percent < 0 ? "−" : "+") + Unit.PLAIN.format(Math.abs(percent)) + " %";
  }

  /** Neutral when the interval has room for no difference. */
  private static Tile.Tone tone(Interval ratio, boolean moreIsBetter) {
    if (!ratio.excludes(1)) {
      return Tile.Tone.NEUTRAL;
    }
    return ratio.estimate() > 1 == moreIsBetter ? Tile.Tone.GOOD : Tile.Tone.BAD;
  }

  private static Table table(ConditionResult result, Comparison comparison) {
    boolean disturbed = result.condition().isDisturbed();
    List<String> columns =
        new ArrayList<>(
            List.of(
                "arm",
                "requests",
                "requests/s",
                "errors",
                "p50",
                "p95",
                "p99",
                "p99.9",
                "max",
                "node CPU"));
    if (disturbed) {
      columns.addAll(
          List.of("coordinated by it", "read by it", "touched", "share", "stuck > 100 ms"));
    }
    if (result.condition().disturbance() instanceof PausingNode) {
      columns.add("stuck per pause and client");
    }
    Table table = new Table(1, columns.toArray(new String[0]));
    for (String arm : result.arms()) {
      table.row(cells(result, comparison, arm));
    }
    return table;
  }

  private static List<String> cells(ConditionResult result, Comparison comparison, String arm) {
    Histogram pooled = result.pooled(arm);
    List<String> cells = new ArrayList<>();
    cells.add(arm);
    cells.add(Unit.COUNT.format((double) pooled.getTotalCount()));
    cells.add(Unit.COUNT.format(comparison.requestsPerSecond(arm)));
    cells.add(String.valueOf(comparison.errors(arm)));
    for (double percentile : new double[] {50, 95, 99, 99.9, 100}) {
      cells.add(Unit.MILLISECONDS.format(pooled.getValueAtPercentile(percentile) / 1e3));
    }
    cells.add(Unit.MILLISECONDS.format(comparison.nodeCpuMillis(arm)));
    if (result.condition().isDisturbed()) {
      long threshold = result.healthyP999Micros();
      long stuck = comparison.slowerThan(CampaignReport.STUCK_MILLIS * 1_000, arm);
      cells.add(Unit.SHARE.format(Shares.ofDisturbed(result.runs(arm))));
      cells.add(Unit.SHARE.format(ReadShares.ofDisturbed(result.runs(arm))));
      cells.add(String.valueOf(comparison.slowerThan(threshold, arm)));
      cells.add(Unit.SHARE.format(comparison.shareSlowerThan(threshold, arm).estimate()));
      cells.add(String.valueOf(stuck));
      int clients = result.runs(arm).get(0).result().byZone().size();
      Double perPause = CampaignReport.stuckPerPauseAndClient(result, stuck, clients);
      if (perPause != null) {
        cells.add(Unit.PLAIN.format(perPause));
      }
    }
    return cells;
  }

  private static Table runs(ConditionResult result) {
    Table table =
        new Table(
            3,
            "block",
            "arm",
            "note",
            "p50",
            "p99",
            "p99.9",
            "generator late p99",
            "other programs");
    for (Run run : result.runs()) {
      Histogram all = run.result().all();
      String note =
          (result.condition().isDisturbed() && !run.disturbed() ? "all well" : "")
              + (run.counts() ? "" : " discarded: " + String.join("; ", run.violations()));
      table.row(
          run.block() + "." + run.order(),
          run.arm(),
          note.strip(),
          Unit.MILLISECONDS.format(all.getValueAtPercentile(50) / 1e3),
          Unit.MILLISECONDS.format(all.getValueAtPercentile(99) / 1e3),
          Unit.MILLISECONDS.format(all.getValueAtPercentile(99.9) / 1e3),
          Unit.MILLISECONDS.format(run.quality().latenessP99Millis()),
          Unit.SHARE.format(run.quality().foreignCpuShare()));
    }
    return table;
  }

  private void method(Page page) {
    RunQuality.Rules rules = settings.rules();
    page.section("How it was measured")
        .prose(
            "Requests arrive at random times (Poisson), whether or not earlier ones were answered,"
                + " and a latency counts from the moment a request should have been sent. An error"
                + " or a timeout counts as at least the client's timeout. Where a throughput is"
                + " sought, each client instead asks again as soon as it is answered.")
        .prose(differences())
        .prose(
            "The distance between a client and a node is added to the node's answers in the client's"
                + " process, and measured in every run. Messages between nodes are not delayed"
                + " unless the cluster has a network of its own.")
        .prose(
            "Node CPU is the processor time of all nodes divided by the requests answered while it"
                + " was taken: reads, writes, probes and all that a node does beside them.")
        .prose(
            "Ratios are taken within a block, in which all arms see the same requests; their"
                + " intervals (95 %) come from resampling the blocks (BCa bootstrap). With few blocks"
                + " an interval is a rough guide.")
        .prose(
            "Rules fixed beforehand discard a run, and with it its block, if the generator was more"
                + " than "
                + Unit.MILLISECONDS.format(rules.latenessP99Millis())
                + " late at p99, if zone latencies were off by more than "
                + Unit.MILLISECONDS.format(rules.delayErrorMedianMillis())
                + " at the median or more than "
                + Unit.SHARE.format(rules.delayLateShare())
                + " of the answers were held half a millisecond too long, or if other programs took"
                + " more than "
                + Unit.SHARE.format(rules.foreignCpuShare())
                + " of the processors.")
        .table(facts());
  }

  private String differences() {
    return scenarios.stream()
        .map(scenario -> scenario.arms().difference())
        .distinct()
        .collect(Collectors.joining(" "));
  }

  private Table facts() {
    Table table = new Table(2, "machine and software", "");
    Map<String, String> machine = MachineFacts.machine();
    machine.putAll(MachineFacts.versions(settings.cassandraVersion()));
    machine.put("seed", String.valueOf(settings.seed()));
    machine.put("rows", String.valueOf(settings.rows()));
    machine.forEach(table::row);
    return table;
  }
}
