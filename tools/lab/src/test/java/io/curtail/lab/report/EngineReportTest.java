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
import io.curtail.lab.load.LoadResults;
import io.curtail.lab.meter.GcLog;
import io.curtail.lab.meter.NodeCost;
import io.curtail.lab.meter.ReadsServed;
import io.curtail.lab.meter.RunCost;
import io.curtail.lab.scenario.Scenarios;
import io.curtail.report.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What arms cost their nodes: rocksdb answers as much with more clients, in half the time. */
class EngineReportTest {
  private static final ScenarioSettings SETTINGS =
      ScenarioSettings.builder().clients(List.of(4, 16)).build();

  private final Scenario scenario = Scenarios.named("engine-vs-stock");

  private boolean discarded;

  private CampaignReport report() {
    List<ConditionResult> results = new ArrayList<>();
    for (Condition condition : scenario.conditions(SETTINGS)) {
      ConditionResult result = new ConditionResult(condition, List.of("stock", "rocksdb"));
      for (int block = 1; block <= 2; block++) {
        result.add(
            List.of(
                run(condition, block, "stock", 4_000), run(condition, block, "rocksdb", 2_000)));
      }
      if (discarded && condition.load().outstanding() == 16) {
        result.runs().removeIf(run -> run.block() == 2);
        result.add(List.of(run(condition, 3, "stock", 4_000), run(condition, 3, "rocksdb", 2_000)));
      }
      results.add(result);
    }
    return new CampaignReport(
        List.of(scenario),
        results,
        SETTINGS,
        Map.of("stock", 7L << 20, "rocksdb", 8L << 20),
        false);
  }

  /** A hundred requests a second for 10 s to two nodes: 900 reads, 100 writes. */
  private static ArmRun run(Condition condition, int block, String arm, long micros) {
    GcLog.Pauses pauses = new GcLog.Pauses(3, 1_000_000_000, 300_000_000, 1 << 20);
    NodeCost during = new NodeCost(2_000_000_000L, 500_000_000, pauses, micros * 1_000, 600_000, 0);
    NodeCost after = new NodeCost(0, 0, new GcLog.Pauses(0, 0, 0, 0), 0, 1_200_000, 0);
    return new ArmRun(
        condition,
        arm,
        block,
        1,
        false,
        List.of(),
        7,
        LoadResults.of(10, n -> micros),
        new ReadsServed(Map.of("127.0.0.1", new double[10])),
        2,
        0,
        new RunCost(2, during, after, 1 << 30, 100 * 6_000),
        new RunQuality(0, 0, 0, 0),
        List.of(),
        null);
  }

  private static JsonNode ratio(JsonNode condition, String metric) {
    for (JsonNode ratio : condition.at("/ratios")) {
      if (ratio.at("/metric").asText().equals(metric)) {
        return ratio.at("/ratio/estimate");
      }
    }
    throw new AssertionError("no " + metric + " in " + condition.at("/ratios"));
  }

  @Test
  void should_count_what_compaction_writes_after_a_run() throws Exception {
    JsonNode costs = Json.tree(report().data()).at("/conditions/0/arms/0/costs");
    assertThat(costs.at("/writeAmplification").asDouble()).isEqualTo(3);
    assertThat(costs.at("/pauseShare").asDouble()).isEqualTo(0.05);
    assertThat(costs.at("/compilingShare").asDouble()).isEqualTo(0.025);
    assertThat(costs.at("/heapBytesPerRequest").asDouble()).isEqualTo(4_000);
  }

  @Test
  void should_compare_costs_and_what_is_answered_at_equal_p99() throws Exception {
    JsonNode condition = Json.tree(report().data()).at("/conditions/0");
    assertThat(condition.at("/outstanding").asInt()).isEqualTo(4);
    assertThat(ratio(condition, "heap allocated").asDouble()).isCloseTo(0.5, within(1e-5));
    assertThat(ratio(condition, "p99").asDouble()).isCloseTo(0.5, within(0.01));
    assertThat(ratio(condition, "throughput at equal p99").asDouble()).isCloseTo(1, within(1e-5));
  }

  /** The second block of one number of clients is discarded, and made up for by a third. */
  @Test
  void should_compare_at_equal_p99_the_blocks_that_count() throws Exception {
    discarded = true;
    JsonNode condition = Json.tree(report().data()).at("/conditions/0");
    for (JsonNode ratio : condition.at("/ratios")) {
      if (ratio.at("/metric").asText().equals("throughput at equal p99")) {
        assertThat(ratio.at("/ratio/samples").asInt()).isEqualTo(2);
        assertThat(ratio.at("/ratio/estimate").asDouble()).isCloseTo(1, within(1e-5));
        return;
      }
    }
    throw new AssertionError("not compared");
  }

  @Test
  void should_say_the_same_to_people(@TempDir Path folder) throws Exception {
    assertThat(report().toText())
        .contains("GC share of time", "throughput at equal p99", "rocksdb 8");
    report().write(folder);
    assertThat(Files.readString(folder.resolve("report.html")))
        .contains("Throughput and p99, read only", "read from disk");
  }
}
