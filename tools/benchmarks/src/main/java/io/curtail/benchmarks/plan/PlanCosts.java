/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.plan;

import io.curtail.benchmarks.Budget;
import io.curtail.benchmarks.CellCost;
import io.curtail.benchmarks.Cells;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.openjdk.jmh.results.RunResult;

/** Runs {@link PlanBenchmark} over all its cells. */
public final class PlanCosts {
  /** Stock's cost grows with the number of nodes; Curtail's is held against stock's at this one. */
  private static final int REFERENCE_NODES = 12;

  private static final double MOST_PLAN_TIMES = 1.5;
  private static final double MOST_PLAN_BYTES = 1.5;
  private static final double MOST_RESPONSE_TIMES = 0.5;
  private static final double MOST_ADAPTIVE_PLAN_BYTES = 200;
  private static final double MOST_ADAPTIVE_RESPONSE_TIMES = 1;
  private static final List<String> POLICIES =
      List.of(
          PlanBenchmark.BASIC,
          PlanBenchmark.DEFAULT,
          PlanBenchmark.CURTAIL,
          PlanBenchmark.ADAPTIVE);

  private final int[] nodes;
  private final int[] threads;
  private final Cells cells;

  /**
   * @param nodes in the data centre, one cell each; stock's Default policy is also measured at 12
   * @param threads that plan at the same time, one cell each
   * @param iterationMillis how long an iteration is; there are 8 a cell
   */
  public PlanCosts(int[] nodes, int[] threads, long iterationMillis) {
    this.nodes = nodes.clone();
    this.threads = threads.clone();
    this.cells = new Cells(PlanBenchmark.class, 3, 5, iterationMillis);
  }

  private boolean hasReference() {
    return Arrays.stream(nodes).anyMatch(count -> count == REFERENCE_NODES);
  }

  /** How long {@link #run} takes, about. */
  public long seconds() {
    int reference = hasReference() ? 0 : 3;
    return cells.seconds(threads.length * (nodes.length * 3L * POLICIES.size() + reference));
  }

  /**
   * Runs all cells, one after the other.
   *
   * @param progress told what runs next
   * @throws IllegalStateException if a benchmark fails
   */
  public List<PlanCost> run(Consumer<String> progress) {
    List<PlanCost> costs = new ArrayList<>();
    for (int threadCount : threads) {
      if (!hasReference()) {
        progress.accept("stock at " + REFERENCE_NODES + " nodes, " + threadCount + " threads");
        costs.addAll(run(REFERENCE_NODES, threadCount, List.of(PlanBenchmark.DEFAULT)));
      }
      for (int nodeCount : nodes) {
        progress.accept(nodeCount + " nodes, " + threadCount + " threads");
        costs.addAll(run(nodeCount, threadCount, POLICIES));
      }
    }
    return costs;
  }

  private List<PlanCost> run(int nodeCount, int threadCount, List<String> policies) {
    List<PlanCost> costs = new ArrayList<>();
    for (String operation : List.of(PlanCost.PLAN, PlanCost.RESPONSE)) {
      Map<String, List<String>> parameters =
          Map.of(
              "policy",
              policies,
              "nodes",
              List.of(Integer.toString(nodeCount)),
              "token",
              operation.equals(PlanCost.PLAN) ? List.of("true", "false") : List.of("true"));
      costs.addAll(
          cells.run(operation, threadCount, parameters, result -> cost(result, operation)));
    }
    return costs;
  }

  private static PlanCost cost(RunResult result, String operation) {
    return new PlanCost(
        operation,
        result.getParams().getParam("policy"),
        Integer.parseInt(result.getParams().getParam("nodes")),
        Boolean.parseBoolean(result.getParams().getParam("token")),
        result.getParams().getThreads(),
        CellCost.of(result));
  }

  /**
   * Holds each cell of Curtail against stock's Default policy at 12 nodes, with as many threads,
   * and with a token or without.
   *
   * @param costs what {@link #run} returned
   */
  public static List<Budget> budgets(List<PlanCost> costs) {
    List<Budget> budgets = new ArrayList<>();
    for (PlanCost cost : costs) {
      if (cost.policy().equals(PlanBenchmark.ADAPTIVE)) {
        budgets.addAll(adaptiveBudgets(cost, reference(cost, costs)));
      } else if (cost.policy().equals(PlanBenchmark.CURTAIL)) {
        CellCost own = cost.cost();
        CellCost stock = reference(cost, costs).cost();
        String time = cost.describe() + ", CPU time over stock Default's at 12 nodes";
        if (cost.operation().equals(PlanCost.PLAN)) {
          budgets.add(new Budget(time, own.cpuNanos() / stock.cpuNanos(), MOST_PLAN_TIMES));
          budgets.add(
              new Budget(
                  cost.describe() + ", bytes over stock Default's at 12 nodes",
                  own.bytes() / stock.bytes(),
                  MOST_PLAN_BYTES));
        } else {
          budgets.add(new Budget(time, own.cpuNanos() / stock.cpuNanos(), MOST_RESPONSE_TIMES));
          budgets.add(Budget.noBytes(cost.describe(), own.bytes()));
        }
      }
    }
    return budgets;
  }

  private static List<Budget> adaptiveBudgets(PlanCost cost, PlanCost stock) {
    CellCost own = cost.cost();
    String operation = PlanBenchmark.ADAPTIVE + ": " + cost.describe();
    if (cost.operation().equals(PlanCost.PLAN)) {
      return List.of(new Budget(operation + ", bytes", own.bytes(), MOST_ADAPTIVE_PLAN_BYTES));
    }
    return List.of(
        new Budget(
            operation + ", CPU time over stock Default's at 12 nodes",
            own.cpuNanos() / stock.cost().cpuNanos(),
            MOST_ADAPTIVE_RESPONSE_TIMES),
        Budget.noBytes(operation, own.bytes()));
  }

  private static PlanCost reference(PlanCost cost, List<PlanCost> costs) {
    return costs.stream()
        .filter(other -> other.policy().equals(PlanBenchmark.DEFAULT))
        .filter(other -> other.nodes() == REFERENCE_NODES)
        .filter(other -> other.operation().equals(cost.operation()))
        .filter(other -> other.threads() == cost.threads() && other.token() == cost.token())
        .findFirst()
        .orElseThrow();
  }
}
