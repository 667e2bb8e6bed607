/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.curtail.selection.Feedback;
import io.curtail.selection.LoadSettings;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rivals that only the simulator runs, in cases computed by hand: one client a millisecond away
 * from two servers, each with one slot and services of 10 ms, times what the case says.
 */
class RivalsTest {
  private static final long MILLI = 1_000_000;
  private static final int SEEDS = 8;
  private static final SimulatedScenario TWO_SERVERS =
      SimulatedScenario.BASE
          .with(Map.of("servers", 2, "replicationFactor", 2, "clients", 1, "slots", 1))
          .with(Map.of("serviceMillis", 10, "speedFactor", 1, "intervalMillis", 0))
          .with(Map.of("oneWayMillis", 1, "warmUpMillis", 0, "messageCostMicros", 0));

  /**
   * Reads at the given times; whichever copy of a read is served first takes that many services.
   */
  private static final class Case implements ReplayScript {
    private final double[] arrivalMillis;
    private final IntToDoubleFunction firstUnits;
    private final Set<Integer> started = new HashSet<>();

    Case(double[] arrivalMillis, IntToDoubleFunction firstUnits) {
      this.arrivalMillis = arrivalMillis;
      this.firstUnits = firstUnits;
    }

    Case(double... arrivalMillis) {
      this(arrivalMillis, read -> 1);
    }

    @Override
    public int reads() {
      return arrivalMillis.length;
    }

    @Override
    public long arrivalNanos(int read) {
      return (long) (arrivalMillis[read] * MILLI);
    }

    @Override
    public int group(int read) {
      return 0;
    }

    @Override
    public int coordinator(int read) {
      return 0;
    }

    @Override
    public boolean isFast(int server, long interval) {
      return true;
    }

    @Override
    public double serviceUnit(int read, int server) {
      return started.add(read) ? firstUnits.applyAsDouble(read) : 1;
    }
  }

  private static Simulation start(
      SimulatedScenario scenario, String policy, ReplayScript script, long seed) {
    SimulatedScenario scripted = scenario.with("requests", script.reads());
    return new Simulation(scripted, SimulatedPolicy.named(policy), seed, script);
  }

  /** Runs until nothing happens any more. */
  private static Simulation run(
      SimulatedScenario scenario, String policy, ReplayScript script, long seed) {
    Simulation simulation = start(scenario, policy, script, seed);
    while (simulation.loop.nowNanos() < 60_000 * MILLI && simulation.loop.step()) {
      // What lost is served too.
    }
    assertThat(simulation.measured.completed).isEqualTo(script.reads());
    return simulation;
  }

  private static long served(Simulation simulation) {
    long served = 0;
    for (Server server : simulation.servers) {
      served += server.served;
    }
    return served;
  }

  @ParameterizedTest
  @ValueSource(strings = {"das", "c3-das"})
  void should_stop_the_loser_in_its_service_when_the_other_copy_is_answered(String policy) {
    // 1 to 11 ms at one, answered at 12, purged at 13 at the other: 12 ms of 30 in vain.
    for (int seed = 1; seed <= SEEDS; seed++) {
      Simulation simulation = run(TWO_SERVERS, policy, new Case(new double[] {0}, read -> 3), seed);
      assertThat(simulation.measured.meanMillis()).isCloseTo(12, within(1e-6));
      assertThat(simulation.measured.extraWork()).isCloseTo(12 / 10.0, within(1e-6));
      assertThat(simulation.servers[0].busyNanos + simulation.servers[1].busyNanos)
          .isCloseTo(22e6, within(10.0));
      assertThat(served(simulation)).isOne();
    }
  }

