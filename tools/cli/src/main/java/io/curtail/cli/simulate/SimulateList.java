/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.simulate;

import io.curtail.cli.output.Output;
import io.curtail.report.Table;
import io.curtail.simulator.Catalogue;
import io.curtail.simulator.Experiment;
import io.curtail.simulator.Experiments;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code curtail simulate list}. */
@Command(
    name = "list",
    description = "The policies, the experiments and what each shows, and the parameters.")
final class SimulateList implements Runnable {
  /** An experiment as a machine reads it. */
  record Listed(String name, String shows, int cells, List<String> policies) {}

  @Mixin private Output output;

  @Override
  public void run() {
    output.print(
        Map.of(
            "policies", Catalogue.policies(),
            "experiments", Experiments.all().stream().map(SimulateList::listed).toList(),
            "parameters", Catalogue.parameters()),
        SimulateList::text);
  }

  private static String text() {
    Table policies = new Table(3, "policy", "what it is", "how to install it");
    Catalogue.policies()
        .forEach(
            (name, policy) ->
                policies.row(name, policy.description(), policy.installation().text()));
    Table experiments = new Table(2, "experiment", "what it shows", "cells", "policies");
    for (Experiment experiment : Experiments.all()) {
      experiments.row(
          experiment.name(),
          experiment.shows(),
          Integer.toString(experiment.cells().size()),
          Integer.toString(experiment.policies().size()));
    }
    Table parameters = new Table(3, "parameter", "default", "what it means");
    Catalogue.parameters()
        .forEach(
            (name, parameter) ->
                parameters.row(name, parameter.value().toString(), parameter.meaning()));
    return policies.toText() + "\n" + experiments.toText() + "\n" + parameters.toText();
  }

  private static Listed listed(Experiment experiment) {
    return new Listed(
        experiment.name(), experiment.shows(), experiment.cells().size(), experiment.policies());
  }
}
