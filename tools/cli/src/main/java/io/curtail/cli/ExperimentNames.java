/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.simulator.Experiment;
import io.curtail.simulator.Experiments;
import java.util.ArrayList;

/** What {@code curtail simulate run} can run, for the completion of command lines. */
final class ExperimentNames extends ArrayList<String> {
  private static final long serialVersionUID = 1;

  ExperimentNames() {
    super(Experiments.all().stream().map(Experiment::name).toList());
  }
}
