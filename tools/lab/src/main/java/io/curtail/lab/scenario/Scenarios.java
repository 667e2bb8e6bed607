/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import io.curtail.lab.experiment.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Everything that {@code curtail lab run} knows by name. */
public final class Scenarios {
  private Scenarios() {}

  /** All that can be run. */
  public static List<Scenario> all() {
    List<Scenario> all =
        new ArrayList<>(
            List.of(
                new ZonesScenario(),
                new SlowCoordinatorScenario(),
                new PausedNodeScenario(),
                new SteadyScenario()));
    all.addAll(SmallFaultsScenario.all());
    all.addAll(RoughDayScenario.all());
    all.addAll(C3VsSnitchScenario.all());
    all.add(new FluctuationScenario());
    all.add(new EngineVsStockScenario());
    return all;
  }

  /**
   * The scenario that a user named.
   *
   * @throws IllegalArgumentException for any other name
   */
  public static Scenario named(String name) {
    return all().stream()
        .filter(scenario -> scenario.name().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "scenario: one of "
                        + String.join(", ", all().stream().map(Scenario::name).toList())
                        + ", not \""
                        + name
                        + "\""));
  }
}
