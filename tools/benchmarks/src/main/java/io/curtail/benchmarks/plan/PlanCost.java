/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.plan;

import io.curtail.benchmarks.CellCost;

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

  String describe() {
    return "%s at %d nodes%s, threads: %d"
        .formatted(
            operation,
            nodes,
            operation.equals(PLAN) ? token ? " with token" : " without token" : "",
            threads);
  }
}
