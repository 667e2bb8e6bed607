/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.curtail.lab.arm.PolicyArms;
import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.experiment.Choice;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.network.ZoneLatencies;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Policies of the client side by side, at each consistency, rate and mix. */
abstract class PolicyScenario extends Scenario {
  private final List<ConsistencyLevel> levels;
  private final List<Double> rates;
  private final int seconds;
  private final int pairs;

  /** What is run unless the user says otherwise. */
  PolicyScenario(
      String name,
      int nodes,
      List<ConsistencyLevel> levels,
      List<Double> rates,
      int seconds,
      int pairs) {
    super(name, nodes, 1, PolicyArms.INSTANCE);
    this.levels = levels;
    this.rates = rates;
    this.seconds = seconds;
    this.pairs = pairs;
  }

  @Override
  public Set<Choice> choices() {
    return EnumSet.of(
        Choice.RATE, Choice.CONSISTENCY, Choice.MIX, Choice.KEYS, Choice.POLICY, Choice.SERVER);
  }

  @Override
  public final List<Condition> conditions(ScenarioSettings settings) {
    List<Condition> conditions = new ArrayList<>();
    for (ConsistencyLevel level : settings.consistenciesOr(levels)) {
      for (double rate : settings.ratesOr(rates)) {
        for (Mix mix : settings.mixesOr(Mix.C)) {
          String label = settings.label(level, rate) + settings.nodesLabel();
          addOpen(
              conditions,
              settings,
              settings.mixes().size() > 1 ? label + ", " + mix.description() : label,
              settings.load(rate, seconds).withConsistency(level).withMix(mix));
        }
      }
      addMore(conditions, settings, level);
    }
    return conditions;
  }

  /** One condition of an open loop, or several. */
  void addOpen(List<Condition> conditions, ScenarioSettings settings, String label, LoadSpec load) {
    conditions.add(condition(settings, label, load, disturbance(settings)));
  }

  /** After the open loops of a consistency. */
  void addMore(List<Condition> conditions, ScenarioSettings settings, ConsistencyLevel level) {}

  final Condition condition(
      ScenarioSettings settings, String label, LoadSpec load, Disturbance disturbance) {
    return Condition.of(name(), label, load, settings.pairsOr(pairs))
        .withLatencies(latencies(settings))
        .withDisturbance(disturbance);
  }

  /** What is wrong, null if nothing. */
  Disturbance disturbance(ScenarioSettings settings) {
    return null;
  }

  ZoneLatencies latencies(ScenarioSettings settings) {
    return settings.latencies();
  }
}
