/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.arm.ServerModeArms;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.disturbance.PausingNode;
import io.curtail.lab.disturbance.SlowDisks;
import io.curtail.lab.disturbance.SlowDisksInTurn;
import io.curtail.lab.experiment.Choice;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.Joiners;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** C3 at the coordinators of a real cluster against the dynamic snitch. */
final class C3VsSnitchScenario extends Scenario {
  private static final String NAME = "c3-vs-snitch";
  private static final int NODES = 5;
  private static final int SECONDS = 8;
  private static final int PAIRS = 5;
  private static final double RATE_HZ = 500;

  /** At four reads at once this is 200 a second, where a fifth of the rate is 100. */
  private static final Duration SLOW_DISK = Duration.ofMillis(20);

  private static final Duration SUB_MILLISECOND = Duration.ofNanos(800_000);
  private static final Duration TURN = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration BETWEEN_PAUSES = Duration.ofMillis(1500);

  /** The paper's 80 and 40 on 15 nodes, for a third of the nodes. */
  private static final int GENERATORS = 27;

  private static final int JOINING_GENERATORS = 13;
  private static final Mix[] ALL_MIXES = {Mix.B, Mix.A, Mix.C};

  /** What is asked of the arms. */
  private enum Part {
    WELL("nothing is wrong"),
    SUB_MILLISECOND("one disk is 0.8 ms slower than the others"),
    SLOW_DISK("one disk is slow"),
    SLOW_DISKS("two disks are slow that share keys"),
    BUSY_DISKS("the nodes take turns at having a slow disk"),
    PAUSE("a node stands still again and again"),
    THROUGHPUT("all disks are slow, and clients ask as fast as they are answered"),
    JOINING("update-heavy generators join read-heavy ones, and all disks are slow");

    private final String question;

    Part(String question) {
      this.question = question;
    }
  }

  private final List<Part> parts;

  private C3VsSnitchScenario(String name, List<Part> parts) {
    super(name, NODES, 1, ServerModeArms.INSTANCE);
    this.parts = parts;
  }

  /** The whole, and each part alone. */
  static List<Scenario> all() {
    return Scenarios.wholeAndParts(NAME, Part.values(), C3VsSnitchScenario::new);
  }

  @Override
  public String explanation() {
    return "Curtail's C3 orders the replicas at every coordinator, or Cassandra's own dynamic snitch"
        + " does. A few keys take much of the load (Zipfian). What is tried: "
        + String.join("; ", parts.stream().map(part -> part.question).toList())
        + ".";
  }

  @Override
  public Set<Choice> choices() {
    Set<Choice> choices = EnumSet.of(Choice.CONSISTENCY, Choice.MIX, Choice.KEYS, Choice.SERVER);
    if (!Set.of(Part.THROUGHPUT, Part.JOINING).containsAll(parts)) {
      choices.add(Choice.RATE);
    }
    return choices;
  }

  @Override
  public List<Condition> conditions(ScenarioSettings settings) {
    if (settings.snitchAndC3().contains(ServerMode.DYNAMIC_SNITCH)) {
      settings.requireJmx(name()); // which exchanges the snitch
    }
    List<Condition> conditions = new ArrayList<>();
    for (ConsistencyLevel level : settings.consistenciesOr(List.of(DefaultConsistencyLevel.ONE))) {
      for (Part part : parts) {
        addTo(conditions, part, settings, level);
      }
    }
    return conditions;
  }

  private void addTo(
      List<Condition> conditions, Part part, ScenarioSettings settings, ConsistencyLevel level) {
    Duration disk = SLOW_DISK.multipliedBy(settings.slowMotion());
    switch (part) {
      case WELL -> {
        open(conditions, settings, level, null, ALL_MIXES);
        LoadSpec load = settings.load(1, SECONDS).closedLoop(GENERATORS);
        closed(conditions, settings, level, load, Duration.ZERO, Mix.B);
      }
      case SUB_MILLISECOND -> {
        Duration slower = SUB_MILLISECOND.multipliedBy(settings.slowMotion());
        open(conditions, settings, level, new SlowDisks(slower, 1), Mix.C);
      }
      case SLOW_DISK -> open(conditions, settings, level, new SlowDisks(disk, 1), ALL_MIXES);
      case SLOW_DISKS -> open(conditions, settings, level, new SlowDisks(disk, 2), Mix.B);
      case BUSY_DISKS -> open(conditions, settings, level, new SlowDisksInTurn(disk, TURN), Mix.B);
      case PAUSE ->
          open(conditions, settings, level, new PausingNode(PAUSE, BETWEEN_PAUSES), Mix.B);
      case THROUGHPUT -> {
        LoadSpec load = settings.load(1, SECONDS).closedLoop(GENERATORS + JOINING_GENERATORS);
        closed(conditions, settings, level, load, disk, ALL_MIXES);
      }
      case JOINING -> {
        LoadSpec load = settings.load(1, 2 * SECONDS).closedLoop(GENERATORS);
        Joiners joiners = new Joiners(JOINING_GENERATORS, Mix.A, load.length().dividedBy(2));
        closed(conditions, settings, level, load.withJoiners(joiners), disk, Mix.B);
      }
      default -> throw new AssertionError(part);
    }
  }

  private void open(
      List<Condition> conditions,
      ScenarioSettings settings,
      ConsistencyLevel level,
      Disturbance disturbance,
      Mix... mixes) {
    for (double rate : settings.ratesOr(List.of(RATE_HZ))) {
      for (Mix mix : settings.mixesOr(mixes)) {
        conditions.add(
            Condition.of(
                    name(),
                    settings.label(level, rate)
                        + ", "
                        + mix.description()
                        + ", "
                        + (disturbance == null ? "all well" : disturbance.label()),
                    load(settings.load(rate, SECONDS), settings, level, mix),
                    settings.pairsOr(PAIRS))
                .withDisturbance(disturbance));
      }
    }
  }

  private void closed(
      List<Condition> conditions,
      ScenarioSettings settings,
      ConsistencyLevel level,
      LoadSpec load,
      Duration diskTime,
      Mix... mixes) {
    for (Mix mix : settings.mixesOr(mixes)) {
      String joining =
          load.joiners() == null
              ? " generators"
              : ", then " + load.joiners().generators() + " update-heavy generators more";
      conditions.add(
          Condition.of(
                  name(),
                  level
                      + settings.speculationLabel()
                      + ", "
                      + load.outstanding()
                      + " "
                      + mix.description()
                      + joining
                      + (diskTime.isZero()
                          ? ""
                          : ", all disks " + diskTime.toMillis() + " ms a read"),
                  load(load, settings, level, mix),
                  settings.pairsOr(PAIRS))
              .withDiskTime(diskTime));
    }
  }

  private static LoadSpec load(
      LoadSpec load, ScenarioSettings settings, ConsistencyLevel level, Mix mix) {
    return load.withMix(mix).withKeys(settings.keysOr("zipfian")).withConsistency(level);
  }
}
