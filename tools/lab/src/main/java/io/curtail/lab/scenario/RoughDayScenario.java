/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.arm.RandomStorageArms;
import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.disturbance.Later;
import io.curtail.lab.disturbance.RefusingNode;
import io.curtail.lab.disturbance.RollingRestart;
import io.curtail.lab.disturbance.SlowDisks;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.Choice;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.Fluctuation;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.KeyDistribution;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.load.Policy;
import io.curtail.report.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Troubles in which a clever client can do harm, one after the other: nothing may get worse than
 * with the driver's default.
 */
final class RoughDayScenario extends Scenario {
  private static final String NAME = "rough-day";
  private static final int NODES = 6;
  private static final int SLOW_MOTION = 50;
  private static final int PAIRS = 2;
  private static final int SECONDS = 8;

  /** Two nodes or three come back in it. */
  private static final int RESTART_SECONDS = 24;

  private static final Duration SERVICE = Duration.ofMillis(1);
  private static final int REPLICAS = 3;
  private static final double HOT_SHARE = 0.8;
  private static final double HOT_LOAD = 1.1;

  private static final ArmSet ARMS =
      new RandomStorageArms(
          SERVICE, Fluctuation.THREADS, List.of(Policy.ADAPTIVE, Policy.ADAPTIVE_HEDGED));

  private enum Part {
    WELL(0.5, "nothing is wrong, to begin with"),
    REFUSALS(0.5, "one node answers each request with an error, at once"),
    RESTARTS(0.4, "nodes are started anew, one after the other"),
    HOT_KEYS(0, "eight of ten requests ask for one row, too many for its replicas"),
    ALL_SLOW(0.4, "all disks take twice as long from one moment on"),
    OVERLOAD(1.3, "more requests arrive than the nodes can serve");

    private final double utilisation;
    private final String trouble;

    Part(double utilisation, String trouble) {
      this.utilisation = utilisation;
      this.trouble = trouble;
    }

    private double utilisation(int nodes) {
      return this == HOT_KEYS
          ? HOT_LOAD * Math.min(REPLICAS, nodes) / nodes / HOT_SHARE
          : utilisation;
    }

    private String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private final List<Part> parts;

  private RoughDayScenario(String name, List<Part> parts) {
    super(name, NODES, SLOW_MOTION, ARMS);
    this.parts = parts;
  }

  /** The whole, and each part alone. */
  static List<Scenario> all() {
    return Scenarios.wholeAndParts(NAME, Part.values(), RoughDayScenario::new);
  }

  @Override
  public String explanation() {
    return "Troubles that are no slow node, in which a client that avoids nodes or copies requests"
        + " may do harm: "
        + String.join("; ", parts.stream().map(part -> part.trouble).toList())
        + ". Nothing should get worse than with the first arm.";
  }

  @Override
  public boolean asksForHarm() {
    return true;
  }

  @Override
  public Set<Choice> choices() {
    Set<Choice> choices =
        EnumSet.of(
            Choice.RATE, Choice.CONSISTENCY, Choice.MIX, Choice.KEYS, Choice.POLICY, Choice.SERVER);
    if (parts.equals(List.of(Part.HOT_KEYS))) {
      choices.remove(Choice.KEYS);
    }
    return choices;
  }

  @Override
  public List<Condition> conditions(ScenarioSettings settings) {
    if (parts.contains(Part.REFUSALS)) {
      settings.requireJmx(name());
    }
    Fluctuation storage = Fluctuation.steady(SERVICE.multipliedBy(settings.slowMotion()));
    int nodes = settings.nodes().orElse(NODES);
    double capacity = nodes * storage.capacityHz();
    List<Condition> conditions = new ArrayList<>();
    for (ConsistencyLevel level : settings.consistenciesOr(List.of(DefaultConsistencyLevel.ONE))) {
      for (Part part : parts) {
        for (Mix mix : settings.mixesOr(Mix.C)) {
          for (double rate : settings.ratesOr(List.of(part.utilisation(nodes) * capacity))) {
            LoadSpec load =
                settings
                    .load(rate, part == Part.RESTARTS ? RESTART_SECONDS : SECONDS)
                    .withMix(mix)
                    .withConsistency(level);
            String label =
                "%s: %s, %s of the capacity, %s, service ×%d%s"
                    .formatted(
                        part.label(),
                        level,
                        Unit.SHARE.format(rate / capacity),
                        mix.description(),
                        settings.slowMotion(),
                        settings.speculationLabel() + settings.nodesLabel());
            conditions.add(
                Condition.of(
                        name(),
                        label,
                        part == Part.HOT_KEYS ? load.withKeys(hot(settings)) : load,
                        settings.pairsOr(PAIRS))
                    .withDisturbance(trouble(part, storage, nodes, load.length()))
                    .withFluctuation(storage));
          }
        }
      }
    }
    return conditions;
  }

  private static KeyDistribution hot(ScenarioSettings settings) {
    return KeyDistribution.hot(settings.rowsOr(ScenarioSettings.ROWS), HOT_SHARE);
  }

  /** After a quarter of the run; null if it is the load that is the trouble. */
  private static Disturbance trouble(Part part, Fluctuation storage, int nodes, Duration length) {
    Disturbance trouble =
        switch (part) {
          case REFUSALS -> new RefusingNode();
          case RESTARTS -> new RollingRestart();
          case ALL_SLOW -> new SlowDisks(storage.slow(), nodes);
          case WELL, HOT_KEYS, OVERLOAD -> null;
        };
    return trouble == null ? null : new Later(trouble, length.dividedBy(4));
  }
}
