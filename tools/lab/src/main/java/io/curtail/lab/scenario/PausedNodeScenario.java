/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.disturbance.PausingNode;
import io.curtail.lab.experiment.Choice;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.PauseCycle;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.LoadSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** One node stands still for seconds: how many requests wait for it. */
public final class PausedNodeScenario extends PolicyScenario {

  public PausedNodeScenario() {
    super(
        "paused-node",
        6,
        List.of(DefaultConsistencyLevel.ONE),
        List.of(600.0),
        (int) PauseCycle.SHORT.runLength().toSeconds(),
        6);
  }

  @Override
  public String explanation() {
    return "One node stands still again and again, as in a long garbage collection. Requests that"
        + " were sent to it wait until it goes on, and so does every further one until the client"
        + " notices. The client's timeout is longer than the pause, so that nothing is cut off.";
  }

  @Override
  public Set<Choice> choices() {
    Set<Choice> choices = super.choices();
    choices.add(Choice.PAUSE);
    return choices;
  }

  @Override
  void addOpen(List<Condition> conditions, ScenarioSettings settings, String label, LoadSpec load) {
    for (PauseCycle asked : settings.pauseCyclesOr(PauseCycle.SHORT)) {
      PauseCycle cycle =
          settings.seconds().isPresent()
              ? asked.within(Duration.ofSeconds(settings.seconds().getAsInt()))
              : asked;
      conditions.add(
          condition(
              settings,
              label + ", " + cycle,
              load.withLength(cycle.runLength()),
              new PausingNode(cycle.pause(), cycle.healthy())));
    }
  }
}
