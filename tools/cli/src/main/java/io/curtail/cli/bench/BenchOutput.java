/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import io.curtail.benchmarks.Budget;
import io.curtail.benchmarks.CellCost;
import io.curtail.cli.output.KeptOutput;
import io.curtail.cli.output.TrialReport;
import io.curtail.report.Columns;
import io.curtail.report.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a benchmark found, and whether it keeps its budgets. */
final class BenchOutput extends KeptOutput {
  private final Instant start = Instant.now();

  /**
   * Prints it.
   *
   * @param results for programs
   * @return the exit code: 1 if a budget is not kept
   */
  int print(Map<String, ?> results, Table table, List<Budget> budgets) {
    return print(results, List.of(table), budgets);
  }

  /** The same of several tables, one below the other. */
  int print(Map<String, ?> results, List<Table> tables, List<Budget> budgets) {
    TrialReport report = TrialReport.of(this, start, false, results);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("command", report.command());
    all.put("startedAt", report.startedAt());
    all.put("seconds", report.seconds());
    all.put("versions", report.versions());
    all.put("machine", report.machine());
    all.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    all.put("processors", Runtime.getRuntime().availableProcessors());
    all.putAll(results);
    all.put("budgets", budgets);
    boolean kept = budgets.stream().allMatch(Budget::isKept);
    all.put("withinBudget", kept);
    String text = tables.stream().map(Table::toText).collect(Collectors.joining("\n"));
    print(all, () -> text + "\n" + Budget.verdict(budgets) + "\n");
    if (isJson() && !kept) {
      progress(Budget.verdict(budgets));
    }
    try {
      keep("bench", all);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return kept ? 0 : 1;
  }

  /** Begins, and tells how long it will take. */
  void announce(long seconds) {
    begin();
    progress("About %d min %d s.".formatted(seconds / 60, seconds % 60));
  }

  /** Tells what runs next. */
  void step(String what) {
    progress("  " + what + " ...");
  }

  /** Adds the columns of what a cell cost. */
  static <R> Columns<R> withCost(Columns<R> columns, Function<R, CellCost> cost) {
    return columns
        .add("CPU ns", row -> number(cost.apply(row).cpuNanos()))
        .add("from", row -> number(cost.apply(row).cpuNanosLowest()))
        .add("to", row -> number(cost.apply(row).cpuNanosHighest()))
        .add("bytes", row -> number(cost.apply(row).bytes()));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
  }
}
