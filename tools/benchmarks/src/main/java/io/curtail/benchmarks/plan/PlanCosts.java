/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.plan;

import io.curtail.benchmarks.Budget;
import io.curtail.benchmarks.CellCost;
import io.curtail.benchmarks.Cells;
import io.curtail.campaign.Progress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.openjdk.jmh.results.RunResult;

/** Runs {@link PlanBenchmark} over all its cells. */
public final class PlanCosts {
  /** Stock's cost grows with the number of nodes; Curtail's is held against stock's at this one. */
  private static final int REFERENCE_NODES = 12;

  private static final double MOST_PLAN_TIMES = 1.5;
  private static final double MOST_PLAN_BYTES = 1.5;
  private static final double MOST_RESPONSE_TIMES = 0.5;
  private static final double MOST_ADAPTIVE_PLAN_BYTES = 200;
  private static final double MOST_ADAPTIVE_PLAN_TIMES = 1;
  private static final double MOST_ADAPTIVE_PLAN_TIMES_ELSEWHERE = 1.3;
  private static final double MOST_ADAPTIVE_RESPONSE_TIMES = 1.0 / 3;

  /** A request that may be copied and is not, over one that may not. */
  private static final double MOST_HEDGED_PLANS_MORE = 1;

  private static final List<String> POLICIES =
      List.of(
          PlanBenchmark.BASIC,
          PlanBenchmark.DEFAULT,
          PlanBenchmark.WEIGHTED,
          PlanBenchmark.ADAPTIVE,
          PlanBenchmark.HEDGED);

  private final int[] nodes;
  private final int[] threads;
  private final int rounds;
  private final Cells cells;

  /**
   * @param nodes in the data centre, one cell each; stock's Default policy is also measured at 12
   * @param threads that plan at the same time, one cell each
   * @param rounds how often each cell is run, in turns with the others: the machine is slower at
   *     some times
   * @param iterationMillis how long an iteration is; there are 8 a cell
   */
  public PlanCosts(int[] nodes, int[] threads, int rounds, long iterationMillis) {
    this.nodes = nodes.clone();
    this.threads = threads.clone();
    this.rounds = rounds;
    this.cells = new Cells(PlanBenchmark.class, 3, 5, iterationMillis);
  }

  private boolean hasReference() {
    return Arrays.stream(nodes).anyMatch(count -> count == REFERENCE_NODES);
  }

  /** How long {@link #run} takes, about. */
  public long seconds() {
    int reference = hasReference() ? 0 : 3;
    return cells.seconds(
        (long) rounds * threads.length * (nodes.length * 3L * POLICIES.size() + reference));
  }

  /**
   * Runs all cells, in turns.
   *
   * @param progress told what runs next
   * @throws IllegalStateException if a benchmark fails
   */
  public List<PlanCost> run(Progress progress) {
    List<List<PlanCost>> runs = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      int number = round;
      runs.add(runOnce(cell -> progress.report("round " + number + ": " + cell)));
    }
    return IntStream.range(0, runs.get(0).size())
        .mapToObj(i -> PlanCost.ofRuns(runs.stream().map(run -> run.get(i)).toList()))
        .toList();
  }

  private List<PlanCost> runOnce(Progress progress) {
    List<PlanCost> costs = new ArrayList<>();
    for (int threadCount : threads) {
      if (!hasReference()) {
        progress.report("stock at " + REFERENCE_NODES + " nodes, " + threadCount + " threads");
        costs.addAll(run(REFERENCE_NODES, threadCount, List.of(PlanBenchmark.DEFAULT)));
      }
      for (int nodeCount : nodes) {
        progress.report(nodeCount + " nodes, " + threadCount + " threads");
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
   * and with a token or without. Times are the lowest of all iterations: what else runs on the
   * machine only adds to them.
   *
   * @param costs what {@link #run} returned
   */
  public static List<Budget> budgets(List<PlanCost> costs) {
    List<Budget> budgets = new ArrayList<>();
    for (PlanCost cost : costs) {
      if (cost.policy().equals(PlanBenchmark.ADAPTIVE)) {
        budgets.addAll(adaptiveBudgets(cost, costs));
      } else if (cost.policy().equals(PlanBenchmark.HEDGED)) {
        budgets.addAll(hedgedBudgets(cost, costs));
      } else if (cost.policy().equals(PlanBenchmark.WEIGHTED)) {
        CellCost stock = reference(cost, costs).cost();
        boolean isPlan = cost.operation().equals(PlanCost.PLAN);
        budgets.add(time(cost, costs, isPlan ? MOST_PLAN_TIMES : MOST_RESPONSE_TIMES));
        budgets.add(
            isPlan
                ? new Budget(
                    cost.describe() + ", bytes over stock Default's at 12 nodes",
                    cost.cost().bytes() / stock.bytes(),
                    MOST_PLAN_BYTES)
                : Budget.noBytes(cost.describe(), cost.cost().bytes()));
      }
    }
    return budgets;
  }

  private static List<Budget> adaptiveBudgets(PlanCost cost, List<PlanCost> costs) {
    if (cost.operation().equals(PlanCost.PLAN)) {
      double most =
          cost.nodes() == REFERENCE_NODES
              ? MOST_ADAPTIVE_PLAN_TIMES
              : MOST_ADAPTIVE_PLAN_TIMES_ELSEWHERE;
      return List.of(
          time(cost, costs, most),
          new Budget(cost.describe() + ", bytes", cost.cost().bytes(), MOST_ADAPTIVE_PLAN_BYTES));
    }
    return List.of(
        time(cost, costs, MOST_ADAPTIVE_RESPONSE_TIMES),
        Budget.noBytes(cost.describe(), cost.cost().bytes()));
  }

  /** Of a request with a token, from plan to response: with these policies a plan is answered. */
  private static List<Budget> hedgedBudgets(PlanCost cost, List<PlanCost> costs) {
    if (!cost.operation().equals(PlanCost.PLAN) || !cost.token()) {
      return List.of();
    }
    PlanCost plan = same(cost, PlanBenchmark.ADAPTIVE, PlanCost.PLAN, costs);
    double more = cost.cost().cpuNanosLowest() - plan.cost().cpuNanosLowest();
    return List.of(
        new Budget(
            cost.describe() + " and response, CPU time more than without copies, in plans",
            Math.max(0, more / nanos(plan, costs)),
            MOST_HEDGED_PLANS_MORE));
  }

  private static Budget time(PlanCost cost, List<PlanCost> costs, double most) {
    return new Budget(
        cost.describe() + ", CPU time over stock Default's at 12 nodes",
        nanos(cost, costs) / reference(cost, costs).cost().cpuNanosLowest(),
        most);
  }

  /** Of a response, or of a plan of Curtail's without the response that its cell has, too. */
  private static double nanos(PlanCost cost, List<PlanCost> costs) {
    double nanos = cost.cost().cpuNanosLowest();
    if (cost.operation().equals(PlanCost.RESPONSE)) {
      return nanos;
    }
    PlanCost response = same(cost, cost.policy(), PlanCost.RESPONSE, costs);
    return Math.max(1, nanos - response.cost().cpuNanosLowest());
  }

  private static PlanCost same(
      PlanCost cost, String policy, String operation, List<PlanCost> costs) {
    return costs.stream()
        .filter(other -> other.policy().equals(policy) && other.operation().equals(operation))
        .filter(other -> other.nodes() == cost.nodes() && other.threads() == cost.threads())
        .filter(other -> other.token())
        .findFirst()
        .orElseThrow();
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
