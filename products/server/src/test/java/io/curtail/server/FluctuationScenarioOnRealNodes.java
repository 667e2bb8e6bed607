/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.curtail.campaign.Progress;
import io.curtail.lab.Campaign;
import io.curtail.lab.cluster.Jit;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.ScenarioSettingsBuilder;
import io.curtail.lab.fault.StorageReads;
import io.curtail.lab.hooks.StoragePlan;
import io.curtail.lab.load.Arrivals;
import io.curtail.lab.scenario.FluctuationScenario;
import io.curtail.report.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code curtail lab run fluctuation}, small and short: what holds however fast the machine is. */
class FluctuationScenarioOnRealNodes {
  /** Of every read, also of a coordinator's own; the simulator has no such arm. */
  private static final String COPIES = "stock,speculative_retry=always";

  private static final ScenarioSettings SETTINGS =
      ScenarioSettings.builder()
          .nodes(3)
          .jit(Jit.C1)
          .pairs(1)
          .rates(List.of(30.0))
          .seconds(3)
          .slowMotion(10)
          .intervals(List.of(50))
          .rows(40)
          .serverModes(
              List.of(ServerMode.DYNAMIC_SNITCH, ServerMode.parse(COPIES), ServerMode.C3_PASSING))
          .maxForeignCpuShare(1)
          .seed(5)
          .build();

  @Test
  void should_give_all_arms_the_same_storage_and_simulate_them() throws Exception {
    Campaign campaign = campaign(3);
    // On a busy machine a short run may be over before the nodes have heard of each other.
    for (int seconds = 12; seconds <= 48 && !passes(campaign); seconds *= 4) {
      campaign = campaign(seconds);
    }
    ConditionResult result = campaign.report().results().get(0);
    JsonNode arms = Json.tree(campaign.report().data()).at("/conditions/0/arms");
    assertThat(arms).hasSize(3);
    for (JsonNode arm : arms) {
      assertThat(arm.at("/errors").asLong()).isZero();
      if (!arm.at("/arm").asText().equals(COPIES)) {
        assertThat(arm.at("/storage/simulatedMillis/p99").asDouble()).isPositive();
        assertThat(arm.at("/storage/measuredBySimulated/p50").asDouble()).isPositive();
      }
    }
    ArmRun stock = run(result, "dynamic-snitch");
    ArmRun second = run(result, COPIES);
    int requests = Arrivals.of(stock.condition().load().withSeed(stock.seed()), 1).all().size();
    assertThat(stock.storage().extraWork()).isCloseTo(0, within(1e-9));
    assertThat(stock.storage().served().reads()).hasSize(requests);
    assertThat(second.storage().extraWork()).isPositive();
    assertThat(campaign.report().toText()).contains("simulated p99");
    assertThat(campaign.report().page().toHtml())
        .contains("measured / simulated p99")
        .contains("counted by all nodes");
    assertThat(stock.storage().nodeCounts()).isEmpty();
    assertThat(run(result, "c3-passing").storage().nodeCounts())
        .containsKeys("ranked", "carried", "served_at_once")
        .doesNotContainKeys("cassandra_speculative_retries", "copies_sent");

    assertSameTimes(stock.storage().served(), second.storage().served());
  }

  private static Campaign campaign(int seconds) throws Exception {
    Campaign campaign =
        new Campaign(
            List.of(new FluctuationScenario()),
            ScenarioSettingsBuilder.builder(SETTINGS).seconds(seconds).build(),
            OptionalInt.of(1),
            Progress.NONE);
    campaign.run();
    return campaign;
  }

  private static boolean passes(Campaign campaign) {
    return run(campaign.report().results().get(0), "c3-passing")
        .storage()
        .nodeCounts()
        .keySet()
        .containsAll(List.of("carried", "served_at_once"));
  }

  @Test
  void should_ask_nodes_without_data_alone_when_there_are_coordinators() throws Exception {
    ScenarioSettings settings =
        ScenarioSettingsBuilder.builder(SETTINGS)
            .nodes(2)
            .coordinators(2)
            .serverModes(List.of(ServerMode.C3_RATE, ServerMode.C3_PASSING)) // of one cluster
            .build();
    Campaign campaign =
        new Campaign(
            List.of(new FluctuationScenario()), settings, OptionalInt.of(1), Progress.NONE);
    campaign.run();
    ConditionResult result = campaign.report().results().get(0);
    for (String arm : List.of("c3-rate", "c3-passing")) {
      ArmRun run = run(result, arm);
      int requests = Arrivals.of(run.condition().load().withSeed(run.seed()), 2).all().size();
      assertThat(run.result().requestsByNode().keySet()).hasSize(2);
      // Probes are reads, too; those of the warm-up are counted with them.
      long probes = run.storage().nodeCounts().getOrDefault("probes", 0L);
      assertThat((long) run.storage().served().reads().size())
          .isBetween((long) requests, requests + probes);
      // The read and its answer; some may be under way when the nodes are asked first.
      assertThat(run.messages()).isGreaterThan(1.9);
      assertThat(run.reads().perSecond().keySet())
          .hasSize(2)
          .doesNotContainAnyElementsOf(run.result().requestsByNode().keySet());
      assertThat(run.storage().simulated().lost()).isZero();
    }
  }

  private static ArmRun run(ConditionResult result, String arm) {
    return result.runs().stream().filter(run -> run.arm().equals(arm)).findFirst().orElseThrow();
  }

  /** The n-th read of a row at a node has the same draw, and the node the speed of the moment. */
  private static void assertSameTimes(StorageReads one, StorageReads other) {
    Map<String, Double> units = new HashMap<>();
    one.reads().forEach(read -> units.put(name(read), unit(read)));
    List<StorageReads.Read> both =
        other.reads().stream().filter(read -> units.containsKey(name(read))).toList();
    assertThat(both).isNotEmpty();
    assertThat(both)
        .allSatisfy(read -> assertThat(unit(read)).isCloseTo(units.get(name(read)), within(1e-4)));
    assertThat(one.reads())
        .allSatisfy(
            read -> assertThat(read.tookNanos()).isGreaterThanOrEqualTo(read.wantedNanos()));
    // 8 s are sixteen intervals of three nodes: some are fast and some are slow.
    assertThat(
            one.reads().stream()
                .map(read -> read.plan().isFast(read.plan().interval(start(read))))
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(true, false);
  }

  private static String name(StorageReads.Read read) {
    return read.plan().node() + " " + read.keyHash() + " " + read.occurrence();
  }

  private static double unit(StorageReads.Read read) {
    StoragePlan plan = read.plan();
    return read.wantedNanos() / plan.meanNanos(plan.interval(start(read)));
  }

  private static long start(StorageReads.Read read) {
    return read.plan().startNanos() + read.atNanos();
  }
}
