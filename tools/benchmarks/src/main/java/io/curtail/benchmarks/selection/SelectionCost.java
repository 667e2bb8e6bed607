/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.selection;

/**
 * What one operation costs.
 *
 * @param operation {@code sort}, {@code rank} or {@code record}
 * @param policy the name of the policy; of no meaning for {@code sort}
 * @param cpuNanos processor time, the median over iterations
 * @param cpuNanosLowest the lowest iteration
 * @param cpuNanosHighest the highest iteration
 * @param bytes allocated
 */
public record SelectionCost(
    String operation,
    String policy,
    double cpuNanos,
    double cpuNanosLowest,
    double cpuNanosHighest,
    double bytes) {}
