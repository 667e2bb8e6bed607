/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import io.curtail.benchmarks.Budget;
import io.curtail.cli.option.EngineTrial;
import io.curtail.cli.option.Range;
import io.curtail.engine.trials.cost.CompactionCost;
import io.curtail.engine.trials.cost.CompactionCosts;
import io.curtail.report.Columns;
import io.curtail.report.Table;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What each compaction writes. */
@Command(
    name = "compaction",
    description = {
      "Counts what RocksDB writes with the engine's options, compaction: levels and universal: rows "
          + "of 5.7 KB are written, and then twice as many anew, at random; and universal once more on a "
          + "disk of 2.5 times the rows.",
      "Bytes written and files for each byte of rows; runs are what a read may have to look into. A "
          + "quarter of a node's sizes, so that files and levels are as many.",
      "It takes no --parameter: each compaction has its own."
    },
    footer = {"", "Exit code 1 if a budget is not kept."})
final class BenchCompactionCommand implements Callable<Integer> {
  private static final double MOST_OF_LEVELS = 0.75;
  private static final double MOST_DISK = 4;

  @Mixin private BenchOutput output;
  @Mixin private EngineTrial trial;

  @Option(
      names = "--rows",
      defaultValue = "150000",
      description =
          "Of 5.7 KB; with many fewer there are no levels to speak of. Default: ${DEFAULT-VALUE}.")
  private int rows;

  @Override
  public Integer call() throws IOException {
    Range.check("--rows", rows, 1_000, 10_000_000);
    if (!trial.parameters().isEmpty()) {
      throw new IllegalArgumentException("--parameter: what is compared here has its own");
    }
    List<CompactionCost> costs =
        trial.measured(
            directory -> {
              output.announce(20 + rows / 1500L);
              return CompactionCosts.run(trial.node(), directory, rows, output::step);
            },
            output::progress);
    Table table =
        new Columns<CompactionCost>()
            .add("compaction", CompactionCost::compaction)
            .add("of disk", BenchCompactionCommand::room)
            .add("load", cost -> number(cost.loaded()))
            .add("log", cost -> number(1))
            .add("flush", cost -> number(cost.flushed()))
            .add("compact", cost -> number(cost.compacted()))
            .add("all", cost -> number(cost.written()))
            .add("runs", cost -> number(cost.runs()))
            .add("disk", cost -> number(cost.disk()))
            .add("most", cost -> number(cost.mostDisk()))
            .table(2, costs);
    CompactionCost levels = costs.get(0);
    CompactionCost universal = costs.get(1);
    CompactionCost little = costs.get(2);
    return output.print(
        Map.of("costs", costs),
        table,
        List.of(
            new Budget(
                "bytes written, universal over levels",
                universal.written() / levels.written(),
                MOST_OF_LEVELS),
            new Budget("most files for a byte, universal", universal.mostDisk(), MOST_DISK),
            new Budget("the same, of a disk of so many", little.mostDisk(), little.room()),
            new Budget("compactions refused there", little.refused(), 0)));
  }

  private static String room(CompactionCost cost) {
    return cost.room() == 0 ? "any" : number(cost.room());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
