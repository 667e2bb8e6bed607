/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.lab.scenario.Campaign;
import io.curtail.lab.scenario.Demo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code curtail demo}. */
@Command(
    name = "demo",
    description = {
      "Shows the stock driver and Curtail side by side on six real Cassandra nodes in three zones,",
      "with a slow and a paused node. Takes about eight minutes on two processors and 5 GiB."
    },
    footer = {"", "Ctrl-C stops the nodes and keeps what is finished."},
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "curtail-out",
      description = "Folder for report.json and report.html; made if it is missing.")
  private Path out;

  @Option(names = "--seed", defaultValue = "1", description = "Of requests, keys and order.")
  private long seed;

  @Option(names = "--json", description = "Print the report as JSON instead of tables.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    LabRunner runner = new LabRunner(spec.commandLine(), out);
    Demo.introduction().forEach(runner::report);
    Campaign campaign = Demo.campaign(seed, runner);
    runner.run(campaign, json);
    Demo.conclusion(campaign.report()).forEach(runner::report);
    return campaign.report().isEmpty() ? 1 : 0;
  }
}
