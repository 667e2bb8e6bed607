/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.StorageRun;
import io.curtail.report.Columns;
import io.curtail.report.Table;
import io.curtail.report.Unit;
import io.curtail.simulator.Replay;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/**
 * What storage with a plan served, and what the simulator says of the same runs.
 *
 * @param extraWork reads beyond one that a client asked for, as a share of these
 * @param machineShare how much longer services took than planned, as a share
 * @param simulatedMillis latency by percentile; null where there is no simulated arm
 * @param measuredBySimulated the ratio of each percentile
 * @param nodeCounts what the nodes counted in all runs, by name
 */
record Simulated(
    double extraWork,
    double machineShare,
    Map<String, Double> simulatedMillis,
    Map<String, Double> measuredBySimulated,
    Double simulatedReadsPerSecond,
    Double simulatedExtraWork,
    Map<String, Long> nodeCounts) {
  private static final double[] PERCENTILES = {50, 99, 99.9};

  /** Of an arm; null if its storage had no plan. */
  static Simulated of(ConditionResult result, String arm) {
    List<StorageRun> runs =
        result.runs(arm).stream().map(ArmRun::storage).filter(Objects::nonNull).toList();
    if (runs.isEmpty()) {
      return null;
    }
    double extraWork = runs.stream().mapToDouble(StorageRun::extraWork).average().orElse(0);
    double machine =
        runs.stream().mapToDouble(run -> run.served().machineShare()).average().orElse(0);
    Map<String, Long> counts = new TreeMap<>();
    runs.forEach(
        run -> run.nodeCounts().forEach((name, count) -> counts.merge(name, count, Long::sum)));
    if (runs.stream().anyMatch(run -> run.simulated() == null)) {
      return new Simulated(extraWork, machine, null, null, null, null, counts);
    }
    List<Replay> replays = runs.stream().map(StorageRun::simulated).toList();
    Histogram pooled = new Histogram(3);
    replays.forEach(replay -> pooled.add(replay.latencyMicros()));
    Map<String, Double> millis = new LinkedHashMap<>();
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (double percentile : PERCENTILES) {
      double simulated = pooled.getValueAtPercentile(percentile) / 1e3;
      millis.put(label(percentile), simulated);
      ratios.put(
          label(percentile), result.pooled(arm).getValueAtPercentile(percentile) / 1e3 / simulated);
    }
    return new Simulated(
        extraWork,
        machine,
        millis,
        ratios,
        replays.stream().mapToDouble(Replay::readsPerSecond).average().orElse(0),
        replays.stream().mapToDouble(Replay::extraWork).average().orElse(0),
        counts);
  }

  /** What the nodes of each arm counted, a row a count; null if nothing was. */
  static Table counts(ConditionResult result) {
    Map<String, Map<String, Long>> byArm = new LinkedHashMap<>();
    for (String arm : result.arms()) {
      Simulated known = of(result, arm);
      byArm.put(arm, known == null ? Map.of() : known.nodeCounts());
    }
    Set<String> names = new TreeSet<>();
    byArm.values().forEach(counts -> names.addAll(counts.keySet()));
    Columns<String> columns = new Columns<String>().add("counted by all nodes", name -> name);
    byArm.forEach(
        (arm, counts) ->
            columns.add(arm, name -> Unit.COUNT.format((double) counts.getOrDefault(name, 0L))));
    return names.isEmpty() ? null : columns.table(1, List.copyOf(names));
  }

  private static String label(double percentile) {
    return "p" + Unit.PLAIN.format(percentile);
  }

  static void addTo(Columns<String> columns, ConditionResult result, boolean forPage) {
    columns.add("extra work", arm -> Unit.SHARE.format(of(result, arm).extraWork()));
    if (result.arms().stream().allMatch(arm -> of(result, arm).simulatedMillis() == null)) {
      return;
    }
    for (double percentile : PERCENTILES) {
      columns.add(
          "simulated " + label(percentile),
          arm -> millis(of(result, arm).simulatedMillis(), label(percentile)));
    }
    for (double percentile : PERCENTILES) {
      columns.add(
          "measured / simulated " + label(percentile),
          arm -> ratio(of(result, arm).measuredBySimulated(), label(percentile)));
    }
    if (forPage) {
      columns.add("late services", arm -> Unit.SHARE.format(of(result, arm).machineShare()));
    }
  }

  private static String millis(Map<String, Double> values, String label) {
    return values == null ? "–" : Unit.MILLISECONDS.format(values.get(label));
  }

  private static String ratio(Map<String, Double> values, String label) {
    return values == null ? "–" : Unit.RATIO.format(values.get(label));
  }
}
