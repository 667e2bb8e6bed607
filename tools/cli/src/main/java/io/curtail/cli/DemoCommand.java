/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.cli.option.EngineJars;
import io.curtail.cli.option.SeedOption;
import io.curtail.cli.output.CampaignRunner;
import io.curtail.cli.output.ReportOptions;
import io.curtail.lab.demo.Demo;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code curtail demo}. */
@Command(
    name = "demo",
    description = {
      "Shows stock and Curtail side by side on three real Cassandra nodes, in slow motion.",
      "Five acts: the nearest zone, a slow node, a paused node, slow disks, and a table in RocksDB"
          + " whose node is killed. Takes five minutes on two processors and 4 GiB."
    },
    footer = {"", "Ctrl-C stops the nodes and keeps what is finished."})
final class DemoCommand implements Callable<Integer> {
  @Mixin private SeedOption seed;

  @Mixin private ReportOptions output;

  @Override
  public Integer call() throws IOException {
    CampaignRunner runner = new CampaignRunner(output);
    return runner.run(new Demo(EngineJars.engine(), seed.seed(), runner));
  }
}
