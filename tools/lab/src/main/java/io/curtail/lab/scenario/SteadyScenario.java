/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.arm.PolicyArms;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.Settings;
import io.curtail.lab.network.ZoneLatencies;
import java.util.ArrayList;
import java.util.List;

/** Nothing is wrong and no zone is far: does a policy cost anything. */
public final class SteadyScenario implements Scenario {
  private static final int SECONDS = 10;
  private static final int PAIRS = 8;
  private static final int OUTSTANDING = 48;

  @Override
  public String name() {
    return "steady";
  }

  @Override
  public String explanation() {
    return "All nodes are well and equally near, so there is nothing to gain. A policy must not"
        + " cost anything here: not at the median, not in the tail, and not at the highest"
        + " throughput that the clients reach when each waits for an answer before it asks again.";
  }

  @Override
  public int nodes() {
    return 3;
  }

  @Override
  public ArmSet arms() {
    return PolicyArms.INSTANCE;
  }

  @Override
  public List<Condition> conditions(Settings settings) {
    List<Condition> conditions = new ArrayList<>();
    for (ConsistencyLevel level : settings.consistenciesOr(DefaultConsistencyLevel.ONE)) {
      for (double rate : settings.ratesOr(1000.0)) {
        conditions.add(
            new Condition(
                name(),
                settings.label(level, rate),
                settings.load(rate, SECONDS).withConsistency(level),
                ZoneLatencies.NONE,
                null,
                settings.pairsOr(PAIRS)));
      }
      conditions.add(
          new Condition(
              name(),
              level + ", throughput ceiling",
              settings.load(1, SECONDS).withConsistency(level).closedLoop(OUTSTANDING),
              ZoneLatencies.NONE,
              null,
              settings.pairsOr(PAIRS)));
    }
    return conditions;
  }
}
