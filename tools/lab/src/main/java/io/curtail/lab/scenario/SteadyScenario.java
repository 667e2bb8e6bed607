/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.experiment.Choice;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.Mix;
import io.curtail.lab.network.ZoneLatencies;
import java.util.List;
import java.util.Set;

/** Nothing is wrong and no zone is far: does a policy cost anything. */
public final class SteadyScenario extends PolicyScenario {
  private static final int SECONDS = 10;
  private static final int OUTSTANDING = 48;

  public SteadyScenario() {
    super("steady", 3, List.of(DefaultConsistencyLevel.ONE), List.of(1000.0), SECONDS, 8);
  }

  @Override
  public String explanation() {
    return "All nodes are well and equally near, so there is nothing to gain. A policy must not"
        + " cost anything here: not at the median, not in the tail, and not at the highest"
        + " throughput that the clients reach when each waits for an answer before it asks again.";
  }

  @Override
  public Set<Choice> choices() {
    Set<Choice> choices = super.choices();
    choices.add(Choice.CLIENTS);
    return choices;
  }

  @Override
  void addMore(List<Condition> conditions, ScenarioSettings settings, ConsistencyLevel level) {
    for (int clients : settings.clientsOr(OUTSTANDING)) {
      for (Mix mix : settings.mixesOr(Mix.C)) {
        conditions.add(
            condition(
                settings,
                "%s, throughput ceiling of %d clients, %s%s"
                    .formatted(level, clients, mix.description(), settings.nodesLabel()),
                settings.load(1, SECONDS).withConsistency(level).withMix(mix).closedLoop(clients),
                null));
      }
    }
  }

  @Override
  ZoneLatencies latencies(ScenarioSettings settings) {
    return ZoneLatencies.NONE;
  }
}
