/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.curtail.lab.load.Mix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineReportTest {
  private static final EngineSettings SETTINGS =
      new EngineSettings(
          EngineTable.EMP,
          1_000,
          "uniform",
          List.of(Mix.C, Mix.W),
          List.of(4, 16),
          2,
          10,
          0,
          1_024,
          768,
          0,
          List.of(),
          1);

  @Test
  void should_say_the_same_to_people_and_to_machines(@TempDir Path folder) throws IOException {
    EngineReport report = report(false);
    assertThat(report.toText()).contains("read only", "×2").contains("stock", "rocksdb");
    report.write(folder);
    JsonNode json = new ObjectMapper().readTree(folder.resolve("report.json").toFile());
    assertThat(json.get("runs")).hasSize(16);
    assertThat(json.findValues("timeouts").stream().mapToLong(JsonNode::asLong).sum()).isEqualTo(8);
    JsonNode reads = json.get("loads").get(0);
    assertThat(reads.get("ratios").get("requestsPerSecond").get("median").asDouble()).isEqualTo(2);
    assertThat(json.get("runs").get(0).has("writeMillis")).isFalse();
    assertThat(Files.readString(folder.resolve("report.html"))).contains("equal p99");
  }

  @Test
  void should_count_what_compaction_writes_after_a_run() {
    Measured run = run(Kind.STOCK, Mix.W, 4, 1, 100);
    assertThat(run.writeAmplification(6_000)).isEqualTo((600_000.0 + 1_200_000) / (100 * 6_000));
    assertThat(run.pauseShare()).isEqualTo(0.05);
  }

  @Test
  void should_report_what_is_finished_when_interrupted() {
    assertThat(report(true).isInterrupted()).isTrue();
    assertThat(new EngineReport(SETTINGS, "5.0.9", Map.of(), List.of(), true).isEmpty()).isTrue();
  }

  private static EngineReport report(boolean interrupted) {
    List<Measured> runs = new ArrayList<>();
    for (int pair = 1; pair <= 2; pair++) {
      for (Mix mix : SETTINGS.mixes()) {
        for (int clients : SETTINGS.clients()) {
          runs.add(run(Kind.STOCK, mix, clients, pair, 100));
          runs.add(run(Kind.ROCKSDB, mix, clients, pair, 200));
        }
      }
    }
    return new EngineReport(
        SETTINGS, "5.0.9", Map.of(Kind.STOCK, 7L << 20, Kind.ROCKSDB, 8L << 20), runs, interrupted);
  }

  private static Measured run(Kind kind, Mix mix, int clients, int pair, int requests) {
    Histogram some = new Histogram(3);
    for (int i = 0; i < requests; i++) {
      some.recordValue(1_000 + clients);
    }
    Histogram none = new Histogram(3);
    ClosedLoop.Result result =
        mix == Mix.W
            ? new ClosedLoop.Result(none, some, 10, 1)
            : new ClosedLoop.Result(some, none, 10, 0);
    GcLog.Pauses pauses = new GcLog.Pauses(3, 500_000_000, 300_000_000, 1 << 20);
    Cost cost = new Cost(2_000_000_000L, pauses, 1 << 30, 600_000, 0);
    Cost debt = new Cost(0, new GcLog.Pauses(0, 0, 0, 0), 0, 1_200_000, 0);
    return new Measured(kind, mix, clients, pair, result, cost, debt, 1 << 30);
  }
}
