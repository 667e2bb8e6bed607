/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.campaign.Interval;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.RunQuality;
import io.curtail.lab.experiment.Scenario;
import io.curtail.report.Page;
import io.curtail.report.Table;
import io.curtail.report.Tile;
import io.curtail.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The results as a page for people. */
record ReportPage(CampaignReport report) {
  Page page() {
    Page page =
        new Page(
            "Curtail beside stock",
            "Measured on real Apache Cassandra "
                + report.settings().cassandraVersion()
                + " nodes on one machine. The arms took turns, in random order, with the same"
                + " requests.");
    if (!report.diskBytes().isEmpty()) {
      page.prose(report.diskLine());
    }
    if (report.isInterrupted()) {
      page.prose("The run was interrupted: this is what was finished.");
    }
    for (Scenario scenario : report.scenarios()) {
      List<ConditionResult> own =
          report.results().stream()
              .filter(result -> result.condition().scenario().equals(scenario.name()))
              .toList();
      if (!own.isEmpty()) {
        page.section(scenario.name()).prose(scenario.explanation());
        curves(page, own);
        if (scenario.asksForHarm()) {
          page.table(Harm.table(own.stream().flatMap(r -> report.harm(r).stream()).toList()));
        }
        own.forEach(result -> condition(page, result));
      }
    }
    method(page);
    return page;
  }

  /** One picture for each number of conditions that differ only in the number of clients. */
  private void curves(Page page, List<ConditionResult> own) {
    for (ConditionResult result : own) {
      Comparison comparison = report.comparison(result);
      List<ConditionResult> family = comparison.family();
      if (family.size() > 1 && family.get(0).equals(result)) {
        page.chart(new ReportCharts(result, comparison).throughputAndP99());
      }
    }
  }

  private void condition(Page page, ConditionResult result) {
    Comparison comparison = report.comparison(result);
    ReportCharts charts = new ReportCharts(result, comparison);
    page.heading(result.condition().label());
    if (!result.isValid()) {
      page.prose(
          "NOT VALID: in every block a run broke one of the rules below, so these numbers say"
              + " more about the machine than about the arms.");
    }
    if (result.condition().rising().isPresent()) {
      rising(page, result, charts);
      return;
    }
    page.tiles(tiles(result, comparison));
    page.table(ArmTable.of(result, comparison, true));
    if (result.hasCosts()) {
      page.table(ArmTable.ratios(result, comparison));
    }
    charts.main().values().forEach(page::chart);
    if (result.nodes() > 1) {
      page.chart(charts.nodeShares());
    }
    if (result.nodes() > 1 && !result.condition().findsCeiling()) {
      page.details("Each coordinator's share over time", charts.nodeSharesOverTime());
    }
    secondCopies(page, result);
    Table counts = Simulated.counts(result);
    if (counts != null) {
      page.details("What the nodes counted, the warm-up's reads too", counts);
    }
    page.details("Every run", ArmTable.runs(result));
  }

  /** Percentiles over steps that are not alike would say nothing. */
  private void rising(Page page, ConditionResult result, ReportCharts charts) {
    LossByDelay loss = report.lossByDelay(result);
    page.tiles(loss.tiles());
    loss.tables().forEach(page::table);
    secondCopies(page, result);
    page.chart(loss.chart());
    charts.steps().forEach(page::chart);
    page.details("Each coordinator's share over time", charts.nodeSharesOverTime());
    page.details("Every run", ArmTable.runs(result));
  }

  private static void secondCopies(Page page, ConditionResult result) {
    Table copies = CopyShares.table(result);
    if (copies != null) {
      page.table(copies);
    }
  }

  private static List<Tile> tiles(ConditionResult result, Comparison comparison) {
    List<Tile> tiles = new ArrayList<>();
    Condition condition = result.condition();
    for (String arm : result.challengers()) {
      if (condition.isDisturbed()) {
        long threshold = result.healthyP999Micros();
        Interval ratio = comparison.ratioOfSharesSlowerThan(threshold, arm);
        String reference = share(comparison, threshold, result.reference());
        tiles.add(
            new Tile(
                share(comparison, threshold, arm),
                "requests touched, " + arm,
                reference + " with " + result.reference() + ": " + ratio.toRatio(),
                ratio.tone(false)));
      }
      Metric headline = condition.findsCeiling() ? Metric.THROUGHPUT : Metric.P50;
      List<Metric> metrics =
          result.hasCosts()
              ? List.of(headline, Metric.P99, Metric.NODE_CPU, Metric.COLLECTION)
              : List.of(headline, Metric.P999);
      for (Metric metric : metrics) {
        tiles.add(tile(result, comparison, metric, arm));
      }
    }
    return tiles;
  }

  private static String share(Comparison comparison, long threshold, String arm) {
    return Unit.SHARE.format(comparison.shareSlowerThan(threshold, arm).estimate());
  }

  private static Tile tile(
      ConditionResult result, Comparison comparison, Metric metric, String arm) {
    Interval ratio = comparison.ratio(metric, arm);
    return new Tile(
        change(ratio.estimate()),
        metric.label() + ", " + arm + " against " + result.reference(),
        ratio.toRatio() + ", " + ratio.samples() + (ratio.samples() == 1 ? " block" : " blocks"),
        ratio.tone(metric == Metric.THROUGHPUT));
  }

  private static String change(double ratio) {
    double percent = (ratio - 1) * 100;
    return Double.isNaN(percent)
        ? "–"
        : (percent < 0 ? "−" : "+") + Unit.PLAIN.format(Math.abs(percent)) + " %";
  }

  private void method(Page page) {
    RunQuality rules = report.settings().rules();
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
    return report.scenarios().stream()
        .map(scenario -> scenario.arms().difference(report.settings()))
        .distinct()
        .collect(Collectors.joining(" "));
  }

  private Table facts() {
    Table table = new Table(2, "machine and software", "");
    Map<String, String> machine = MachineFacts.machine();
    machine.putAll(MachineFacts.versions(report.settings().cassandraVersion()));
    machine.put("seed", String.valueOf(report.settings().seed()));
    machine.forEach(table::row);
    return table;
  }
}
