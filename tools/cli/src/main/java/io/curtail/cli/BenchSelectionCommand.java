/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.benchmarks.selection.SelectionCost;
import io.curtail.benchmarks.selection.SelectionCosts;
import io.curtail.report.Json;
import io.curtail.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What ranking replicas and recording a response cost. */
@Command(
    name = "selection",
    description = {
      "Measures ranking three replicas and recording a response (sending included): processor time "
          + "and bytes, beside a plain sort of three doubles.",
      "The budget of Curtail's policy is 100 ns and 0 bytes for a ranking, 60 ns and 0 bytes for a "
          + "response."
    })
final class BenchSelectionCommand implements Callable<Integer> {
  private static final double RANK_NANOS = 100;
  private static final double RECORD_NANOS = 60;

  /**
   * JMH spreads what the JVM itself allocates over the operations: far below the smallest object.
   */
  private static final double NO_BYTES = 0.5;

  @Option(
      names = "--policy",
      split = ",",
      defaultValue = "curtail,c3,least-outstanding,weighted-least-loaded,prequal",
      description = "Policies, of those in the default: ${DEFAULT-VALUE}.")
  private List<String> policies;

  @Option(
      names = "--iteration-millis",
      defaultValue = "500",
      description = "Length of an iteration; a cell has 11.")
  private long iterationMillis;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all results to FILE.")
  private Path json;

  @Override
  public Integer call() throws IOException {
    if (iterationMillis < 10 || iterationMillis > 60_000) {
      throw new IllegalArgumentException("--iteration-millis must be from 10 to 60000");
    }
    policies.forEach(io.curtail.selection.Policies::named);
    OutputFile.check(json);
    SelectionCosts benchmark = new SelectionCosts(policies, iterationMillis);
    System.err.printf("About %d s.%n", benchmark.seconds());
    List<SelectionCost> costs = benchmark.run(cell -> System.err.println("  " + cell + " ..."));
    if (json != null) {
      Json.write(
          json,
          Map.of(
              "java",
              System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
              "results",
              costs));
    }
    Table table = new Table(2, "operation", "policy", "CPU ns", "from", "to", "bytes");
    for (SelectionCost cost : costs) {
      table.row(
          cost.operation(),
          cost.operation().equals("sort") ? "" : cost.policy(),
          number(cost.cpuNanos()),
          number(cost.cpuNanosLowest()),
          number(cost.cpuNanosHighest()),
          number(cost.bytes()));
    }
    System.out.print(table.toText());
    System.out.println(verdict(costs));
    return 0;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String verdict(List<SelectionCost> costs) {
    List<SelectionCost> over =
        costs.stream()
            .filter(cost -> cost.policy().equals("curtail") && isOverBudget(cost))
            .toList();
    return over.isEmpty() ? "Curtail is within its budget." : "Curtail is over its budget: " + over;
  }

  private static boolean isOverBudget(SelectionCost cost) {
    double budget =
        switch (cost.operation()) {
          case "rank" -> RANK_NANOS;
          case "record" -> RECORD_NANOS;
          default -> Double.POSITIVE_INFINITY;
        };
    return cost.cpuNanos() > budget || cost.bytes() > NO_BYTES;
  }
}
