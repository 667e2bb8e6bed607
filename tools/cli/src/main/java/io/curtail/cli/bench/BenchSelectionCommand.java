/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import io.curtail.benchmarks.selection.SelectionCost;
import io.curtail.benchmarks.selection.SelectionCosts;
import io.curtail.cli.option.SelectionPolicyOption;
import io.curtail.report.Columns;
import io.curtail.report.Table;
import io.curtail.selection.Policies;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What ranking replicas and recording a response cost. */
@Command(
    name = "selection",
    description = {
      "Measures ranking three replicas and recording a response (sending included): processor time "
          + "and bytes, beside a plain sort of three doubles.",
      "For Curtail's policy a ranking may cost twelve such sorts, a response four, and neither a byte."
    },
    footer = {"", "Exit code 1 if a budget is not kept."})
final class BenchSelectionCommand implements Callable<Integer> {
  private static final List<String> USUAL =
      List.of("curtail", "c3", "least-outstanding", "weighted-least-loaded", "prequal");

  @Mixin private BenchOutput output;
  @Mixin private IterationOption iteration;
  @Mixin private SelectionPolicyOption policy;

  @Override
  public Integer call() {
    List<String> policies = policy.policies().isEmpty() ? USUAL : policy.policies();
    policies.forEach(Policies::named);
    SelectionCosts benchmark = new SelectionCosts(policies, iteration.millis());
    output.announce(benchmark.seconds());
    List<SelectionCost> costs = benchmark.run(output::step);
    Columns<SelectionCost> columns =
        new Columns<SelectionCost>()
            .add("operation", SelectionCost::operation)
            .add(
                "policy", cost -> cost.operation().equals(SelectionCost.SORT) ? "" : cost.policy());
    Table table = BenchOutput.withCost(columns, SelectionCost::cost).table(2, costs);
    return output.print(Map.of("results", costs), table, SelectionCosts.budgets(costs));
  }
}
