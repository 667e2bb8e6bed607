/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.engine.StorageArms;
import io.curtail.lab.experiment.Choice;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.Mix;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A table on RocksDB beside the same table of a stock node: what each request costs. */
final class EngineVsStockScenario extends Scenario {
  private static final int SECONDS = 10;
  private static final int PAIRS = 5;

  EngineVsStockScenario() {
    super("engine-vs-stock", 1, 1, StorageArms.INSTANCE);
  }

  @Override
  public String explanation() {
    return "The same rows and requests on a stock node and on one with the RocksDB storage engine:"
        + " how much each can answer, how long requests take, and what a request costs in processor"
        + " time, heap, garbage collection and written bytes.";
  }

  @Override
  public Set<Choice> choices() {
    return Set.of(
        Choice.MIX,
        Choice.CLIENTS,
        Choice.KEYS,
        Choice.TABLE,
        Choice.HEAP,
        Choice.OFF_HEAP,
        Choice.MEMORY,
        Choice.PARAMETER);
  }

  @Override
  public List<Condition> conditions(ScenarioSettings settings) {
    settings.requireJmx(name());
    List<Condition> conditions = new ArrayList<>();
    for (Mix mix : settings.mixesOr(Mix.C, Mix.A, Mix.W)) {
      for (int clients : settings.clientsOr(4, 16, 64)) {
        conditions.add(
            Condition.of(
                name(),
                mix.description() + ", " + clients + " clients",
                settings
                    .load(1, SECONDS)
                    .closedLoop(clients)
                    .withMix(mix)
                    .withKeys(settings.keysOr("uniform", StorageArms.rows(settings)))
                    .withConsistency(DefaultConsistencyLevel.ONE),
                settings.pairsOr(PAIRS)));
      }
    }
    return conditions;
  }
}
