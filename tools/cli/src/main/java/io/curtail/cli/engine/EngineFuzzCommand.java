/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import io.curtail.cli.option.EngineTrial;
import io.curtail.cli.option.Range;
import io.curtail.cli.option.SeedOption;
import io.curtail.engine.trials.fuzz.Fuzz;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code curtail engine fuzz}. */
@Command(
    name = "fuzz",
    description = {
      "Runs random statements on random tables, each on the stock memtable and on RocksDB in one "
          + "node, and compares every answer.",
      "A failure is printed with its seed, as the shortest script found; the same seed and number "
          + "of operations is the same script: --seed SEED --schemas 1."
    })
final class EngineFuzzCommand extends EngineTrialCommand {
  @Mixin private TimeLimit limit;
  @Mixin private SeedOption seed = SeedOption.random();

  @Option(names = "--schemas", defaultValue = "100", description = "Tables, 1 to 10,000,000.")
  private int schemas;

  @Option(
      names = "--operations",
      defaultValue = "200",
      description = "Statements for each table, 1 to 100,000.")
  private int operations;

  @Option(
      names = "--year",
      defaultValue = "2027",
      description = "When the node's clock starts; it stands still, and jumps when a script says.")
  private int year;

  @Option(names = "--print", description = "Print the script of the seed and run nothing.")
  private boolean print;

  @Override
  void run(EngineTrial trial, TrialResults results) throws IOException {
    Range.check("--schemas", schemas, 1, 10_000_000);
    Range.check("--operations", operations, 1, 100_000);
    Range.check("--year", year, 2026, 2105);
    long first = seed.seed();
    String name = "from seed " + first;
    if (print) {
      String script = Fuzz.describe(first, operations);
      results.done(name, new TrialResult(script, "\n" + script, true));
      return;
    }
    results.progress("first seed " + first);
    long start = LocalDate.of(year, 1, 1).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
    Fuzz fuzz =
        new Fuzz(
            trial.node(), trial.directory().resolve("node"), operations, start, results::progress);
    results.running(name, () -> fuzz.soFar() == null ? null : result(fuzz.soFar()));
    results.done(name, result(fuzz.run(first, schemas, limit.seconds())));
  }

  private static TrialResult result(Fuzz.Result result) {
    return new TrialResult(
        result,
        String.format(
            Locale.ROOT,
            "%,d schemas, %,d statements on both tables, %d answers excused, %d failed",
            result.scripts(),
            result.statements(),
            result.excused(),
            result.failures().size()),
        result.failures().isEmpty());
  }
}
