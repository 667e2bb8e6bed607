/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.arm.PolicyArms;
import io.curtail.lab.disturbance.PausingNode;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.PauseCycle;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One node stands still for seconds: how many requests wait for it. */
public final class PausedNodeScenario implements Scenario {
  private static final int PAIRS = 6;

  @Override
  public String name() {
    return "paused-node";
  }

  @Override
  public String explanation() {
    return "One node stands still again and again, as in a long garbage collection. Requests that"
        + " were sent to it wait until it goes on, and so does every further one until the client"
        + " notices. The client's timeout is longer than the pause, so that nothing is cut off.";
  }

  @Override
  public int nodes() {
    return 6;
  }

  @Override
  public ArmSet arms() {
    return PolicyArms.INSTANCE;
  }

  @Override
  public List<Condition> conditions(Settings settings) {
    List<Condition> conditions = new ArrayList<>();
    for (ConsistencyLevel level : settings.consistenciesOr(DefaultConsistencyLevel.ONE)) {
      for (double rate : settings.ratesOr(600.0)) {
        for (PauseCycle asked : settings.pauseCyclesOr(PauseCycle.SHORT)) {
          PauseCycle cycle =
              settings.seconds().isPresent() ? asked.within(settings.seconds().getAsInt()) : asked;
          conditions.add(
              new Condition(
                  name(),
                  settings.label(level, rate) + ", " + cycle,
                  settings.loadOf(rate, cycle.runSeconds()).withConsistency(level),
                  settings.latencies(),
                  new PausingNode(
                      Duration.ofSeconds(cycle.pauseSeconds()),
                      Duration.ofSeconds(cycle.healthySeconds())),
                  settings.pairsOr(PAIRS)));
        }
      }
    }
    return conditions;
  }
}
