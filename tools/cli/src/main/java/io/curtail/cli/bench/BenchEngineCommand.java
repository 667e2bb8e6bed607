/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import io.curtail.benchmarks.Budget;
import io.curtail.campaign.Median;
import io.curtail.cli.option.EngineTrial;
import io.curtail.cli.option.PairsOption;
import io.curtail.engine.trials.cost.TableCase;
import io.curtail.engine.trials.cost.TableCost;
import io.curtail.engine.trials.cost.TableCosts;
import io.curtail.engine.trials.cost.TableProfile;
import io.curtail.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a request costs of a table in RocksDB and of one on the stock memtable. */
@Command(
    name = "engine",
    description = {
      "Measures what requests cost of tables in RocksDB, beside the same tables on the stock trie "
          + "memtable with their data files in the chunk cache: processor time and heap, in one "
          + "node, in turns, from the prepared statement to the last cell. No protocol.",
      "What flushes and compactions cost is in the process's time of --json, not in the table.",
      "Rows by key are kept by the engine, as by default: --parameter",
      "record_cache=0MiB measures what they cost without.",
      "The aim is what stock costs; the budgets keep what is reached."
    },
    footer = {"", "Exit code 1 if a budget is not kept."})
final class BenchEngineCommand implements Callable<Integer> {
  @Mixin private BenchOutput output;
  @Mixin private EngineTrial trial;
  @Mixin private PairsOption pairs = new PairsOption(7);
  @Mixin private IterationOption iteration;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Only the rows whose name has this in it.")
  private String only;

  @Option(
      names = "--profile",
      description = {
        "Then also profiles each row for two seconds on each storage, and says how much of its "
            + "processor time each layer takes; with --out, a flame graph of each."
      })
  private boolean profiled;

  @Override
  public Integer call() throws IOException {
    List<TableCase> cases =
        Arrays.stream(TableCase.values()).filter(test -> test.title().contains(only)).toList();
    if (cases.isEmpty()) {
      throw new IllegalArgumentException("--only: no row has '" + only + "' in its name");
    }
    TableCosts benchmark = new TableCosts(cases, pairs.pairs(), iteration.millis(), profiled);
    TableCosts.Result result =
        trial.measured(
            directory -> {
              output.announce(benchmark.seconds());
              return benchmark.run(trial.node(), directory, output.folder(), output::step);
            },
            output::progress);
    List<TableCost> costs = result.turns();
    Table table =
        new Table(
            1,
            "request",
            "stock",
            "engine",
            "CPU us",
            "from",
            "to",
            "stock",
            "engine",
            "bytes",
            "stock",
            "engine blocks",
            "native calls");
    List<Budget> budgets = new ArrayList<>();
    String records = trial.node().parameters().getOrDefault("record_cache", "some");
    boolean isKept = !records.startsWith("0");
    for (TableCase test : cases) {
      List<TableCost> engine = of(test, TableCosts.ROCKS, costs);
      List<TableCost> stock = of(test, TableCosts.STOCK, costs);
      Ratios cpu = Ratios.of(engine, stock, TableCost::cpuMicros);
      Ratios heap = Ratios.of(engine, stock, TableCost::heapBytes);
      String[] blocks = Ratios.of(engine, stock, TableCost::blocks).row("", 1);
      List<String> row = new ArrayList<>(List.of(cpu.row(test.title(), 1)));
      row.addAll(List.of(heap.row("", 1)).subList(1, 4));
      row.addAll(List.of(blocks).subList(1, 3));
      row.add(Ratios.of(engine, stock, TableCost::nativeCalls).row("", 1)[2]);
      table.row(row);
      budgets.add(
          new Budget(test.title() + ", CPU over stock", cpu.median(), test.mostCpu(isKept)));
      budgets.add(new Budget(test.title() + ", heap over stock", heap.median(), test.mostHeap()));
    }
    Map<String, Object> results = new LinkedHashMap<>();
    results.put("turns", costs);
    if (profiled) {
      results.put("profiles", result.profiles());
    }
    List<Table> tables = profiled ? List.of(table, layers(result)) : List.of(table);
    return output.print(results, tables, budgets);
  }

  private static Table layers(TableCosts.Result result) {
    List<String> columns = new ArrayList<>(List.of("CPU us of a request", "storage", "all"));
    for (TableProfile.Layer layer : TableProfile.Layer.values()) {
      columns.add(layer.title());
    }
    Table table = new Table(2, columns.toArray(String[]::new));
    for (TableProfile profile : result.profiles()) {
      double[] turns =
          result.turns().stream()
              .filter(turn -> turn.name().equals(profile.name()))
              .filter(turn -> turn.storage().equals(profile.storage()))
              .mapToDouble(TableCost::cpuMicros)
              .toArray();
      double cpu = Median.of(turns);
      List<String> row = new ArrayList<>(List.of(profile.name(), profile.storage(), micros(cpu)));
      for (TableProfile.Layer layer : TableProfile.Layer.values()) {
        row.add(micros(cpu * profile.shares().get(layer)));
      }
      table.row(row);
    }
    return table;
  }

  private static String micros(double value) {
    return String.format(Locale.ROOT, "%,.2f", value);
  }

  private static List<TableCost> of(TableCase test, String storage, List<TableCost> costs) {
    return costs.stream()
        .filter(cost -> cost.name().equals(test.title()) && cost.storage().equals(storage))
        .toList();
  }
}
