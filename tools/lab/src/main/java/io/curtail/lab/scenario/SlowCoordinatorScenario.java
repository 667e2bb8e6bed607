/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.arm.PolicyArms;
import io.curtail.lab.disturbance.LateAnswers;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One node answers 10 ms late: how many requests notice. */
public final class SlowCoordinatorScenario implements Scenario {
  private static final int SECONDS = 12;
  private static final int PAIRS = 6;
  private static final Duration ADDED = Duration.ofMillis(10);

  @Override
  public String name() {
    return "slow-coordinator";
  }

  @Override
  public String explanation() {
    return "Everything that one node sends arrives 10 ms late, as behind a bad network card. A"
        + " request is touched if it takes longer than 99.9 % of the requests took while all nodes"
        + " were well. With n nodes alike, 1/n of the requests are touched if nobody avoids the"
        + " slow one.";
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
      for (double rate : settings.ratesOr(200.0, 800.0, 2000.0)) {
        conditions.add(
            new Condition(
                name(),
                settings.label(level, rate),
                settings.load(rate, SECONDS).withConsistency(level),
                settings.latencies(),
                new LateAnswers(ADDED.multipliedBy(settings.slowMotion())),
                settings.pairsOr(PAIRS)));
      }
    }
    return conditions;
  }
}
