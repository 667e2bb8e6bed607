/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.arm.FluctuationArms;
import io.curtail.lab.arm.RandomStorageArms;
import io.curtail.lab.cluster.Networking;
import io.curtail.lab.disturbance.RisingDelay;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.Choice;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.Fluctuation;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.load.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One node is a little slower than the others, then more and more: what does each delay cost? After
 * Xinda (Lu and others, "One-Size-Fits-None: Understanding and Enhancing Slow-Fault Tolerance in
 * Modern Distributed Systems", NSDI 2025), where 1 ms at one node took a quarter of Cassandra's
 * throughput and 10 ms up to 70 %. With a mean service of half a millisecond a closed loop over six
 * nodes loses as much by arithmetic.
 */
final class SmallFaultsScenario extends Scenario {
  private static final String NAME = "small-faults";
  private static final int NODES = 6;
  private static final int SLOW_MOTION = 40;
  private static final int STEP_SECONDS = 4;
  private static final int PAIRS = 2;
  private static final Duration SERVICE = Duration.ofNanos(500_000);

  /** Cassandra's default: storage has room, so that it is the waiting that costs. */
  private static final int THREADS = 32;

  /** Few enough for the machine, and half of what six nodes of four threads serve at once. */
  private static final int CLIENTS = 12;

  private static final List<Duration> DELAYS =
      List.of(
          Duration.ofNanos(100_000),
          Duration.ofNanos(300_000),
          Duration.ofMillis(1),
          Duration.ofMillis(3),
          Duration.ofMillis(10),
          Duration.ofMillis(50));

  private static final ArmSet POLICIES =
      new RandomStorageArms(
          SERVICE,
          THREADS,
          List.of(Policy.WEIGHTED_LEAST_LOADED, Policy.ADAPTIVE, Policy.ADAPTIVE_HEDGED));

  private final RisingDelay.Part part;
  private final boolean ofServer;

  private SmallFaultsScenario(RisingDelay.Part part, boolean ofServer) {
    super(
        NAME + (part == RisingDelay.Part.DISK ? "-disk" : "") + (ofServer ? "-server" : ""),
        NODES,
        SLOW_MOTION,
        ofServer ? FluctuationArms.FEW : POLICIES);
    this.part = part;
    this.ofServer = ofServer;
  }

  /** Network and disk, of clients and of nodes. */
  static List<Scenario> all() {
    List<Scenario> all = new ArrayList<>();
    for (boolean ofServer : new boolean[] {false, true}) {
      for (RisingDelay.Part part : RisingDelay.Part.values()) {
        all.add(new SmallFaultsScenario(part, ofServer));
      }
    }
    return all;
  }

  @Override
  public String explanation() {
    return (part == RisingDelay.Part.NETWORK
            ? "What one node sends arrives a little later, then more and more."
            : "Reads of one node's disk take a little longer, then more and more.")
        + " Clients ask again as soon as they are answered, so that who waits asks less. A run has"
        + " every delay for a few seconds, after as many in which all is well: what an arm loses is"
        + " that part of its own healthy throughput, in the same run. Delays are as at real speed;"
        + " the first quarter of each, at least a second, does not count.";
  }

  @Override
  public Set<Choice> choices() {
    Set<Choice> choices =
        EnumSet.of(
            Choice.CONSISTENCY,
            Choice.MIX,
            Choice.CLIENTS,
            Choice.KEYS,
            Choice.DELAY,
            Choice.SERVER);
    if (!ofServer) {
      choices.add(Choice.POLICY);
    }
    return choices;
  }

  /**
   * One a consistency, mix and number of clients.
   *
   * @throws IllegalArgumentException if nodes would not notice the fault of each other's network
   */
  @Override
  public List<Condition> conditions(ScenarioSettings settings) {
    if (ofServer
        && part == RisingDelay.Part.NETWORK
        && settings.networking() == Networking.LOOPBACK) {
      throw new IllegalArgumentException(
          name() + ": needs --network NAMESPACES, or nodes would not hear each other late");
    }
    RisingDelay rising =
        new RisingDelay(
            part,
            settings.delaysOr(DELAYS),
            Duration.ofSeconds(settings.seconds().orElse(STEP_SECONDS)));
    List<Condition> conditions = new ArrayList<>();
    for (ConsistencyLevel level : settings.consistenciesOr(List.of(DefaultConsistencyLevel.ONE))) {
      for (Mix mix : settings.mixesOr(Mix.C, Mix.A)) {
        for (int clients : settings.clientsOr(CLIENTS)) {
          LoadSpec load =
              settings
                  .load(1, STEP_SECONDS)
                  .closedLoop(clients)
                  .withLength(rising.length())
                  .withMix(mix)
                  .withConsistency(level);
          conditions.add(condition(settings, rising, load));
        }
      }
    }
    return conditions;
  }

  private Condition condition(ScenarioSettings settings, RisingDelay rising, LoadSpec load) {
    String label =
        "%s, %s, %d clients, %d nodes, delays ×%d%s"
            .formatted(
                load.consistency(),
                load.mix().description(),
                load.outstanding(),
                settings.nodes().orElse(NODES),
                settings.slowMotion(),
                settings.speculationLabel() + (ofServer ? "" : settings.nodesLabel()));
    return Condition.of(name(), label, load, settings.pairsOr(PAIRS))
        .withDisturbance(rising)
        .withFluctuation(Fluctuation.steady(SERVICE.multipliedBy(settings.slowMotion())));
  }
}
