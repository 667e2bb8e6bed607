/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.disturbance.LateAnswers;
import io.curtail.lab.experiment.ScenarioSettings;
import java.time.Duration;
import java.util.List;

/** One node answers 10 ms late: how many requests notice. */
public final class SlowCoordinatorScenario extends PolicyScenario {
  private static final Duration ADDED = Duration.ofMillis(10);

  public SlowCoordinatorScenario() {
    super(
        "slow-coordinator",
        6,
        List.of(DefaultConsistencyLevel.ONE),
        List.of(200.0, 800.0, 2000.0),
        12,
        6);
  }

  @Override
  public String explanation() {
    return "Everything that one node sends arrives 10 ms late, as behind a bad network card. A"
        + " request is touched if it takes longer than 99.9 % of the requests took while all nodes"
        + " were well. With n nodes alike, 1/n of the requests are touched if nobody avoids the"
        + " slow one.";
  }

  @Override
  Disturbance disturbance(ScenarioSettings settings) {
    return new LateAnswers(ADDED.multipliedBy(settings.slowMotion()));
  }
}
