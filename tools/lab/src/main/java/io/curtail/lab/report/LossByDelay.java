/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.campaign.Bootstrap;
import io.curtail.campaign.Interval;
import io.curtail.lab.disturbance.Disturbance.Span;
import io.curtail.lab.disturbance.RisingDelay;
import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.report.Axis;
import io.curtail.report.Chart;
import io.curtail.report.LineChart;
import io.curtail.report.Series;
import io.curtail.report.Table;
import io.curtail.report.Tile;
import io.curtail.report.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What each delay of a node that gets slower step by step cost the arms. An arm's loss is the part
 * of its throughput in the healthy step of the same run that it does not have in another step.
 */
final class LossByDelay {
  /** Below it the reference loses too little for others to save much. */
  private static final double WORTH_SAVING = 0.1;

  private static final double A_FIFTH = 0.2;
  private static final double ALIKE = 0.8;

  private final ConditionResult result;
  private final RisingDelay rising;
  private final int slowMotion;
  private final long seed;

  LossByDelay(ConditionResult result, int slowMotion, long seed) {
    this.result = result;
    this.slowMotion = slowMotion;
    this.seed = seed;
    rising = result.condition().rising().orElseThrow();
  }

  /**
   * One arm and delay.
   *
   * @param delayMillis as it was measured, in slow motion
   * @param throughput what was answered, divided by that of the healthy step
   * @param lost 1 - throughput
   * @param ofReference this loss divided by the reference's; null where that lost too little
   * @param p99 divided by that of the healthy step
   * @param coordinated the share of the requests that the slow node answered
   * @param read the share of the reads that its storage served
   * @param copies of the requests, null if there were none
   * @param verdict in words; empty for the reference
   */
  record Loss(
      String arm,
      double delayMillis,
      Interval throughput,
      double lost,
      Double ofReference,
      Interval p99,
      double coordinated,
      double read,
      CopyShares copies,
      String verdict) {}

  List<Loss> all() {
    List<Loss> losses = new ArrayList<>();
    for (int step = 1; step <= rising.delays().size(); step++) {
      for (String arm : result.arms()) {
        losses.add(loss(arm, step));
      }
    }
    return losses;
  }

  Loss loss(String arm, int step) {
    Interval throughput = againstHealthy(arm, step, LossByDelay::perSecond);
    double lost = 1 - throughput.estimate();
    double reference =
        1 - againstHealthy(result.reference(), step, LossByDelay::perSecond).estimate();
    return new Loss(
        arm,
        millis(rising.delays().get(step - 1)),
        throughput,
        lost,
        arm.equals(result.reference()) || reference <= WORTH_SAVING ? null : lost / reference,
        againstHealthy(arm, step, LossByDelay::p99),
        ofSlowNode(arm, step, Shares.COORDINATED),
        ofSlowNode(arm, step, Shares.READ),
        CopyShares.of(result.runs(arm), rising.counted(step)),
        arm.equals(result.reference()) ? "" : verdict(lost, reference));
  }

  private Interval againstHealthy(String arm, int step, ToDoubleBiFunction<ArmRun, Span> of) {
    return Bootstrap.ratio(values(arm, step, of), values(arm, 0, of), seed);
  }

  private double[] values(String arm, int step, ToDoubleBiFunction<ArmRun, Span> of) {
    return result.runs(arm).stream()
        .mapToDouble(run -> of.applyAsDouble(run, rising.counted(step)))
        .toArray();
  }

  private static double perSecond(ArmRun run, Span span) {
    return run.result().answered(span.fromSeconds(), span.toSeconds())
        / (span.toSeconds() - span.fromSeconds());
  }

  private static double p99(ArmRun run, Span span) {
    return run.result().within(span.fromSeconds(), span.toSeconds()).getValueAtPercentile(99);
  }

