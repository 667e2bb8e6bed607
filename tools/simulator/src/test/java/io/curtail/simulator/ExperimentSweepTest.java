/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.curtail.report.Chart;
import io.curtail.report.IntervalChart;
import io.curtail.report.Json;
import io.curtail.report.LineChart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentSweepTest {
  private static final Map<String, String> SMALL =
      Map.of("clients", "150", "warmUpMillis", "20", "requests", "4000");

  @TempDir private Path folder;
  private final List<String> told = new CopyOnWriteArrayList<>();

  private ExperimentSweep sweep(Map<String, String> changes) {
    Experiment experiment = Experiments.named("fluctuation").with(SMALL).with(changes);
    return new ExperimentSweep(
        List.of(experiment),
        List.of("c3", "random"),
        2,
        new ExperimentSweep.Written(folder, "curtail simulate run", false),
        told::add);
  }

  private static Chart first(SweepReport report) {
    return report.figures().values().iterator().next();
  }

  @Test
  void should_draw_a_row_a_policy_when_the_axis_has_one_value() throws Exception {
    ExperimentSweep sweep = sweep(Map.of("intervalMillis", "50", "utilisation", "0.45"));
    sweep.run();
    assertThat(first(sweep.report())).isInstanceOf(IntervalChart.class);
    assertThat(first(sweep.report()).title()).contains("p99.9", "intervalMillis=50");
    assertThat(sweep.report().page().toHtml()).contains("c3", "random", "dot s2");
  }

  @Test
  void should_draw_lines_when_the_axis_has_several_values() throws Exception {
    ExperimentSweep sweep = sweep(Map.of("utilisation", "0.45"));
    sweep.run();
    assertThat(first(sweep.report())).isInstanceOf(LineChart.class);
  }

  @Test
  void should_name_cells_by_what_sets_them_apart() throws Exception {
    ExperimentSweep sweep = sweep(Map.of("utilisation", "0.45"));
    sweep.run();
    assertThat(sweep.report().toText())
        .contains("intervalMillis=10 ", "intervalMillis=500 ")
        .doesNotContain("utilisation", "requests", "warmUpMillis");
  }

  @Test
  void should_name_a_lone_cell_by_its_experiment() throws Exception {
    ExperimentSweep sweep = sweep(Map.of("intervalMillis", "50", "utilisation", "0.45"));
    sweep.run();
    assertThat(sweep.report().toText()).contains("fluctuation ").doesNotContain("utilisation");
  }

  @Test
  void should_keep_nothing_half_done_when_interrupted() throws Exception {
    ExperimentSweep sweep = sweep(Map.of("requests", "2000000"));
    FutureTask<Void> run =
        new FutureTask<>(
            () -> {
              Thread.currentThread().interrupt();
              sweep.run();
              return null;
            });
    new Thread(run).start();
    run.get();
    assertThat(told).containsExactly("interrupted: what was finished is reported");
    SweepReport report = sweep.report();
    assertThat(report.toText()).contains("interrupted");
    assertThat(report.isEmpty()).isTrue();
  }

  @Test
  void should_write_results_that_can_be_compared_with_their_intervals() throws Exception {
    ExperimentSweep sweep = sweep(Map.of("intervalMillis", "50", "utilisation", "0.45"));
    sweep.run();
    sweep.report().write(folder);
    assertThat(folder.resolve("report.html")).content().contains("Only c3 has one.");
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(2);
    }
    List<Result> results = List.of(Json.read(folder.resolve(SweepReport.FILE), Result[].class));
    assertThat(results).hasSize(4);
    PolicyComparison.Row row =
        new PolicyComparison(results, "c3", List.of("random")).summary().rows().get(0);
    double ratio = mean(results, "c3") / mean(results, "random");
    assertThat(row.p999().estimate()).isCloseTo(ratio, within(1e-9));
    assertThat(row.p999().samples()).isEqualTo(2);
    assertThat(row.p999().low()).isLessThanOrEqualTo(row.p999().high());

    List<Result> twice = new ArrayList<>(results);
    twice.addAll(results);
    assertThat(new PolicyComparison(twice, "c3", List.of("random")).summary().rows())
        .containsExactly(row);
  }

  /** Each group of keys has one server, and one server answers nothing. */
  @Test
  void should_tell_of_reads_that_nobody_answered() throws Exception {
    Map<String, String> changes =
        Map.of(
            "utilisation", "0.45",
            "replicationFactor", "1",
            "failingServer", "0",
            "faultAtMillis", "0",
            "faultMillis", "0");
    ExperimentSweep sweep = sweep(changes);
    sweep.run();
    sweep.report().write(folder);
    List<Result> results = List.of(Json.read(folder.resolve(SweepReport.FILE), Result[].class));
    assertThat(results).allSatisfy(result -> assertThat(result.lost()).isPositive());
    assertThat(sweep.report().toText()).contains("lost");
    PolicyComparison same = new PolicyComparison(results, "c3", List.of("random"));
    assertThat(same.toText()).contains("lost");
    assertThat(same.summary().rows())
        .allSatisfy(row -> assertThat(row.lost()).isEqualTo(row.lostAgainst()));
    List<Result> better = new ArrayList<>();
    results.forEach(
        result -> better.add(result.policy().equals("random") ? withoutLost(result) : result));
    assertThat(new PolicyComparison(better, "c3", List.of("random")).summary().worse())
        .isEqualTo(same.summary().rows().size());
  }

  private static Result withoutLost(Result all) {
    return new Result(
        all.experiment(),
        all.cell(),
        all.policy(),
        all.seed(),
        all.requests(),
        all.meanMillis(),
        all.p50Millis(),
        all.p95Millis(),
        all.p99Millis(),
        all.p999Millis(),
        all.maxMillis(),
        all.extraWork(),
        all.throughputPerSecond(),
        all.hottestServerLoad(),
        all.messagesPerRead(),
        all.swing(),
        0,
        all.trace());
  }

  private static double mean(List<Result> results, String policy) {
    return results.stream()
        .filter(result -> result.policy().equals(policy))
        .mapToDouble(Result::p999Millis)
        .average()
        .orElseThrow();
  }
}
