/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clusters of few nodes, whose coordinators are replicas and serve their own reads. */
class CoordinatorTest {
  private static final SimulatedScenario CLUSTER =
      SimulatedScenario.BASE
          .with("servers", 9)
          .with(
              Map.of(
                  "clients",
                  9,
                  "coordinated",
                  true,
                  "coordinatorIs",
                  "replica",
                  "ownReads",
                  "sampled",
                  "requests",
                  20_000,
                  "warmUpMillis",
                  50));

  private static Simulation run(SimulatedScenario scenario, String policy) {
    Simulation simulation = new Simulation(scenario, SimulatedPolicy.named(policy), 1);
    simulation.run();
    return simulation;
  }

  private static SimulatedScenario oneReplica(int threads) {
    return CLUSTER
        .with("replicationFactor", 1)
        .with(
            Map.of(
                "nearestThreshold", 0.3,
                "intervalMillis", 0,
                "speedFactor", 1,
                "serviceMillis", 2,
                "oneWayMillis", 0,
                "coordinatorThreads", threads,
                "requests", 1_000_000));
  }

  /** Erlang C of four threads at 70 %. */
  private static double mmcMillis() {
    double load = 0.7 * 4;
    double sum = 1 + load + load * load / 2 + load * load * load / 6;
    double queued = load * load * load * load / 24 / 0.3;
    return 2 + queued / (sum + queued) * 2 / (4 * 0.3);
  }

  @Test
  void should_match_m_m_c_when_each_row_has_one_replica() {
    assertThat(run(oneReplica(0), "c3-per-slot").measured.meanMillis())
        .isCloseTo(mmcMillis(), withPercentage(2));
  }

  @Test
  void should_match_m_m_c_when_reads_wait_for_a_thread_of_the_coordinator() {
    // Four threads that each wait for one of four: the queue is before them, not behind.
    assertThat(run(oneReplica(4), "random").measured.meanMillis())
        .isCloseTo(mmcMillis(), withPercentage(2));
  }

  @Test
  void should_read_from_itself_unless_its_replica_is_much_worse() {
    SimulatedScenario far = CLUSTER.with("nearestThreshold", 0).with("oneWayMillis", 0);
    long near = ownReads(CLUSTER.with("nearestThreshold", 100).with("oneWayMillis", 0));
    assertThat(near).isGreaterThan(ownReads(far) * 5 / 4);
    assertThat(near).isGreaterThan(15_000);
  }

  private static long ownReads(SimulatedScenario scenario) {
    long own = 0;
    Simulation simulation = run(scenario, "c3-per-slot");
    for (Client client : simulation.clients) {
      own += client.ownReads();
    }
    return own;
  }

  @Test
  void should_send_second_copies_of_the_slowest_reads_when_asked() {
    SimulatedScenario scenario =
        CLUSTER
            .with("utilisation", 0.3)
            .with("speculativeRetryPercentile", 99)
            .with("speculativeRetryUpdateMillis", 500);
    assertThat(run(scenario, "c3-per-slot").measured.extraWork()).isBetween(0.001, 0.1);
    assertThat(run(CLUSTER, "c3-per-slot").measured.extraWork()).isZero();
  }

  @Test
  void should_probe_silent_replicas_when_asked() {
    SimulatedScenario scenario = CLUSTER.with("refreshMillis", 1).with("refreshShare", 0.05);
    assertThat(run(scenario, "c3-per-slot").measured.extraWork()).isBetween(0.01, 0.1);
  }

  @Test
  void should_probe_seldom_while_its_own_reads_are_as_fast_as_ever() {
    SimulatedScenario scenario =
        CLUSTER
            .with("utilisation", 0.2)
            .with("nearestThreshold", 0.3)
            .with("refreshMillis", 1)
            .with("refreshShare", 0.5);
    SimulatedScenario byMessages = scenario.with("ownReads", "answered");
    double usually = run(byMessages, "c3-per-slot").measured.extraWork();
    assertThat(run(scenario, "c3-per-slot").measured.extraWork())
        .isBetween(0.01 * usually, 0.8 * usually);
  }

  @Test
  void should_answer_every_read_when_rates_limit_and_the_wait_is_bounded() {
    Simulation simulation = run(CLUSTER.with("backlogMillis", 5), "c3");
    assertThat(simulation.measured.completed).isEqualTo(20_000);
    assertThat(simulation.measured.lost).isZero();
  }

  @ParameterizedTest
  @CsvSource({"4, 0.25", "200, 0.5"})
  void should_not_lose_to_its_ranking_alone_when_overloaded(double service, double oneWay) {
    SimulatedScenario overloaded =
        CLUSTER
            .with("utilisation", 1.1)
            .with("serviceMillis", service)
            .with("oneWayMillis", oneWay)
            .with("intervalMillis", 12.5 * service)
            .with("nearestThreshold", 0.3)
            .with("coordinatorThreads", 128)
            .with("requests", 16_000);
    double alone = 0;
    double returned = 0;
    for (int seed = 1; seed <= 24; seed++) {
      alone += p99(overloaded, "c3-per-slot", seed);
      returned += p99(overloaded, "c3-per-slot-returned", seed);
    }
    assertThat(returned).isLessThan(alone);
  }

  private static double p99(SimulatedScenario scenario, String policy, int seed) {
    Simulation simulation = new Simulation(scenario, SimulatedPolicy.named(policy), seed);
    simulation.run();
    assertThat(simulation.measured.lost).isZero();
    return simulation.measured.percentileMillis(99);
  }

  /** Clients that are no nodes remember it as the driver does. */
  @Test
  void should_forgive_a_failure_as_soon_as_a_node_does() {
    assertThat(penaltyAfterTwoSeconds(CLUSTER)).isLessThan(1_000_000);
    assertThat(penaltyAfterTwoSeconds(SimulatedScenario.BASE)).isGreaterThan(500_000_000);
  }

  private static double penaltyAfterTwoSeconds(SimulatedScenario scenario) {
    Simulation simulation = new Simulation(scenario, SimulatedPolicy.named("c3-per-slot"), 1);
    ServerLoad load = simulation.clients[0].load(1);
    load.onSent();
    load.onFailure(0, 5_000_000_000L, 0);
    return load.failurePenaltyNanos(2_000_000_000L);
  }

  /** Stock's nodes have nothing of what curtail-server does by itself. */
  @Test
  void should_probe_for_no_dynamic_snitch() {
    SimulatedScenario probing = CLUSTER.with("refreshMillis", 10).with("refreshShare", 1);
    assertThat(run(probing, "c3-per-slot").measured.extraWork()).isPositive();
    assertThat(run(probing, "dynamic-snitch").measured.extraWork()).isZero();
  }

  @Test
  void should_follow_changes_later_when_it_averages_over_longer() {
    SimulatedScenario changing =
        CLUSTER
            .with("utilisation", 0.7)
            .with("serviceMillis", 4)
            .with("intervalMillis", 20)
            .with("nearestThreshold", 0.3);
    double byLatest = 0;
    double byAverage = 0;
    for (int seed = 1; seed <= 3; seed++) {
      byLatest += p99(changing.with("averagingMillis", 0.8), "c3-per-slot", seed);
      byAverage += p99(changing, "c3-per-slot", seed);
    }
    assertThat(byAverage).isGreaterThan(1.15 * byLatest);
  }

  @Test
  void should_refuse_a_coordinator_on_each_replica_when_there_are_fewer() {
    assertThatThrownBy(() -> CLUSTER.with("clients", 8)).hasMessageContaining("coordinatorIs");
  }
}
