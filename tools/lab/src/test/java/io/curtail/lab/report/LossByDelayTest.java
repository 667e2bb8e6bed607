/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.RunQuality;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.LoadResult;
import io.curtail.lab.load.LoadResults;
import io.curtail.lab.meter.ReadsServed;
import io.curtail.lab.scenario.Scenarios;
import io.curtail.report.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three steps of four seconds: well, 40 ms and 400 ms, which are 1 and 10 ms at real speed. */
class LossByDelayTest {
  private static final ScenarioSettings SETTINGS =
      ScenarioSettings.builder()
          .slowMotion(40)
          .delays(List.of(Duration.ofMillis(1), Duration.ofMillis(10)))
          .build();

  private final Scenario scenario = Scenarios.named("small-faults");
  private final Condition condition = scenario.conditions(SETTINGS).get(0);
  private final ConditionResult result =
      new ConditionResult(condition, List.of("stock", "curtail", "other"));
  private final LossByDelay loss = new LossByDelay(result, 40, 1);

  LossByDelayTest() {
    for (int block = 1; block <= 2; block++) {
      result.add(
          List.of(
              run(block, "stock", second -> new int[] {100, 95, 20}[second / 4]),
              run(block, "curtail", second -> new int[] {50, 49, 45}[second / 4]),
              run(block, "other", second -> new int[] {100, 70, 10}[second / 4])));
    }
  }

  private ArmRun run(int block, String arm, boolean copies) {
    return run(
        block,
        arm,
        copies ? LoadResults.withPolicyCounts(12) : LoadResults.withRates(12, second -> 50));
  }

  private ArmRun run(int block, String arm, IntUnaryOperator requestsInSecond) {
    return run(block, arm, LoadResults.withRates(12, requestsInSecond));
  }

  private ArmRun run(int block, String arm, LoadResult loaded) {
    double[] reads = new double[12];
    return new ArmRun(
        condition,
        arm,
        block,
        1,
        true,
        List.of("127.0.0.1"),
        7,
        loaded,
        new ReadsServed(Map.of("127.0.0.1", reads, "127.0.0.2", reads)),
        0.25,
        1.5,
        null,
        new RunQuality(0.1, 0, 0, 0.01),
        List.of(),
        null);
  }

  @Test
  void should_compare_an_arm_with_its_own_healthy_step() {
    assertThat(loss.loss("stock", 1).lost()).isCloseTo(0.05, within(1e-9));
    assertThat(loss.loss("stock", 2).lost()).isCloseTo(0.8, within(1e-9));
    assertThat(loss.loss("curtail", 2).lost()).isCloseTo(0.1, within(1e-9));
    assertThat(loss.loss("curtail", 2).delayMillis()).isEqualTo(400);
    assertThat(loss.loss("curtail", 2).coordinated()).isCloseTo(0.75, within(0.1));
  }

  @Test
  void should_count_no_request_that_failed() {
    ConditionResult failing = new ConditionResult(condition, List.of("stock"));
    failing.add(List.of(run(1, "stock", LoadResults.failingFrom(8, 12, 50))));
    LossByDelay lost = new LossByDelay(failing, 40, 1);
    assertThat(lost.loss("stock", 1).lost()).isZero();
    assertThat(lost.loss("stock", 2).lost()).isEqualTo(1);
  }

  @Test
  void should_divide_by_the_loss_of_the_reference_where_that_is_worth_saving() {
    assertThat(loss.loss("curtail", 1).ofReference()).isNull();
    assertThat(loss.loss("curtail", 2).ofReference()).isCloseTo(0.125, within(1e-9));
    assertThat(loss.words("curtail")).isEqualTo("little lost at 1 ms; at most a fifth at 10 ms");
    assertThat(loss.words("other"))
        .isEqualTo("loses, where the reference does not at 1 ms; as much at 10 ms");
    assertThat(LossByDelay.verdict(0.2, 0.4)).isEqualTo("less");
    assertThat(LossByDelay.verdict(0.6, 0.4)).isEqualTo("more");
  }

  @Test
  void should_show_delays_as_they_are_at_real_speed() {
    String lost = loss.tables().get(0).toText();
    assertThat(lost).contains("1 ms", "10 ms", "80 %");
    assertThat(loss.tables()).extracting(Table::toText).anyMatch(text -> text.contains("fifth"));
  }

  @Test
  void should_show_the_second_copies_of_each_delay_where_there_are_any() {
    assertThat(loss.tables()).noneMatch(table -> table.toText().contains("second copies"));
    result.add(List.of(run(3, "stock", false), run(3, "curtail", true), run(3, "other", false)));
    assertThat(loss.loss("curtail", 1).copies().asked()).isPositive();
    assertThat(loss.loss("other", 1).copies()).isNull();
    assertThat(loss.tables())
        .extracting(Table::toText)
        .anyMatch(text -> text.contains("second copies sent / due") && !text.contains("other"));
  }

  @Test
  void should_write_a_page_without_percentiles_of_unlike_steps(@TempDir Path folder)
      throws Exception {
    new CampaignReport(List.of(scenario), List.of(result), SETTINGS, Map.of(), false).write(folder);
    assertThat(Files.readString(folder.resolve("report.html")))
        .contains("Throughput lost by the delay of one node", "1 of 1")
        .doesNotContain("Latency by percentile");
    assertThat(folder.resolve("report.json")).content().contains("\"lossByDelay\"");
  }
}
