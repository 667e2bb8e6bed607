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
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.report.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The C3 paper's simulated experiment, on nodes in slow motion, and simulated beside them. */
public final class FluctuationScenario extends Scenario {
  public static final String NAME = "fluctuation";

  private static final int SLOW_MOTION = 50;

  private static final int NODES = 9;
  private static final int SECONDS = 24;
  private static final int PAIRS = 2;
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final List<Integer> INTERVALS = List.of(50, 200);
  private static final List<Double> UTILISATIONS = List.of(0.45, 0.7);

  /** For the first T alone. */
  private static final double OVERLOAD = 1.1;

  private static final Duration SLOW = Duration.ofMillis(4);
  private static final double FACTOR = 3;

  public FluctuationScenario() {
    super(NAME, NODES, SLOW_MOTION, FluctuationArms.ALL);
  }

  @Override
  public String explanation() {
    return "Every node's storage takes exponential times, whose mean changes threefold at random"
        + " every T, as in the C3 paper, in slow motion, so that the machine hardly counts: who finds"
        + " the nodes that are fast now? T and service times are the paper's times the slow motion.";
  }

  @Override
  public Set<Choice> choices() {
    return Set.of(Choice.RATE, Choice.KEYS, Choice.SERVER, Choice.INTERVAL);
  }

  @Override
  public List<Condition> conditions(ScenarioSettings settings) {
    settings.requireJmx(NAME);
    List<Condition> conditions = new ArrayList<>();
    List<Integer> intervals = settings.intervalsOr(INTERVALS);
    for (int interval : intervals) {
      Fluctuation fluctuation =
          new Fluctuation(
              SLOW.multipliedBy(settings.slowMotion()),
              FACTOR,
              Duration.ofMillis(interval).multipliedBy(settings.slowMotion()));
      double capacity = settings.nodes().orElse(NODES) * fluctuation.capacityHz();
      for (double rate :
          settings.ratesOr(UTILISATIONS.stream().map(share -> share * capacity).toList())) {
        conditions.add(condition(settings, fluctuation, interval, rate, rate / capacity));
      }
      if (settings.rates().isEmpty() && interval == intervals.get(0)) {
        conditions.add(condition(settings, fluctuation, interval, OVERLOAD * capacity, OVERLOAD));
      }
    }
    return conditions;
  }

  private static Condition condition(
      ScenarioSettings settings,
      Fluctuation fluctuation,
      int interval,
      double rate,
      double utilisation) {
    LoadSpec load =
        settings
            .load(rate, SECONDS)
            .withMix(Mix.C)
            .withWarmUp(WARM_UP)
            .withConsistency(DefaultConsistencyLevel.ONE);
    String label =
        "%s of the capacity, T = %d ms × %d%s%s"
            .formatted(
                Unit.SHARE.format(utilisation),
                interval,
                settings.slowMotion(),
                settings.coordinators() == 0
                    ? ""
                    : ", %d coordinators without data".formatted(settings.coordinators()),
                settings.speculationLabel());
    return Condition.of(NAME, label, load, settings.pairsOr(PAIRS)).withFluctuation(fluctuation);
  }
}
