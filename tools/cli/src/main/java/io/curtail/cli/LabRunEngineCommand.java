/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.lab.engine.EngineSettings;
import io.curtail.lab.engine.EngineTable;
import io.curtail.lab.engine.EngineVsStock;
import io.curtail.lab.load.Mix;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code curtail lab run engine-vs-stock}. */
@Command(
    name = "engine-vs-stock",
    description = {
      "Starts a stock node and one with the RocksDB storage engine, loads the same table on both "
          + "and measures them in turns.",
      "With --memory the nodes have no more than that, file cache included: take more --rows than "
          + "fit."
    },
    footer = {"", "Ctrl-C stops the nodes and keeps what is finished."},
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class LabRunEngineCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--table",
      defaultValue = "emp",
      description = "emp: NDBench's, rows of 6 KB; small: rows of 100 bytes, fifty a partition.")
  private String table;

  @Option(names = "--rows", defaultValue = "60000", description = "Rows in the table.")
  private long rows;

  @Option(
      names = "--keys",
      defaultValue = "uniform",
      description =
          "Which rows requests ask for: uniform, all alike; zipfian, a few take much of the load, "
              + "as YCSB has it.")
  private String keys;

  @Option(
      names = "--mix",
      split = ",",
      defaultValue = "C,A,W",
      description = "YCSB's C (reads), A (half reads), B (95 %% reads), or W (writes).")
  private List<String> mixes;

  @Option(
      names = "--clients",
      split = ",",
      defaultValue = "4,16,64",
      description = "Clients that send one request after the other; each number is a run.")
  private List<Integer> clients;

  @Option(names = "--pairs", defaultValue = "5", description = "Repeats of every run.")
  private int pairs;

  @Option(names = "--seconds", defaultValue = "10", description = "Length of each run.")
  private int seconds;

  @Option(names = "--warm-up", defaultValue = "60", description = "Seconds of load before, each.")
  private int warmUpSeconds;

  @Option(
      names = "--heap",
      paramLabel = "MIB",
      defaultValue = "1024",
      description = "Of each node.")
  private int heapMebibytes;

  @Option(
      names = "--off-heap",
      paramLabel = "MIB",
      defaultValue = "768",
      description = "Caches and write buffers outside the heap, of each node.")
  private int offHeapMebibytes;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      defaultValue = "0",
      description = "The most memory of each node, file cache included; 0 for no limit.")
  private int memoryMebibytes;

  @Option(names = "--seed", defaultValue = "1", description = "Of rows and order.")
  private long seed;

  @Mixin private ReportOptions output;

  @Override
  public Integer call() throws IOException {
    EngineSettings settings = settings();
    if (memoryMebibytes > 0 && EngineVsStock.noMemoryLimit() != null) {
      throw new IllegalStateException(EngineVsStock.noMemoryLimit());
    }
    LabRunner runner = new LabRunner(spec.commandLine(), output.out);
    return runner.run(new EngineVsStock(settings, runner), output.json);
  }

  private EngineSettings settings() {
    return new EngineSettings(
        EngineTable.named(table),
        rows,
        keys,
        mixes.stream().map(Mix::named).toList(),
        clients,
        pairs,
        seconds,
        warmUpSeconds,
        heapMebibytes,
        offHeapMebibytes,
        memoryMebibytes,
        EngineJars.engine(),
        seed);
  }
}
