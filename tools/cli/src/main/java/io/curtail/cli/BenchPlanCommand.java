/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.benchmarks.plan.PlanCost;
import io.curtail.benchmarks.plan.PlanCosts;
import io.curtail.report.Json;
import io.curtail.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a query plan and a response cost, Curtail's policy beside the driver's own. */
@Command(
    name = "plan",
    description = {
      "Measures a query plan and a response: processor time and bytes, for the driver's Basic and "
          + "Default policies and for Curtail's weighted least loaded one.",
      "Real driver objects, no network. The budget is 500 ns and 200 bytes for a plan, 50 ns and 0 "
          + "bytes for a response, whatever the number of nodes."
    })
final class BenchPlanCommand implements Callable<Integer> {
  private static final double PLAN_NANOS = 500;
  private static final double PLAN_BYTES = 200;
  private static final double RESPONSE_NANOS = 50;

  /**
   * JMH spreads what the JVM itself allocates over the operations: far below the smallest object.
   */
  private static final double NO_BYTES = 0.5;

  @Option(
      names = "--nodes",
      split = ",",
      defaultValue = "12,48,192,384",
      description = "Nodes of the data centre, one cell each: of 12, 48, 192, 384 (default: all).")
  private int[] nodes;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,2,4",
      description = "Threads that plan at the same time.")
  private int[] threads;

  @Option(
      names = "--iteration-millis",
      defaultValue = "500",
      description = "Length of an iteration; a cell has 8.")
  private long iterationMillis;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all results to FILE.")
  private Path json;

  @Override
  public Integer call() throws IOException {
    check();
    PlanCosts benchmark = new PlanCosts(nodes, threads, iterationMillis);
    long seconds = benchmark.seconds();
    System.err.printf("About %d min %d s.%n", seconds / 60, seconds % 60);
    List<PlanCost> costs = benchmark.run(cell -> System.err.println("  " + cell + " ..."));
    if (json != null) {
      Map<String, Object> results = new LinkedHashMap<>();
      results.put(
          "java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
      results.put("processors", Runtime.getRuntime().availableProcessors());
      results.put("results", costs);
      Json.write(json, results);
    }
    System.out.print(table(costs).toText());
    System.out.println();
    System.out.println(verdict(costs));
    return 0;
  }

  private void check() {
    if (Arrays.stream(nodes).anyMatch(n -> n < 3 || n > 1000)) {
      throw new IllegalArgumentException("--nodes must be from 3 to 1000");
    }
    if (Arrays.stream(threads).anyMatch(n -> n < 1 || n > 64)) {
      throw new IllegalArgumentException("--threads must be from 1 to 64");
    }
    if (iterationMillis < 10 || iterationMillis > 60_000) {
      throw new IllegalArgumentException("--iteration-millis must be from 10 to 60000");
    }
    OutputFile.check(json);
  }

  private static Table table(List<PlanCost> costs) {
    Table table =
        new Table(
            3, "operation", "policy", "token", "nodes", "threads", "CPU ns", "from", "to", "bytes");
    costs.stream()
        .sorted(
            Comparator.comparing(PlanCost::operation)
                .thenComparing(PlanCost::nodes)
                .thenComparing(PlanCost::threads)
                .thenComparing(PlanCost::token)
                .thenComparing(PlanCost::policy))
        .forEach(
            cost ->
                table.row(
                    cost.operation(),
                    cost.policy(),
                    cost.operation().equals("response") ? "" : cost.token() ? "yes" : "no",
                    Integer.toString(cost.nodes()),
                    Integer.toString(cost.threads()),
                    number(cost.cpuNanos()),
                    number(cost.cpuNanosLowest()),
                    number(cost.cpuNanosHighest()),
                    number(cost.bytes())));
    return table;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
  }

  private static String verdict(List<PlanCost> costs) {
    List<PlanCost> over =
        costs.stream()
            .filter(cost -> cost.policy().equals("curtail"))
            .filter(BenchPlanCommand::isOverBudget)
            .toList();
    return over.isEmpty()
        ? "Curtail is within its budget in every cell."
        : "Curtail is over its budget in "
            + over.size()
            + " of its cells:"
            + over.stream()
                .map(BenchPlanCommand::describe)
                .collect(Collectors.joining("\n  ", "\n  ", ""));
  }

  private static String describe(PlanCost cost) {
    return "%s, %d nodes, %s, threads: %d: %s ns, %s bytes"
        .formatted(
            cost.operation(),
            cost.nodes(),
            cost.token() ? "with token" : "without token",
            cost.threads(),
            number(cost.cpuNanos()),
            number(cost.bytes()));
  }

  private static boolean isOverBudget(PlanCost cost) {
    return cost.operation().equals("plan")
        ? cost.cpuNanos() > PLAN_NANOS || cost.bytes() > PLAN_BYTES
        : cost.cpuNanos() > RESPONSE_NANOS || cost.bytes() > NO_BYTES;
  }
}
