/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.engine.trials.Fuzz;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code curtail engine fuzz}. */
@Command(
    name = "fuzz",
    description = {
      "Runs random statements on random tables, each on the stock memtable and on RocksDB in one "
          + "node, and compares every answer.",
      "A failure is printed with its seed, as the shortest script found; the same seed and number "
          + "of operations is the same script: --seed SEED --schemas 1."
    })
final class EngineFuzzCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private EngineTrial trial;
  @Mixin private TimeLimit limit;

  @Option(names = "--schemas", defaultValue = "100", description = "Tables, 1 to 10,000,000.")
  private int schemas;

  @Option(names = "--operations", defaultValue = "200", description = "For each, 1 to 100,000.")
  private int operations;

  @Option(
      names = "--seed",
      description = "Of the first table; the next has the next number. Random if not given.")
  private Long seed;

  @Option(
      names = "--year",
      defaultValue = "2027",
      description = "When the node's clock starts; it stands still, and jumps when a script says.")
  private int year;

  @Option(names = "--print", description = "Print the script of the seed and run nothing.")
  private boolean print;

  @Override
  public Integer call() throws IOException {
    if (schemas < 1 || schemas > 10_000_000 || operations < 1 || operations > 100_000) {
      throw new IllegalArgumentException(
          "--schemas must be from 1 to 10,000,000, --operations from 1 to 100,000");
    }
    if (year < 2026 || year > 2105) {
      throw new IllegalArgumentException("--year must be from 2026 to 2105");
    }
    PrintWriter out = spec.commandLine().getOut();
    long first = seed != null ? seed : System.nanoTime() % 1_000_000_000;
    if (print) {
      out.println(Fuzz.describe(first, operations));
      out.flush();
      return 0;
    }
    out.println("first seed " + first);
    out.flush();
    long start = LocalDate.of(year, 1, 1).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
    Fuzz fuzz =
        new Fuzz(
            trial.node(Map.of()),
            trial.directory().resolve("node"),
            operations,
            start,
            line -> {
              out.println(line);
              out.flush();
            });
    Fuzz.Result result = fuzz.run(first, schemas, limit.seconds());
    out.println(
        String.format(
            Locale.ROOT,
            "%,d schemas, %,d statements on both tables, %d answers excused, %d failed",
            result.scripts(),
            result.statements(),
            result.excused(),
            result.failures().size()));
    out.flush();
    return result.failures().isEmpty() ? 0 : 1;
  }
}
