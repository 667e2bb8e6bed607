/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.lab.scenario.Scenarios;
import io.curtail.lab.soak.Soak;
import java.util.ArrayList;

/** What {@code curtail lab run} can run, for the completion of command lines. */
final class ScenarioNames extends ArrayList<String> {
  private static final long serialVersionUID = 1;

  ScenarioNames() {
    Scenarios.all().forEach(scenario -> add(scenario.name()));
    add(Soak.NAME);
  }
}
