/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.arm.FluctuationArms;
import io.curtail.lab.experiment.Choice;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.Fluctuation;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.hooks.Medium;
import io.curtail.lab.load.Joiners;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.report.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The workloads of the C3 paper's measurements (Suresh and others, "C3: Cutting Tail Latency in
 * Cloud Data Stores via Adaptive Replica Selection", NSDI 2015, section 5), on nodes whose storage
 * changes its speed threefold, in slow motion. Where the paper had disks and SSDs of a cloud, here
 * are distributions of service times; generators are as many a node as there.
 */
final class WorkloadsScenario extends Scenario {
  private static final String NAME = "c3-workloads";
  private static final int NODES = 9;
  private static final int SLOW_MOTION = 40;
  private static final int SECONDS = 16;
  private static final int PAIRS = 3;
  private static final Duration WARM_UP = Duration.ofSeconds(4);

  private static final Duration SLOW = Duration.ofMillis(4);
  private static final double FACTOR = 3;
  private static final Duration INTERVAL = Duration.ofMillis(50);

  /** 120 on 15 nodes; before some joined, 80. */
  private static final double GENERATORS_A_NODE = 120 / 15.0;

  private static final double FIRST_GENERATORS_A_NODE = 80 / 15.0;

  /** Of the capacity, where nothing is wrong. */
  private static final List<Double> UTILISATIONS = List.of(0.45, 0.7);

  private enum Part {
    MIXES("read heavy, update heavy and read only, on spinning disks"),
    SSD("read heavy, on solid state drives"),
    SKEW("read heavy, with rows of skewed sizes"),
    JOINING("update-heavy generators join read-heavy ones"),
    WELL("all nodes equally fast at all times: stock's own queueing");

    private final String question;

    Part(String question) {
      this.question = question;
    }
  }

  private final List<Part> parts;

  private WorkloadsScenario(String name, List<Part> parts) {
    super(name, NODES, SLOW_MOTION, FluctuationArms.FEW);
    this.parts = parts;
  }

  /** The whole, and each part alone. */
  static List<Scenario> all() {
    return Scenarios.wholeAndParts(NAME, Part.values(), WorkloadsScenario::new);
  }

  @Override
  public String explanation() {
    return "The C3 paper's workloads, in slow motion, so that the machine hardly counts: "
        + String.join("; ", parts.stream().map(part -> part.question).toList())
        + ". Generators ask as fast as they are answered, 8 for each node; a few rows take much of"
        + " the load (Zipfian). A node's storage is slow or three times as fast, drawn anew every"
        + " 50 ms times the slow motion, but where all is well.";
  }

  @Override
  public Set<Choice> choices() {
    Set<Choice> choices = EnumSet.of(Choice.KEYS, Choice.SERVER);
    if (parts.contains(Part.MIXES)) {
      choices.add(Choice.MIX);
    }
    if (parts.contains(Part.WELL)) {
      choices.add(Choice.RATE);
    }
    return choices;
  }

  @Override
  public List<Condition> conditions(ScenarioSettings settings) {
    List<Condition> conditions = new ArrayList<>();
    for (Part part : parts) {
      switch (part) {
        case MIXES -> {
          for (Mix mix : settings.mixesOr(Mix.B, Mix.A, Mix.C)) {
            conditions.add(closed(settings, mix, Medium.SPINNING_DISK));
          }
        }
        case SSD -> conditions.add(closed(settings, Mix.B, Medium.SSD));
        case SKEW -> conditions.add(closed(settings, Mix.B, Medium.SKEWED_ROWS));
        case JOINING -> conditions.add(joined(settings));
        case WELL -> addWell(conditions, settings);
        default -> throw new AssertionError(part);
      }
    }
    return conditions;
  }

  private Condition closed(ScenarioSettings settings, Mix mix, Medium medium) {
    int generators = times(settings, GENERATORS_A_NODE);
    LoadSpec load = load(settings, settings.load(1, SECONDS).closedLoop(generators), mix);
    return condition(
        settings,
        "%d generators, %s, %s".formatted(generators, mix.description(), name(medium)),
        load,
        changing(settings, medium));
  }

  private Condition joined(ScenarioSettings settings) {
    int generators = times(settings, FIRST_GENERATORS_A_NODE);
    int more = times(settings, GENERATORS_A_NODE) - generators;
    LoadSpec load = settings.load(1, 2 * SECONDS).closedLoop(generators);
    Joiners joiners = new Joiners(more, Mix.A, load.length().dividedBy(2));
    return condition(
        settings,
        "%d generators, %s, then %d of %s more, %s"
            .formatted(
                generators,
                Mix.B.description(),
                more,
                Mix.A.description(),
                name(Medium.SPINNING_DISK)),
        load(settings, load.withJoiners(joiners), Mix.B),
        changing(settings, Medium.SPINNING_DISK));
  }

  private void addWell(List<Condition> conditions, ScenarioSettings settings) {
    settings.requireJmx(name()); // which tells what nodes counted; no closed loop asks
    Fluctuation steady = Fluctuation.steady(SLOW.dividedBy(2).multipliedBy(settings.slowMotion()));
    double capacity = settings.nodes().orElse(NODES) * steady.capacityHz();
    for (double rate :
        settings.ratesOr(UTILISATIONS.stream().map(share -> share * capacity).toList())) {
      conditions.add(
          condition(
              settings,
              "nothing is wrong, %s of the capacity".formatted(Unit.SHARE.format(rate / capacity)),
              load(settings, settings.load(rate, SECONDS), Mix.C),
              steady));
    }
  }

  private static int times(ScenarioSettings settings, double aNode) {
    return (int) Math.round(aNode * settings.nodes().orElse(NODES));
  }

  private static String name(Medium medium) {
    return medium == Medium.SSD ? "SSD" : medium.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static Fluctuation changing(ScenarioSettings settings, Medium medium) {
    return new Fluctuation(
        SLOW.multipliedBy(settings.slowMotion()),
        FACTOR,
        INTERVAL.multipliedBy(settings.slowMotion()),
        medium);
  }

  private static LoadSpec load(ScenarioSettings settings, LoadSpec load, Mix mix) {
    return load.withMix(mix)
        .withKeys(settings.keysOr("zipfian"))
        .withWarmUp(WARM_UP)
        .withConsistency(DefaultConsistencyLevel.ONE);
  }

  private Condition condition(
      ScenarioSettings settings, String label, LoadSpec load, Fluctuation storage) {
    return Condition.of(
            name(),
            label + ", ×" + settings.slowMotion() + settings.speculationLabel(),
            load,
            settings.pairsOr(PAIRS))
        .withFluctuation(storage);
  }
}
