/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
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
import io.curtail.report.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results with known numbers: the reference takes 1 ms, 1 in 10 of its requests 20 ms. */
class CampaignReportTest {
  private static final RunQuality GOOD = new RunQuality(0.1, 0, 0, 0.01);
  private static final RunQuality LATE = new RunQuality(5, 0, 0, 0.01);

  private final Scenario scenario = Scenarios.named("paused-node");
  private final Condition condition = scenario.conditions(ScenarioSettings.DEFAULT).get(0);
  private final ConditionResult result =
      new ConditionResult(condition, List.of("stock", "curtail"));

  private void addBlock(int block, RunQuality quality) {
    result.add(
        List.of(
            run(block, 1, "stock", false, n -> 1_000, quality),
            run(block, 2, "stock", true, n -> n % 10 == 0 ? 20_000 : 1_000, GOOD),
            run(block, 3, "curtail", true, n -> n % 100 == 0 ? 200_000 : 500, GOOD)));
  }

  private ArmRun run(
      int block,
      int order,
      String arm,
      boolean disturbed,
      LongUnaryOperator latency,
      RunQuality quality) {
    return run(block, order, arm, disturbed, LoadResults.of(16, latency), quality);
  }

  private ArmRun run(
      int block, int order, String arm, boolean disturbed, LoadResult loaded, RunQuality quality) {
    List<String> violations = quality.violations(RunQuality.limits(1, 0.1));
    List<String> nodes = disturbed ? List.of("127.0.0.1") : List.of();
    double[] fifty = new double[16];
    Arrays.fill(fifty, 50);
    ReadsServed reads =
        new ReadsServed(Map.of("127.0.0.1", fifty, "127.0.0.2", fifty, "127.0.0.3", fifty));
    return new ArmRun(
        condition,
        arm,
        block,
        order,
        disturbed,
        nodes,
        7,
        loaded,
        reads,
        0.25,
        1.5,
        null,
        quality,
        violations,
        null);
  }

  private CampaignReport report() {
    return new CampaignReport(
        List.of(scenario), List.of(result), ScenarioSettings.DEFAULT, Map.of(), false);
  }

  private JsonNode json() throws Exception {
    return Json.tree(report().data());
  }

  @Test
  void should_contain_everything_that_was_measured() throws Exception {
    addBlock(1, GOOD);
    addBlock(2, GOOD);
    JsonNode condition = json().at("/conditions/0");
    assertThat(condition.at("/touchedAboveMillis").asDouble()).isCloseTo(1, within(0.01));
    assertThat(condition.at("/disturbedSeconds/0/fromSeconds").asDouble()).isEqualTo(3);
    JsonNode stock = condition.at("/arms/0");
    assertThat(stock.at("/arm").asText()).isEqualTo("stock");
    assertThat(stock.at("/requests").asLong()).isEqualTo(3200);
    assertThat(stock.at("/percentilesMillis/p99").asDouble()).isCloseTo(20, within(0.05));
    assertThat(stock.at("/percentilesMillis/p99.9").isNumber()).isTrue();
    assertThat(stock.at("/touched/count").asLong()).isEqualTo(320);
    assertThat(stock.at("/touched/share/estimate").asDouble()).isCloseTo(0.1, within(1e-6));
    assertThat(stock.at("/touched/disturbedNodeShare").asDouble()).isEqualTo(0.75);
    assertThat(stock.at("/touched/disturbedReadShare").asDouble()).isCloseTo(1.0 / 3, within(1e-5));
    assertThat(stock.at("/messages").asDouble()).isEqualTo(1.5);
    assertThat(stock.at("/busiestNodeReadsPerSecond").asDouble()).isEqualTo(50);
    assertThat(stock.at("/touched/stuck").asLong()).isZero();
    assertThat(stock.at("/nodeShares/127.0.0.2").asDouble()).isEqualTo(0.25);
    JsonNode curtail = condition.at("/arms/1/touched");
    assertThat(curtail.at("/stuck").asLong()).isEqualTo(32);
    assertThat(curtail.at("/stuckPerPauseAndClient").asDouble())
        .isCloseTo(32.0 / 3 / 2, within(1e-5));
    assertThat(condition.at("/runs")).hasSize(6);
    assertThat(json().at("/machine/processors").asInt()).isPositive();
    assertThat(json().at("/versions/cassandra").asText()).startsWith("5.0");
    assertThat(json().at("/settings/seed").asLong()).isEqualTo(1);
  }

