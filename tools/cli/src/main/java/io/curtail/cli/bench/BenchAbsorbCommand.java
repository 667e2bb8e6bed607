/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import io.curtail.benchmarks.Budget;
import io.curtail.cli.option.EngineTrial;
import io.curtail.cli.option.PairsOption;
import io.curtail.cli.option.Range;
import io.curtail.engine.trials.cost.AbsorbCost;
import io.curtail.engine.trials.cost.AbsorbCosts;
import io.curtail.report.Table;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What it costs to absorb a data file of Cassandra. */
@Command(
    name = "absorb",
    description = {
      "Measures what it costs to absorb a data file, as files that RocksDB takes in and as rows that "
          + "are written: processor time of the node and bytes to the disk for each byte of the "
          + "file, until all is in files of RocksDB, in turns.",
      "What compactions cost later is not in it."
    },
    footer = {"", "Exit code 1 if a budget is not kept."})
final class BenchAbsorbCommand implements Callable<Integer> {
  private static final double ROW_BYTES = 1_000;

  @Mixin private BenchOutput output;
  @Mixin private EngineTrial trial;
  @Mixin private PairsOption pairs = new PairsOption(5);

  @Option(
      names = "--rows",
      defaultValue = "100000",
      description = "Rows of a kilobyte in the file.")
  private int rows;

  @Override
  public Integer call() throws IOException {
    Range.check("--rows", rows, 1_000, 10_000_000);
    trial.refuse(AbsorbCosts.INGEST_FROM, "that is what the two ways differ in");
    int turns = pairs.pairs();
    Map<String, List<AbsorbCost>> costs =
        trial.measured(
            directory -> {
              output.announce(30 + (long) (turns + 1) * rows / 2_000);
              return AbsorbCosts.run(trial.node(), directory, rows, turns, output::step);
            },
            output::progress);
    List<AbsorbCost> files = costs.get(AbsorbCosts.FILES);
    List<AbsorbCost> writes = costs.get(AbsorbCosts.WRITES);
    Ratios cpu =
        Ratios.of(files, writes, cost -> cost.cpuMillis() / (rows * ROW_BYTES / (1 << 20)));
    Ratios written = Ratios.of(files, writes, cost -> cost.writtenBytes() / cost.fileBytes());
    Table table = new Table(1, "of a data file", "writes", "files", "files/writes", "from", "to");
    table.row(List.of(cpu.row("CPU ms a MiB", 1)));
    table.row(List.of(written.row("bytes written a byte", 1)));
    table.row(List.of(Ratios.of(files, writes, AbsorbCost::millis).row("seconds", 1e-3)));
    return output.print(
        Map.of("turns", costs),
        table,
        List.of(
            new Budget("CPU of files over writes", cpu.median(), 0.9),
            new Budget("bytes written of files over writes", written.median(), 0.7)));
  }
}
