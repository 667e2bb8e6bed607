/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
  private static final SimulatedScenario SHORT =
      SimulatedScenario.BASE.with("requests", 20_000).with("warmUpMillis", 50);

  static Iterable<String> policies() {
    return SimulatedPolicy.all().keySet();
  }

  private static Simulation run(SimulatedScenario scenario, String policy, long seed) {
    Simulation simulation = new Simulation(scenario, SimulatedPolicy.named(policy), seed);
    simulation.run();
    return simulation;
  }

  @ParameterizedTest
  @MethodSource("policies")
  void should_answer_every_read_and_do_the_same_twice(String policy) {
    Simulation first = run(SHORT, policy, 3);
    Simulation second = run(SHORT, policy, 3);
    assertThat(first.measured.completed).isEqualTo(20_000);
    assertThat(first.measured.lost).isZero();
    assertThat(second.loop.traceHash()).isEqualTo(first.loop.traceHash());
    assertThat(run(SHORT, policy, 4).loop.traceHash()).isNotEqualTo(first.loop.traceHash());
  }

  @ParameterizedTest
  @MethodSource("policies")
  void should_leave_nothing_outstanding_when_all_is_over(String policy) {
    Simulation simulation = run(SHORT, policy, 1);
    while (simulation.loop.step()) {
      // What is still on the way arrives.
    }
    for (Client client : simulation.clients) {
      for (Server server : simulation.servers) {
        assertThat(client.load(server.number).outstanding()).isZero();
      }
    }
    for (Server server : simulation.servers) {
      assertThat(server.load()).isZero();
      assertThat(server.onTheWay()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"curtail-single-copy", "curtail-passed-on", "c3", "least-outstanding"})
  void should_serve_each_read_once_when_there_is_no_second_copy(String policy) {
    Simulation simulation = run(SHORT, policy, 1);
    long served = 0;
    for (Server server : simulation.servers) {
      served += server.served;
    }
    assertThat(served).isEqualTo(20_000);
  }

  @Test
  void should_show_all_policies_the_same_world() {
    long expected = -1;
    for (String policy : policies()) {
      Simulation simulation = run(SHORT, policy, 5);
      long arrivals = simulation.arrivalHash;
      assertThat(expected == -1 || expected == arrivals).as(policy).isTrue();
      expected = arrivals;
    }
  }

  @Test
  void should_favour_no_client_when_all_demand_as_much() {
    SimulatedScenario all = SHORT.with("heavyDemand", 0.8).with("heavyClients", 1.0);
    assertThat(run(all, "random", 5).arrivalHash)
        .isEqualTo(run(SHORT.with("heavyDemand", 0), "random", 5).arrivalHash);
  }

  @Test
  void should_rescue_reads_from_a_paused_server_with_a_second_copy() {
    SimulatedScenario paused =
        SHORT.with("pausedServer", 0).with("faultAtMillis", 180).with("faultMillis", 5_000);
    assertThat(run(paused, "curtail", 1).measured.percentileMillis(100)).isLessThan(500);
    assertThat(run(paused, "curtail-single-copy", 1).measured.percentileMillis(100))
        .isGreaterThan(4_000);
  }

  @Test
  void should_serve_nothing_while_a_server_pauses() {
    SimulatedScenario paused =
        SHORT.with("pausedServer", 0).with("faultAtMillis", 60).with("faultMillis", 2_000);
    Simulation simulation = new Simulation(paused, SimulatedPolicy.named("random"), 1);
    long servedBefore = -1;
    while (simulation.loop.step() && simulation.loop.nowNanos() < 2_059_000_000L) {
      if (simulation.loop.nowNanos() > 61_000_000L) {
        servedBefore = servedBefore < 0 ? simulation.servers[0].served : servedBefore;
        assertThat(simulation.servers[0].served).isEqualTo(servedBefore);
      }
    }
    assertThat(servedBefore).isPositive();
    while (simulation.loop.step()) {
      // The pause is over.
    }
    assertThat(simulation.servers[0].served).isGreaterThan(servedBefore);
  }

  @ParameterizedTest
  @ValueSource(strings = {"c3", "adaptive-hedged"})
  void should_give_back_every_permit_when_reads_fail_or_time_out(String policy) {
    SimulatedScenario failing =
        SHORT
            .with("failingServer", 0)
            .with("faultAtMillis", 20)
            .with("faultMillis", 100)
            .with("timeoutMillis", 30)
            .with("rateControl", "in-flight-limit");
    Simulation simulation = run(failing, policy, 1);
    while (simulation.loop.step()) {
      // What is still on the way arrives.
    }
    for (Client client : simulation.clients) {
      for (Server server : simulation.servers) {
        ServerLoad load = client.load(server.number);
        long limit = Math.round(load.rateControl.limit());
        for (long permit = 0; permit < limit; permit++) {
          assertThat(load.rateControl.tryAcquire(0)).isZero();
        }
        assertThat(load.rateControl.tryAcquire(0)).isPositive();
      }
    }
  }

  @Test
  void should_not_send_readers_to_a_server_that_left() {
    SimulatedScenario leaving = SHORT.with("leavingServer", 3).with("faultAtMillis", 20);
    Simulation simulation = run(leaving, "curtail", 1);
    assertThat(simulation.measured.lost).isZero();
    assertThat(simulation.servers[3].served)
        .isLessThan(run(SHORT, "curtail", 1).servers[3].served / 2);
  }

  @Test
  void should_learn_late_when_feedback_is_late() {
    assertThat(run(SHORT.with("feedbackDelayMillis", 30), "c3", 1).loop.traceHash())
        .isNotEqualTo(run(SHORT, "c3", 1).loop.traceHash());
  }

  @Test
  void should_give_up_reads_that_a_server_never_answers() {
    SimulatedScenario forEver =
        SHORT.with("pausedServer", 0).with("faultAtMillis", 0).with("faultMillis", 0);
    Measured measured = run(forEver, "random", 1).measured;
    assertThat(measured.lost).isPositive();
    assertThat(measured.lost + measured.completed).isEqualTo(20_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"c3", "least-outstanding", "curtail-single-copy"})
  void should_need_two_answers_for_a_quorum(String policy) {
    Simulation simulation =
        run(SHORT.with("consistency", "quorum").with("utilisation", 0.4), policy, 1);
    long served = 0;
    while (simulation.loop.step()) {
      // The rest.
    }
    for (Server server : simulation.servers) {
      served += server.served;
    }
    assertThat(served).isEqualTo(40_000);
  }

  @Test
  void should_answer_through_other_replicas_when_one_fails_or_leaves() {
    SimulatedScenario failing = SHORT.with("failingServer", 3).with("faultAtMillis", 20);
    assertThat(run(failing, "curtail", 1).measured.lost).isZero();
    SimulatedScenario cold =
        SHORT.with("coldServer", 3).with("faultAtMillis", 100).with("faultMillis", 50);
    Simulation simulation = run(cold, "curtail", 1);
    assertThat(simulation.measured.lost).isZero();
    assertThat(simulation.servers[3].served).isPositive();
  }

  @Test
  void should_add_to_each_read_from_a_moment_on() {
    SimulatedScenario idle = SHORT.with("utilisation", 0.05);
    SimulatedScenario slower =
        idle.with("addedMillis", 20).with("faultAtMillis", 0).with("faultMillis", 0);
    double without = medianMillis(run(idle, "random", 1));
    assertThat(medianMillis(run(slower, "random", 1))).isBetween(without + 20, without + 25);
    double ends = medianMillis(run(slower.with("faultMillis", 50), "random", 1));
    assertThat(ends).as("over before anything is measured").isBetween(without - 1, without + 1);
  }

  private static double medianMillis(Simulation simulation) {
    return simulation.measured.latencyMicros.getValueAtPercentile(50) / 1e3;
  }

  @Test
  void should_survive_lost_claims_and_lost_feedback() {
    SimulatedScenario scenario = SHORT.with("claimLoss", 1).with("feedbackLoss", 0.5);
    assertThat(run(scenario, "curtail-tied", 1).measured.completed).isEqualTo(20_000);
    assertThat(run(scenario, "curtail", 1).measured.completed).isEqualTo(20_000);
  }
}
