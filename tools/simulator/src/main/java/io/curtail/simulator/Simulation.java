/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.LoadSettings;
import io.curtail.selection.NamedPolicy;
import io.curtail.selection.PolicySettings;
import io.curtail.selection.RandomSource;
import io.curtail.selection.passing.PassingSettings;
import io.curtail.selection.rate.CubicSettings;
import io.curtail.selection.rate.RateControls;

/** One run: a scenario, a policy, a seed. */
final class Simulation {
  private static final long GIVE_UP_NANOS = 600_000_000_000L;

  final SimulatedScenario scenario;
  final ReplayScript script;
  final EventLoop loop = new EventLoop();
  final NamedPolicy ranking;
  final String rateControl;
  final SecondChance secondChance;
  final Copying copying;
  final PassingSettings passingSettings;
  final Server[] servers;
  final Client[] clients;
  final Network network;
  final OraclePolicy oracle;
  final Measured measured = new Measured();
  final Samples samples = new Samples();
  final long serviceSeed;
  long arrivalHash;
  private long progressNanos;
  private final LoadSettings loadSettings;
  private final CubicSettings cubicSettings;
  private final Workload workload;
  private final long warmUpNanos;

  Simulation(SimulatedScenario scenario, SimulatedPolicy simulated, long seed) {
    this(scenario, simulated, seed, null);
  }

  /**
   * @param script where reads, speeds and service times come from, or null to draw them
   */
  Simulation(SimulatedScenario cluster, SimulatedPolicy simulated, long seed, ReplayScript script) {
    SimulatedScenario scenario = simulated.in(cluster);
    this.scenario = scenario;
    this.script = script;
    this.ranking = simulated.ranking();
    this.secondChance = simulated.secondChance();
    this.copying = simulated.copying();
    this.passingSettings = scenario.passingSettings();
    String control =
        !scenario.rateControl.equals("policy")
            ? scenario.rateControl
            : ranking == null ? RateControls.NONE : ranking.rateControl();
    this.rateControl = control.equals(RateControls.NONE) ? null : control;
    LoadSettings settings = ranking == null ? LoadSettings.PAPER : ranking.loadSettings();
    if (scenario.averagingMillis > 0) {
      settings = settings.withAveragingTime((long) (scenario.averagingMillis * 1e6));
    }
    LoadSettings weighted =
        scenario.newSampleWeight > 0
            ? settings.withNewSampleWeight(scenario.newSampleWeight)
            : settings;
    this.loadSettings =
        scenario.coordinated
            ? weighted.withFailureMemory(LoadSettings.COORDINATOR_FAILURE_MEMORY_NANOS)
            : weighted;
    CubicSettings rates =
        CubicSettings.AUTHORS.withWindow((long) (scenario.rateWindowMillis * 1e6));
    this.cubicSettings = scenario.cassandraRateLimiter ? rates.withRates(1, 200, 0.1) : rates;
    this.serviceSeed = RandomSource.stream(seed, 5).nextLong();
    this.servers = new Server[scenario.servers];
    for (int i = 0; i < servers.length; i++) {
      servers[i] = new Server(this, i, i % scenario.zones);
    }
    this.network = new Network(this, RandomSource.stream(seed, 6));
    this.oracle = new OraclePolicy(this, RandomSource.stream(seed, 7));
    this.clients = new Client[scenario.clients];
    PolicySettings policySettings = policySettings();
    for (int i = 0; i < clients.length; i++) {
      RandomSource random = RandomSource.stream(seed, 1_000 + i);
      clients[i] = new Client(this, i, i % scenario.zones, random, policySettings);
    }
    this.workload = new Workload(this, seed);
    this.warmUpNanos = (long) (scenario.warmUpMillis * 1e6);
    new Speeds(this, seed).start();
    new Faults(this).start();
    workload.start();
    new Samples.Sampler(this, samples).start();
  }

  private PolicySettings policySettings() {
    double weight = scenario.outstandingWeight < 0 ? scenario.clients : scenario.outstandingWeight;
    return PolicySettings.builder()
        .clients(weight)
        .exponent(scenario.exponent)
        .badnessThreshold(scenario.badnessThreshold)
        .feedbackMemoryNanos((long) (scenario.feedbackMemoryMillis * 1e6))
        .responseMemoryNanos((long) (scenario.responseMemoryMillis * 1e6))
        .tiesInOrder(scenario.tiesInOrder)
        .build();
  }

  /** Returns whether reads may have to wait at their clients. */
  boolean isPaced() {
    return rateControl != null || secondChance == SecondChance.HELD_BACK;
  }

  /** A coordinator's own reads have no limit where they pass no message. */
  ServerLoad newLoad(Server server, Client client) {
    int clientZone = client.zone;
    boolean unlimited = scenario.ownReadsSampled && network.isOn(client, server);
    double distanceWeight = server.zone == clientZone ? 1 : 4;
    if (secondChance == SecondChance.HELD_BACK && !unlimited) {
      OnOff control = new OnOff();
      ServerLoad load = new ServerLoad(server, loadSettings, distanceWeight, control);
      control.limit(load);
      return load;
    }
    return new ServerLoad(
        server,
        loadSettings,
        distanceWeight,
        rateControl == null || unlimited
            ? null
            : RateControls.create(rateControl, cubicSettings, loop.nowNanos()));
  }

  /** Runs to the last read's answer, or until none has been answered for ten minutes. */
  void run() {
    while (!isOver() && loop.step()) {
      if (loop.nowNanos() - progressNanos > GIVE_UP_NANOS) {
        measured.lost = scenario.requests - measured.completed;
      }
    }
  }

  boolean isOver() {
    return measured.completed + measured.lost >= scenario.requests;
  }

  void completed(Read read) {
    progressNanos = loop.nowNanos();
    measured.completed++;
    measured.copies += read.copies;
    if (read.arrivedNanos >= warmUpNanos) {
      measured.latency(
          loop.nowNanos() - read.arrivedNanos + network.usersRoundTripNanos(read.client));
    }
  }

  /** No replica is left that could answer. */
  void lost(Read read) {
    read.done = true;
    measured.lost++;
    read.client.over();
  }
}
