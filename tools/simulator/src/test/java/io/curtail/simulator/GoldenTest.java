/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * A handful of cells to the last digit: a change of behaviour shows in a diff of golden.txt. If it
 * is meant, replace the file by what the failure prints.
 */
class GoldenTest {
  private static final List<String> POLICIES =
      List.of(
          "curtail",
          "curtail-single-copy",
          "curtail-ranking-only",
          "c3",
          "c3-per-slot-returned",
          "prequal",
          "least-outstanding",
          "dynamic-snitch",
          "weighted-least-loaded",
          "adaptive",
          "adaptive-hedged",
          "driver-default",
          "oracle",
          "tars",
          "dynamic-snitch-p90",
          "on-off",
          "hedge-with-budget",
          "netclone",
          "netclone-racksched",
          "das",
          "c3-das",
          "c3-das-queued");

  @Test
  void should_give_the_results_it_gave() {
    List<String> lines = new ArrayList<>();
    for (int interval : new int[] {10, 500}) {
      for (String policy : POLICIES) {
        lines.add(line(interval, policy));
      }
    }
    lines.addAll(ofServer());
    lines.addAll(ofSmallFaults());
    assertThat(String.join("\n", lines) + "\n").isEqualTo(golden());
  }

  /** What a node with {@code curtail-server} decides by default, in a cluster of such nodes. */
  private static List<String> ofServer() {
    Experiment server = Experiments.named("server");
    return server.policies().stream()
        .map(policy -> line("nodes", server.cells().get(1), policy))
        .toList();
  }

  /** Three servers, of which one is three times slower, and three clients that know it well. */
  private static List<String> ofSmallFaults() {
    Experiment faults = Experiments.named("small-faults");
    return faults.policies().stream()
        .map(policy -> line("faults", faults.cells().get(3), policy))
        .toList();
  }

  private static String line(int interval, String policy) {
    return line("T=" + interval, SimulatedScenario.BASE.with("intervalMillis", interval), policy);
  }

  private static String line(String name, SimulatedScenario cell, String policy) {
    SimulatedScenario scenario = cell.with("requests", 40_000).with("warmUpMillis", 100);
    Simulation simulation = new Simulation(scenario, SimulatedPolicy.named(policy), 1);
    simulation.run();
    Measured measured = simulation.measured;
    return String.format(
        Locale.ROOT,
        "%s %s mean %.4f p99 %.3f p99.9 %.3f extra %.5f",
        name,
        policy,
        measured.meanMillis(),
        measured.percentileMillis(99),
        measured.percentileMillis(99.9),
        measured.extraWork());
  }

  private static String golden() {
    try (InputStream in = GoldenTest.class.getResourceAsStream("/golden.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
