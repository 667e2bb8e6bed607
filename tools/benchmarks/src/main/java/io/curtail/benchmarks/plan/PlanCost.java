/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.plan;

/**
 * What one operation of a policy costs.
 *
 * @param operation {@code plan} or {@code response}
 * @param policy the name of the policy
 * @param nodes in the local data centre
 * @param token whether the request has a routing key
 * @param threads that do it at the same time
 * @param cpuNanos processor time of one thread, the median over iterations
 * @param cpuNanosLowest the lowest iteration
 * @param cpuNanosHighest the highest iteration
 * @param bytes allocated
 */
public record PlanCost(
    String operation,
    String policy,
    int nodes,
    boolean token,
    int threads,
    double cpuNanos,
    double cpuNanosLowest,
    double cpuNanosHighest,
    double bytes) {}
