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
import java.util.ArrayList;
import java.util.List;

/** Three zones at the distances of Netflix's talk: who asks a near replica, and what that saves. */
public final class ZonesScenario implements Scenario {
  private static final int SECONDS = 10;
  private static final int PAIRS = 8;
  private static final double RATE_HZ = 2000;

  @Override
  public String name() {
    return "zones";
  }

  @Override
  public String explanation() {
    return "Nodes and clients live in three zones, with the round trips of Netflix's talk: 150 to"
        + " 220 µs within a zone, up to 850 µs between zones. Every row has a copy in each zone. A"
        + " client that knows its zone can ask the near copy; the stock policy asks any of the"
        + " three.";
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
    for (ConsistencyLevel level :
        settings.consistenciesOr(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.QUORUM)) {
      for (double rate : settings.ratesOr(RATE_HZ)) {
        conditions.add(
            new Condition(
                name(),
                settings.label(level, rate),
                settings.load(rate, SECONDS).withConsistency(level),
                settings.latencies(),
                null,
                settings.pairsOr(PAIRS)));
      }
    }
    return conditions;
  }
}
