/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import io.curtail.lab.experiment.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

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
    all.addAll(WorkloadsScenario.all());
    all.add(new EngineVsStockScenario());
    return all;
  }

  /**
   * A scenario of several parts, and each of them as a scenario of its own, whose name ends in the
   * part's.
   *
   * @param scenario makes one of a name and its parts
   */
  static <P extends Enum<P>> List<Scenario> wholeAndParts(
      String name, P[] parts, BiFunction<String, List<P>, Scenario> scenario) {
    List<Scenario> all = new ArrayList<>();
    all.add(scenario.apply(name, List.of(parts)));
    for (P part : parts) {
      String suffix = part.name().toLowerCase(Locale.ROOT).replace('_', '-');
      all.add(scenario.apply(name + "-" + suffix, List.of(part)));
    }
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
                        + ", soak, not \""
                        + name
                        + "\""));
  }
}