  @Test
  void should_divide_by_the_reference() throws Exception {
    addBlock(1, GOOD);
    addBlock(2, GOOD);
    for (JsonNode ratio : json().at("/conditions/0/ratios")) {
      assertThat(ratio.at("/arm").asText()).isEqualTo("curtail");
      assertThat(ratio.at("/reference").asText()).isEqualTo("stock");
      switch (ratio.at("/metric").asText()) {
        case "p50" ->
            assertThat(ratio.at("/ratio/estimate").asDouble()).isCloseTo(0.5, within(0.01));
        case "touched" ->
            assertThat(ratio.at("/ratio/estimate").asDouble()).isCloseTo(0.1, within(0.001));
        default -> assertThat(ratio.at("/ratio/estimate").isNumber()).isTrue();
      }
    }
  }

  @Test
  void should_leave_out_a_block_with_a_discarded_run() throws Exception {
    addBlock(1, LATE);
    addBlock(2, GOOD);
    JsonNode condition = json().at("/conditions/0");
    assertThat(condition.at("/blocksCounted").asInt()).isEqualTo(1);
    assertThat(condition.at("/runsDiscarded").asInt()).isEqualTo(1);
    assertThat(condition.at("/arms/0/requests").asLong()).isEqualTo(1600);
    assertThat(condition.at("/runs/0/counted").asBoolean()).isFalse();
    assertThat(condition.at("/runs/0/violations/0").asText()).contains("generator late");
    assertThat(report().isSuccess()).isTrue();
  }

  @Test
  void should_say_so_when_no_block_counts() throws Exception {
    addBlock(1, LATE);
    assertThat(report().isSuccess()).isFalse();
    assertThat(report().toText()).contains("NOT VALID");
    assertThat(json().at("/conditions/0/valid").asBoolean()).isFalse();
    assertThat(json().at("/conditions/0/arms/0/requests").asLong()).isEqualTo(1600);
  }

  @Test
  void should_print_no_latency_where_requests_failed() throws Exception {
    LoadResult failing = LoadResults.withErrorsAndCopies(16, 32, 0);
    for (int block = 1; block <= 2; block++) {
      result.add(
          List.of(
              run(block, 1, "stock", false, n -> 1_000, GOOD),
              run(block, 2, "stock", true, failing, GOOD),
              run(block, 3, "curtail", true, n -> 500, GOOD)));
    }
    // One in fifty: p95 is a latency, p99 is none.
    String text = report().toText();
    assertThat(text.lines().filter(line -> line.matches(" *stock .*")).toList())
        .singleElement()
        .asString()
        .containsPattern("50(\\.0+)? .*50(\\.0+)? .*error +error");
    assertThat(text.lines().filter(line -> line.matches(" *curtail .*")).toList())
        .element(1)
        .asString()
        .containsPattern("×0\\.01 .*error +error");
    for (JsonNode ratio : json().at("/conditions/0/ratios")) {
      boolean isOfErrors = Set.of("p99", "p99.9").contains(ratio.at("/metric").asText());
      assertThat(ratio.at("/ratio/estimate").isNull()).as("%s", ratio).isEqualTo(isOfErrors);
    }
  }

  @Test
  void should_write_both_files(@TempDir Path folder) throws Exception {
    addBlock(1, GOOD);
    addBlock(2, GOOD);
    report().write(folder);
    assertThat(folder.resolve("report.json")).isNotEmptyFile();
    assertThat(Files.readString(folder.resolve("report.html")))
        .contains("paused-node", "Latency by percentile", "one node paused", "(not well)");
  }

  @Test
  void should_write_figures_of_their_own(@TempDir Path folder) throws Exception {
    addBlock(1, GOOD);
    addBlock(2, GOOD);
    report().writeFigures(folder);
    assertThat(folder.resolve("01-paused-node-percentiles.svg"))
        .content()
        .startsWith("<svg")
        .contains("curtail");
    assertThat(folder.resolve("01-paused-node-over-time.svg")).isNotEmptyFile();
  }
}
