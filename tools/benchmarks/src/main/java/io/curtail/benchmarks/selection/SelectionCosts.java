/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.selection;

import io.curtail.benchmarks.Budget;
import io.curtail.benchmarks.CellCost;
import io.curtail.benchmarks.Cells;
import io.curtail.campaign.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs {@link SelectionBenchmark} over all its cells. */
public final class SelectionCosts {
  private static final String CURTAIL = "curtail";
  private static final double MOST_RANK_TIMES = 12;
  private static final double MOST_RECORD_TIMES = 4;

  private final List<String> policies;
  private final Cells cells;

  /**
   * @param policies to rank and record for
   * @param iterationMillis how long an iteration is; there are 11 a cell
   */
  public SelectionCosts(List<String> policies, long iterationMillis) {
    this.policies = List.copyOf(policies);
    this.cells = new Cells(SelectionBenchmark.class, 4, 7, iterationMillis);
  }

  /** How long {@link #run} takes, about. */
  public long seconds() {
    return cells.seconds(1 + 2L * policies.size());
  }

  /**
   * Runs all cells, one after the other.
   *
   * @param progress told what runs next
   * @throws IllegalStateException if a benchmark fails
   */
  public List<SelectionCost> run(Progress progress) {
    List<SelectionCost> costs = new ArrayList<>();
    progress.report("a plain sort of three doubles");
    costs.addAll(run(SelectionCost.SORT, List.of(CURTAIL)));
    progress.report("ranking three replicas");
    costs.addAll(run(SelectionCost.RANK, policies));
    progress.report("recording a response");
    costs.addAll(run(SelectionCost.RECORD, policies));
    return costs;
  }

  private List<SelectionCost> run(String operation, List<String> names) {
    return cells.run(
        operation,
        1,
        Map.of("policy", names),
        result ->
            new SelectionCost(
                operation, result.getParams().getParam("policy"), CellCost.of(result)));
  }

  /**
   * Holds Curtail's policy against the plain sort.
   *
   * @param costs what {@link #run} returned
   */
  public static List<Budget> budgets(List<SelectionCost> costs) {
    double sortNanos = costs.get(0).cost().cpuNanos();
    List<Budget> budgets = new ArrayList<>();
    for (SelectionCost cost : costs.subList(1, costs.size())) {
      if (cost.policy().equals(CURTAIL)) {
        boolean rank = cost.operation().equals(SelectionCost.RANK);
        budgets.add(
            new Budget(
                cost.operation() + ", CPU time over a plain sort of three doubles",
                cost.cost().cpuNanos() / sortNanos,
                rank ? MOST_RANK_TIMES : MOST_RECORD_TIMES));
        budgets.add(Budget.noBytes(cost.operation(), cost.cost().bytes()));
      }
    }
    return budgets;
  }
}
