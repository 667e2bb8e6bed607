/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.campaign.Interval;
import io.curtail.campaign.Report;
import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.EngineSettings;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.LoadResult;
import io.curtail.lab.report.ReportData.ArmData;
import io.curtail.lab.report.ReportData.ConditionData;
import io.curtail.lab.report.ReportData.RatioData;
import io.curtail.lab.report.ReportData.RunData;
import io.curtail.lab.report.ReportData.TouchedData;
import io.curtail.report.Chart;
import io.curtail.report.Page;
import io.curtail.report.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** What a campaign found, as files and as a table for the terminal. Immutable. */
public record CampaignReport(
    List<Scenario> scenarios,
    List<ConditionResult> results,
    ScenarioSettings settings,
    Map<String, Long> diskBytes,
    boolean isInterrupted,
    Instant finishedAt)
    implements Report {
  static final long STUCK_MILLIS = 100;
  private static final int LAYOUT = 3;

  /** In place of a setting that the user left to the scenario. */
  private static final String BY_SCENARIO = "by scenario";

  private static final Map<String, Double> PERCENTILES = percentiles();

  /** A campaign that has just ended. */
  public CampaignReport(
      List<Scenario> scenarios,
      List<ConditionResult> results,
      ScenarioSettings settings,
      Map<String, Long> diskBytes,
      boolean isInterrupted) {
    this(scenarios, results, settings, diskBytes, isInterrupted, Instant.now());
  }

  private static Map<String, Double> percentiles() {
    Map<String, Double> percentiles = new LinkedHashMap<>();
    for (double p : new double[] {50, 75, 90, 95, 99, 99.9, 99.99, 100}) {
      percentiles.put(p == 100 ? "max" : "p" + Double.toString(p).replaceAll("\\.0$", ""), p);
    }
    return percentiles;
  }

  @Override
  public boolean isEmpty() {
    return results.isEmpty();
  }

  /** Whether every condition has at least one block that passed the rules. */
  @Override
  public boolean isSuccess() {
    return !results.isEmpty() && results.stream().allMatch(ConditionResult::isValid);
  }

  @Override
  public Page page() {
    return new ReportPage(this).page();
  }

  @Override
  public void writeHistograms(Path folder) throws IOException {
    Files.createDirectories(folder);
    int number = 0;
    for (ConditionResult result : results) {
      for (ArmRun run : result.runs()) {
        String name = "%03d-%s-%s.hlog".formatted(++number, run.condition().scenario(), run.arm());
        run.result().writeIntervalLog(folder.resolve(name));
      }
    }
  }

  @Override
  public Map<String, Chart> figures() {
    Map<String, Chart> figures = new LinkedHashMap<>();
    for (int i = 0; i < results.size(); i++) {
      ConditionResult result = results.get(i);
      String prefix = "%02d-%s-".formatted(i + 1, result.condition().scenario());
      new ReportCharts(result, comparison(result))
          .main()
          .forEach((name, chart) -> figures.put(prefix + name, chart));
    }
    return figures;
  }

  Comparison comparison(ConditionResult result) {
    return new Comparison(result, results, settings.seed());
  }

  LossByDelay lossByDelay(ConditionResult result) {
    return new LossByDelay(result, settings.slowMotion(), settings.seed());
  }

  boolean asksForHarm(ConditionResult result) {
    return scenarios.stream()
        .anyMatch(
            scenario ->
                scenario.asksForHarm() && scenario.name().equals(result.condition().scenario()));
  }

  List<Harm> harm(ConditionResult result) {
    Comparison comparison = comparison(result);
    return result.challengers().stream().map(arm -> Harm.of(result, comparison, arm)).toList();
  }

  /** The results in a few columns of plain text. */
  @Override
  public String toText() {
    String text = new ReportText(this).toString();
    return diskBytes.isEmpty() ? text : text + "\n" + diskLine() + "\n";
  }

  String diskLine() {
    return "On disk after loading: "
        + diskBytes.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(arm -> arm.getKey() + " " + Unit.BYTES.format((double) arm.getValue()))
            .collect(Collectors.joining(", "))
        + ".";
  }

  @Override
  public ReportData data() {
    Map<String, Object> chosen = new LinkedHashMap<>();
    chosen.put("seed", settings.seed());
    chosen.put("rows", settings.rows().<Object>map(rows -> rows).orElse(BY_SCENARIO));
    chosen.put("keys", settings.keys().orElse(BY_SCENARIO));
    chosen.put("speculativeRetry", settings.speculativeRetry().orElse(BY_SCENARIO));
    EngineSettings engine = settings.engine();
    if (results.stream().anyMatch(ConditionResult::hasCosts)) { // of no other scenario
      chosen.put("table", engine.table());
      chosen.put("heapMebibytes", engine.heapMebibytes());
      chosen.put("offHeapMebibytes", engine.offHeapMebibytes());
      chosen.put("memoryMebibytes", engine.memoryMebibytes());
      chosen.put("parameters", new TreeMap<>(engine.parameters()));
    }
    chosen.put("policies", settings.policies().isEmpty() ? BY_SCENARIO : settings.policies());
    chosen.put(
        "serverModes", settings.serverModes().isEmpty() ? BY_SCENARIO : settings.serverModes());
    return new ReportData(
        "curtail lab run",
        LAYOUT,
        finishedAt.truncatedTo(ChronoUnit.SECONDS).toString(),
        isInterrupted,
        MachineFacts.versions(settings.cassandraVersion()),
        MachineFacts.machine(),
        chosen,
        settings.rules(),
        diskBytes.isEmpty() ? null : diskBytes,
        results.stream().map(this::condition).toList());
  }

  private ConditionData condition(ConditionResult result) {
    Condition condition = result.condition();
    Comparison comparison = comparison(result);
    return new ConditionData(
        condition.scenario(),
        condition.label(),
        condition.findsCeiling() ? null : condition.load().rateHz(),
        condition.findsCeiling() ? condition.load().outstanding() : null,
        condition.load().length().toMillis() / 1e3,
        condition.load().mix().name(),
        condition.load().consistency().toString(),
        condition.diskTime().toNanos() / 1e6,
        condition.isDisturbed() ? condition.disturbance().label() : null,
        condition.isDisturbed()
            ? condition.disturbance().spans(condition.load().length())
            : List.of(),
        condition.isDisturbed() ? result.healthyP999Micros() / 1e3 : null,
        condition.blocks(),
        result.countedBlocks().size(),
        result.discardedRuns(),
        result.isValid(),
        result.arms().stream().map(arm -> arm(result, comparison, arm)).toList(),
        ratios(result, comparison),
        condition.rising().map(rising -> lossByDelay(result).all()).orElse(null),
        asksForHarm(result) ? harm(result) : null,
        result.runs().stream().map(CampaignReport::run).toList());
  }

  private static ArmData arm(ConditionResult result, Comparison comparison, String arm) {
    List<LoadResult> loads = result.runs(arm).stream().map(ArmRun::result).toList();
    Histogram pooled = result.pooled(arm);
    Map<String, Histogram> zones = new TreeMap<>();
    for (LoadResult load : loads) {
      load.byZone().forEach((zone, h) -> zones.computeIfAbsent(zone, z -> new Histogram(3)).add(h));
    }
    Map<String, Map<String, Double>> byZone = new TreeMap<>();
    zones.forEach((zone, histogram) -> byZone.put(zone, percentilesMillis(histogram)));
    return new ArmData(
        arm,
        pooled.getTotalCount(),
        loads.stream().mapToDouble(LoadResult::requestsPerSecond).average().orElse(0),
        loads.stream().mapToDouble(LoadResult::answersPerSecond).average().orElse(0),
        comparison.errors(arm),
        comparison.copies(arm),
        CopyShares.of(result.runs(arm)),
        loads.stream().mapToDouble(LoadResult::inFlightPerClient).average().orElse(0),
        pooled.getMean() / 1e3,
        percentilesMillis(pooled),
        byZone,
        touched(result, comparison, arm),
        Shares.COORDINATED.of(result.runs(arm)),
        Shares.READ.of(result.runs(arm)),
        busiestNodeMean(result.runs(arm)),
        comparison.mean(Metric.NODE_CPU, arm),
        comparison.mean(Metric.MESSAGES, arm),
        readsAndWrites(result.pooled(arm, run -> run.result().reads())),
        readsAndWrites(result.pooled(arm, run -> run.result().writes())),
        Costs.of(result.runs(arm)),
        Simulated.of(result, arm));
  }

  /** The mean over all seconds of what the busiest node read from its storage in a second. */
  private static double busiestNodeMean(List<ArmRun> runs) {
    return runs.stream()
        .flatMapToDouble(run -> Arrays.stream(run.reads().busiestNode()))
        .average()
        .orElse(0);
  }

  private static TouchedData touched(ConditionResult result, Comparison comparison, String arm) {
    if (!result.condition().isDisturbed()) {
      return null;
    }
    long threshold = result.healthyP999Micros();
    long stuck = comparison.slowerThan(STUCK_MILLIS * 1_000, arm);
    return new TouchedData(
        Shares.COORDINATED.ofDisturbed(result.runs(arm)),
        Shares.READ.ofDisturbed(result.runs(arm)),
        comparison.slowerThan(threshold, arm),
        comparison.shareSlowerThan(threshold, arm),
        stuck,
        result.condition().pausesNodes() ? comparison.stuckPerPauseAndClient(stuck, arm) : null);
  }

  private static List<RatioData> ratios(ConditionResult result, Comparison comparison) {
    List<RatioData> ratios = new ArrayList<>();
    for (String arm : result.challengers()) {
      for (Metric metric : comparison.metrics()) {
        ratios.add(ratio(result, arm, metric.label(), comparison.ratio(metric, arm)));
      }
      if (comparison.family().size() > 1) {
        Interval equal = comparison.throughputAtEqualP99(arm);
        ratios.add(ratio(result, arm, "throughput at equal p99", equal));
      }
      if (result.condition().isDisturbed()) {
        Interval touched = comparison.ratioOfSharesSlowerThan(result.healthyP999Micros(), arm);
        ratios.add(ratio(result, arm, "touched", touched));
      }
    }
    return ratios;
  }

  private static RatioData ratio(
      ConditionResult result, String arm, String metric, Interval interval) {
    return new RatioData(arm, result.reference(), metric, interval, interval.excludes(1));
  }

  private static RunData run(ArmRun run) {
    return new RunData(
        run.block(),
        run.order(),
        run.arm(),
        run.disturbed(),
        run.nodes(),
        run.seed(),
        run.counts(),
        run.violations(),
        run.result().requests(),
        run.result().errors(),
        percentilesMillis(run.result().all()),
        Shares.COORDINATED.of(List.of(run)),
        Shares.READ.of(List.of(run)),
        run.nodeCpuMillis(),
        run.messages(),
        Costs.of(List.of(run)),
        run.quality());
  }

  private static Map<String, Double> readsAndWrites(Histogram histogram) {
    return histogram.getTotalCount() == 0 ? null : percentilesMillis(histogram);
  }

  private static Map<String, Double> percentilesMillis(Histogram histogram) {
    Map<String, Double> values = new LinkedHashMap<>();
    PERCENTILES.forEach(
        (name, percentile) -> values.put(name, histogram.getValueAtPercentile(percentile) / 1e3));
    return values;
  }
}
