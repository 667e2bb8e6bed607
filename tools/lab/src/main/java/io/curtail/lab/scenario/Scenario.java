/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A question that is asked of all arms, under one or more conditions. */
public interface Scenario {
  /** As a user types it. */
  String name();

  /** What is being shown, in a sentence or two for someone who has not read the docs. */
  String explanation();

  /** The conditions, with what the user set in place of the defaults. */
  List<Condition> conditions(Settings settings);

  /** The number of nodes, unless the user says otherwise. */
  int nodes();

  /** What is compared. */
  default Contenders contenders() {
    return DriverPolicies.INSTANCE;
  }

  /** All that can be run. */
  static List<Scenario> all() {
    List<Scenario> all =
        new ArrayList<>(
            List.of(new Zones(), new SlowCoordinatorScenario(), new PausedNode(), new Steady()));
    all.addAll(SnitchScenario.all());
    return all;
  }

  /**
   * The scenario that a user named.
   *
   * @throws IllegalArgumentException for any other name
   */
  static Scenario named(String name) {
    for (Scenario scenario : all()) {
      if (scenario.name().equals(name.toLowerCase(Locale.ROOT))) {
        return scenario;
      }
    }
    throw new IllegalArgumentException(
        "scenario: one of "
            + String.join(", ", all().stream().map(Scenario::name).toList())
            + ", not \""
            + name
            + "\"");
  }
}
