/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.plan;

import io.curtail.benchmarks.CellCost;
import java.util.List;

/**
 * What one operation of a policy costs.
 *
 * @param operation {@code plan} or {@code response}
 * @param policy the name of the policy
 * @param nodes in the local data centre
 * @param token whether the request has a routing key
 * @param threads that do it at the same time
 */
public record PlanCost(
    String operation, String policy, int nodes, boolean token, int threads, CellCost cost) {
  /** A query plan and the first node from it. */
  public static final String PLAN = "plan";

  /** What a policy does with a response. */
  public static final String RESPONSE = "response";

  /** Of several runs of one cell. */
  static PlanCost ofRuns(List<PlanCost> runs) {
    PlanCost any = runs.get(0);
    CellCost cost = CellCost.ofRuns(runs.stream().map(PlanCost::cost).toList());
    return new PlanCost(any.operation, any.policy, any.nodes, any.token, any.threads, cost);
  }

  String describe() {
    return "%s: %s at %d nodes%s, threads: %d"
        .formatted(
            policy,
            operation,
            nodes,
            operation.equals(PLAN) ? token ? " with token" : " without token" : "",
            threads);
  }
}
