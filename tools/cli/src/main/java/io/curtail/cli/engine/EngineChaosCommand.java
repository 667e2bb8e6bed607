/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import com.datastax.oss.driver.api.core.DriverException;
import io.curtail.cli.option.EngineJars;
import io.curtail.cli.option.EngineTrial;
import io.curtail.cli.option.Range;
import io.curtail.cli.option.SecondsOption;
import io.curtail.cli.option.SeedOption;
import io.curtail.engine.trials.disk.SmallDisk;
import io.curtail.lab.chaos.Chaos;
import io.curtail.lab.chaos.Plan;
import io.curtail.lab.chaos.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code curtail engine chaos}. */
@Command(
    name = "chaos",
    description = {
      "Runs real nodes, each second one with the engine, under load, does to them what operators and "
          + "faults do, and compares at QUORUM what can be read with what was answered.",
      "The seed decides what is done: --print shows it. RocksDB's disks can be filled if root runs "
          + "it; else that is left out, and the plan of a seed is another."
    })
final class EngineChaosCommand extends EngineTrialCommand {
  private static final int PRINTED = 40;

  @Mixin private SeedOption seed = SeedOption.random();

  @Option(
      names = "--runs",
      defaultValue = "1",
      description = "1 to 1,000, each of its own seed, one more than the one before.")
  private int runs;

  @Option(
      names = "--minutes",
      defaultValue = "10",
      description = "Length of a run in minutes, 1 to 10,000; --seconds wins.")
  private int minutes;

  @Mixin private final SecondsOption seconds = new SecondsOption();

  @Option(
      names = "--operations",
      defaultValue = "0",
      description = "End a run after so many; 0 for as many as there is time for.")
  private int operations;

  @Option(
      names = {"-n", "--nodes"},
      defaultValue = "4",
      description = "4 to 7; three replicas of each row.")
  private int nodes;

  @Option(names = "--print", description = "Print the plan of the seed and run nothing.")
  private boolean print;

  @Override
  void run(EngineTrial trial, TrialResults results) throws IOException {
    Range.check("--runs", runs, 1, 1_000);
    Range.check("--minutes", minutes, 1, 10_000);
    long length = seconds.ifGiven().orElse(60 * minutes);
    Range.check("--operations", operations, 0, 100_000);
    Range.check("--nodes", nodes, 4, 7);
    long first = seed.seed();
    String refusal = SmallDisk.refusal();
    if (refusal != null) {
      results.progress("no disk will be full: " + refusal);
    }
    Path directory = print ? Path.of("") : trial.directory();
    for (int i = 0; i < runs; i++) {
      Chaos.Setting setting =
          new Chaos.Setting(
              nodes,
              directory.resolve("run" + (i + 1)),
              print ? List.of() : EngineJars.engine(),
              trial.parameters(),
              refusal);
      if (print) {
        results.done("seed " + (first + i), plan(first + i, setting));
      } else {
        run(first + i, setting, length, results);
      }
    }
  }

  @Override
  boolean namesFiles() {
    return true; // logs
  }

  private TrialResult plan(long runSeed, Chaos.Setting setting) {
    List<String> steps =
        new Plan(runSeed, nodes, setting.kinds())
            .steps(operations == 0 ? PRINTED : operations).stream().map(Step::toString).toList();
    return new TrialResult(steps, "\n  " + String.join("\n  ", steps), true);
  }

  private void run(long runSeed, Chaos.Setting setting, long length, TrialResults results) {
    String name = "seed " + runSeed;
    results.progress(name);
    Chaos chaos = new Chaos(setting, results::progress);
    results.running(name, () -> chaos.soFar() == null ? null : result(chaos.soFar()));
    try {
      TrialResult result =
          result(chaos.run(runSeed, operations == 0 ? Integer.MAX_VALUE : operations, length));
      results.done(name, result);
      results.progress(name + ": " + result.summary());
    } catch (IOException | IllegalStateException | DriverException e) {
      // What the other runs of hours have found is not lost with one that nodes do not start for.
      results.broken(name, "it could not be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static TrialResult result(Chaos.Result result) {
    return new TrialResult(result, result.summary(), result.violations().isEmpty());
  }
}
