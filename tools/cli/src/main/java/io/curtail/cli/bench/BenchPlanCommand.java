/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import io.curtail.benchmarks.plan.PlanCost;
import io.curtail.benchmarks.plan.PlanCosts;
import io.curtail.cli.option.PairsOption;
import io.curtail.cli.option.Range;
import io.curtail.report.Columns;
import io.curtail.report.Table;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a query plan and a response cost, Curtail's policy beside the driver's own. */
@Command(
    name = "plan",
    description = {
      "Measures a query plan and a response: processor time and bytes, for the driver's Basic and "
          + "Default policies and for Curtail's: weighted-least-loaded, adaptive, which ranks by "
          + "delay, and adaptive-hedged, which may copy a request besides.",
      "Real driver objects, no network, 0 to 7 requests in flight on each node. A plan of Curtail's policies is "
          + "answered, or all nodes would seem to hang; budgets of plans are without the response.",
      "Whatever the number of nodes, a plan of weighted-least-loaded may cost "
          + "1.5 times the time and bytes of stock Default's at 12 nodes, a response half of its time and no byte. "
          + "A plan of adaptive may cost 200 bytes and stock's time at 12 nodes, 1.3 times that at others; a response "
          + "a third of stock's time and no byte; a request that may be copied and is not, one plan more.",
      "All cells run in turns, as often as --pairs says; budgets of time hold for the lowest of all iterations."
    },
    footer = {"", "Exit code 1 if a budget is not kept."})
final class BenchPlanCommand implements Callable<Integer> {
  @Mixin private BenchOutput output;
  @Mixin private PairsOption pairs = new PairsOption(3);
  @Mixin private IterationOption iteration;

  @Option(
      names = {"-n", "--nodes"},
      split = ",",
      defaultValue = "12,48,192,384",
      description = "Nodes of the data centre, 3 to 1,000; each number is a row.")
  private int[] nodes;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,2,4",
      description = "Threads that plan at the same time, 1 to 64; each number is a row.")
  private int[] threads;

  @Override
  public Integer call() {
    for (int count : nodes) {
      Range.check("--nodes", count, 3, 1_000);
    }
    for (int count : threads) {
      Range.check("--threads", count, 1, 64);
    }
    PlanCosts benchmark = new PlanCosts(nodes, threads, pairs.pairs(), iteration.millis());
    output.announce(benchmark.seconds());
    List<PlanCost> costs = benchmark.run(output::step);
    return output.print(Map.of("results", costs), table(costs), PlanCosts.budgets(costs));
  }

  private static Table table(List<PlanCost> costs) {
    Columns<PlanCost> columns =
        new Columns<PlanCost>()
            .add("operation", PlanCost::operation)
            .add("policy", PlanCost::policy)
            .add("token", BenchPlanCommand::token)
            .add("nodes", cost -> Integer.toString(cost.nodes()))
            .add("threads", cost -> Integer.toString(cost.threads()));
    Comparator<PlanCost> order =
        Comparator.comparing(PlanCost::operation)
            .thenComparing(PlanCost::nodes)
            .thenComparing(PlanCost::threads)
            .thenComparing(PlanCost::token)
            .thenComparing(PlanCost::policy);
    return BenchOutput.withCost(columns, PlanCost::cost)
        .table(3, costs.stream().sorted(order).toList());
  }

  private static String token(PlanCost cost) {
    String token = cost.token() ? "yes" : "no";
    return cost.operation().equals(PlanCost.PLAN) ? token : "";
  }
}