  private double ofSlowNode(String arm, int step, Shares shares) {
    Span span = rising.counted(step);
    return result.runs(arm).stream()
        .flatMapToDouble(
            run -> {
              double[] overTime = shares.overTime(run, run.nodes());
              return IntStream.range((int) span.fromSeconds(), (int) span.toSeconds())
                  .mapToDouble(second -> overTime[second]);
            })
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  static String verdict(double lost, double reference) {
    if (reference <= WORTH_SAVING) {
      return lost > reference + WORTH_SAVING
          ? "loses, where the reference does not"
          : "little lost";
    }
    double share = lost / reference;
    if (share <= A_FIFTH) {
      return "at most a fifth";
    }
    return share <= ALIKE ? "less" : share <= 1 / ALIKE ? "as much" : "more";
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }

  private String realDelay(int step) {
    return Unit.MILLISECONDS.format(millis(rising.delays().get(step - 1)) / slowMotion);
  }

  private IntStream steps() {
    return IntStream.rangeClosed(1, rising.delays().size());
  }

  /** Losses, tails, and where the requests went; a row an arm, a column a delay. */
  List<Table> tables() {
    boolean network = rising.part() == RisingDelay.Part.NETWORK;
    List<String> copying =
        result.arms().stream().filter(arm -> CopyShares.of(result.runs(arm)) != null).toList();
    List<Table> tables = new ArrayList<>();
    tables.add(table("throughput lost", result.arms(), loss -> Unit.SHARE.format(loss.lost())));
    tables.add(
        table("loss / " + result.reference(), result.challengers(), LossByDelay::ofReference));
    tables.add(
        table("p99 / healthy", result.arms(), loss -> Unit.RATIO.format(loss.p99().estimate())));
    tables.add(
        table(
            network ? "coordinated by it" : "read by it",
            result.arms(),
            loss -> Unit.SHARE.format(network ? loss.coordinated() : loss.read())));
    if (!copying.isEmpty()) {
      tables.add(table("second copies sent / due", copying, LossByDelay::copies));
    }
    tables.add(verdicts());
    return tables;
  }

  private static String copies(Loss loss) {
    return loss.copies() == null
        ? "–"
        : Unit.SHARE.format(loss.copies().sent())
            + " / "
            + Unit.SHARE.format(loss.copies().asked());
  }

  private static String ofReference(Loss loss) {
    return loss.ofReference() == null ? "–" : Unit.RATIO.format(loss.ofReference());
  }

  private Table table(String title, List<String> arms, Function<Loss, String> cell) {
    List<String> columns = new ArrayList<>(List.of(title));
    steps().mapToObj(this::realDelay).forEach(columns::add);
    Table table = new Table(1, columns.toArray(new String[0]));
    for (String arm : arms) {
      List<String> cells = new ArrayList<>(List.of(arm));
      steps().mapToObj(step -> cell.apply(loss(arm, step))).forEach(cells::add);
      table.row(cells);
    }
    return table;
  }

  private Table verdicts() {
    Table table = new Table(2, "beside " + result.reference(), "loses");
    result.challengers().forEach(arm -> table.row(arm, words(arm)));
    return table;
  }

  /** Such as "little lost at 0.1 ms, at most a fifth at 1 ms and 3 ms". */
  String words(String arm) {
    Map<String, List<String>> delays = new LinkedHashMap<>();
    steps()
        .forEach(
            step ->
                delays
                    .computeIfAbsent(loss(arm, step).verdict(), verdict -> new ArrayList<>())
                    .add(realDelay(step)));
    return delays.entrySet().stream()
        .map(verdict -> verdict.getKey() + " at " + String.join(", ", verdict.getValue()))
        .collect(Collectors.joining("; "));
  }

  /** For each arm: at how many delays, of those that cost the reference much, it saves enough. */
  List<Tile> tiles() {
    return result.challengers().stream().map(this::tile).toList();
  }

  private Tile tile(String arm) {
    List<Loss> counting =
        steps().mapToObj(step -> loss(arm, step)).filter(l -> l.ofReference() != null).toList();
    long saved = counting.stream().filter(loss -> loss.ofReference() <= A_FIFTH).count();
    return new Tile(
        saved + " of " + counting.size(),
        arm + ": delays with at most a fifth of " + result.reference() + "'s loss",
        words(arm),
        counting.isEmpty()
            ? Tile.Tone.NEUTRAL
            : saved == counting.size() ? Tile.Tone.GOOD : Tile.Tone.BAD);
  }

  Chart chart() {
    LineChart chart =
        new LineChart(
            "Throughput lost by the delay of one node",
            Axis.logarithmic("delay, as at real speed", Unit.MILLISECONDS),
            Axis.linear("of the healthy throughput", Unit.SHARE));
    double[] x =
        rising.delays().stream().mapToDouble(delay -> millis(delay) / slowMotion).toArray();
    for (String arm : result.arms()) {
      double[] y = steps().mapToDouble(step -> Math.max(0, loss(arm, step).lost())).toArray();
      chart.add(Series.of(arm, x, y).colour(ReportCharts.colour(result, arm)));
    }
    return chart.caption(
        "Each arm beside its own healthy step in the same run, mean over the blocks: "
            + result.blocks().size()
            + ". Losses below 0 are drawn as 0.");
  }
}
