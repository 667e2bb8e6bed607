/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.lab.Campaign;
import io.curtail.lab.demo.Demo;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Option(names = "--seed", defaultValue = "1", description = "Of requests, keys and order.")
  private long seed;

  @Mixin private ReportOptions output;

  @Override
  public Integer call() throws IOException {
    LabRunner runner = new LabRunner(spec.commandLine(), output.out);
    Demo.introduction().forEach(runner::report);
    Campaign campaign = Demo.campaign(seed, runner);
    runner.run(campaign, output.json);
    Demo.conclusion(campaign.report()).forEach(runner::report);
    return campaign.report().isEmpty() ? 1 : 0;
  }
}