  @Test
  void should_make_way_in_the_middle_of_its_service_when_a_first_copy_comes() {
    Set<Double> means = new HashSet<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      Simulation simulation =
          run(TWO_SERVERS, "das", new Case(new double[] {0, 5}, read -> read == 0 ? 2.5 : 1), seed);
      means.add(Math.rint(simulation.measured.meanMillis() * 1e3) / 1e3);
      assertThat(simulation.measured.extraWork()).isCloseTo(22 / 20.0, within(1e-6));
    }
    // The first read takes 25 ms, its copy 10, both from 1 on. If the second read comes where the
    // copy is, that makes way at 6, goes on at 16 and is answered at 22, the second read at 17:
    // (22 + 12) / 2. If it comes where the first one is, it waits; its own copy follows the copy at
    // 11 and is answered at 22: (12 + 17) / 2.
    assertThat(means).containsExactlyInAnyOrder(17.0, 14.5);
  }

  @Test
  void should_finish_what_is_served_when_services_cannot_be_interrupted() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      // One server has the first read's longer copy from 1 to 31, though its other one is answered
      // at 12. The second read, or its copy, is served by the other from 13.5 to 23.5; the third
      // copy is purged before 31.
      Simulation simulation =
          run(
              TWO_SERVERS,
              "c3-das-queued",
              new Case(new double[] {0, 12.5}, read -> read == 0 ? 3 : 1),
              seed);
      assertThat(simulation.measured.meanMillis()).isCloseTo(12, within(1e-6));
      assertThat(served(simulation)).isEqualTo(3);
      assertThat(simulation.servers[0].busyNanos + simulation.servers[1].busyNanos)
          .isCloseTo(50e6, within(10.0));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"netclone", "netclone-racksched"})
  void should_clone_while_no_reads_wait_and_drop_the_clone_where_they_do(String policy) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      // At 0 and 2 two copies each; at 4 the clone meets a queue; by 13 one server told of one.
      Simulation simulation = run(TWO_SERVERS, policy, new Case(0, 2, 4, 13), seed);
      assertThat(served(simulation)).isEqualTo(2 + 2 + 1 + 1);
      assertThat(simulation.measured.extraWork()).isCloseTo(2 / 4.0, within(1e-6));
      if (policy.equals("netclone-racksched")) {
        // 12; 22 - 2; 32 - 4; and the server where none waits serves the last one from 21.
        assertThat(simulation.measured.meanMillis())
            .isCloseTo((12 + 20 + 28 + 19) / 4.0, within(1e-6));
      }
    }
  }

  @Test
  void should_hedge_after_ten_milliseconds_at_first_and_not_beyond_the_budget() {
    // Left at 10, served from 11 to 21, while the first one takes 50 ms. One token, and no second
    // one for 5 s.
    Simulation simulation =
        run(
            TWO_SERVERS.with("utilisation", 0.01),
            "hedge-with-budget",
            new Case(new double[] {0, 100}, read -> 5),
            1);
    assertThat(simulation.measured.meanMillis()).isCloseTo((22 + 52) / 2.0, within(1e-6));
    assertThat(simulation.measured.extraWork()).isCloseTo(10 / 100.0, within(1e-6));
  }

  @Test
  void should_hedge_after_the_p90_of_the_server_when_it_is_known() {
    double[] arrivals = new double[101];
    for (int i = 0; i < arrivals.length; i++) {
      arrivals[i] = 100.0 * i;
    }
    Simulation simulation =
        run(
            TWO_SERVERS.with("utilisation", 1),
            "hedge-with-budget",
            new Case(arrivals, read -> read == 100 ? 50 : 0.2),
            1);
    // 4 ms for all but the last one, whose hedge leaves after 4 and takes 12.
    assertThat(simulation.measured.percentileMillis(100)).isBetween(15.9, 16.3);
    assertThat(served(simulation)).isEqualTo(102);
  }

  @Test
  void should_be_off_for_as_long_as_the_queue_beyond_the_limit_takes() {
    OnOff control = new OnOff();
    ServerLoad load = new ServerLoad(null, LoadSettings.PAPER, 1, control);
    control.limit(load);
    assertThat(control.tryAcquire(0)).isZero();
    load.onFeedback(new Feedback(OnOff.LEAST_WAITING + 6, 2, 2, 4 * MILLI), 10 * MILLI);
    assertThat(control.tryAcquire(10 * MILLI)).isEqualTo(12 * MILLI);
    assertThat(control.tryAcquire(15 * MILLI)).isEqualTo(7 * MILLI);
    assertThat(control.tryAcquire(22 * MILLI)).isZero();
    load.onFeedback(new Feedback(OnOff.LEAST_WAITING, 2, 2, 4 * MILLI), 30 * MILLI);
    assertThat(control.tryAcquire(30 * MILLI)).isZero();
  }

  @Test
  void should_hold_a_read_back_while_its_only_replica_is_off() {
    // The first answer, at 12, tells of one read too many; the second, at 22, of none.
    int sent = OnOff.LEAST_WAITING + 3;
    double[] arrivals = new double[sent + 1];
    for (int i = 0; i < sent; i++) {
      arrivals[i] = 0.1 * i;
    }
    arrivals[sent] = 13;
    SimulatedScenario one = TWO_SERVERS.with("replicationFactor", 1);
    Simulation simulation = start(one, "on-off", new Case(arrivals), 1);
    assertThat(outstandingAt(simulation, 21.9)).isEqualTo(sent - 1);
    assertThat(outstandingAt(simulation, 22.1)).isEqualTo(sent - 1);
    simulation.run();
    assertThat(simulation.measured.completed).isEqualTo(sent + 1);
    Simulation c3 = start(one, "c3-without-rate-control", new Case(arrivals), 1);
    assertThat(outstandingAt(c3, 21.9)).isEqualTo(sent);
  }

  private static int outstandingAt(Simulation simulation, double millis) {
    simulation.loop.at((long) (millis * MILLI), (event, subject) -> {}, 0, null);
    while (simulation.loop.nowNanos() < millis * MILLI) {
      simulation.loop.step();
    }
    return simulation.clients[0].load(0).outstanding();
  }
}
