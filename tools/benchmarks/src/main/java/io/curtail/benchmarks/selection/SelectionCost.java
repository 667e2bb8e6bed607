/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.selection;

import io.curtail.benchmarks.CellCost;

/**
 * What one operation costs.
 *
 * @param operation {@code sort}, {@code rank} or {@code record}
 * @param policy the name of the policy; of no meaning for {@code sort}
 */
public record SelectionCost(String operation, String policy, CellCost cost) {
  /** A plain sort of three doubles. */
  public static final String SORT = "sort";

  /** Of three replicas. */
  public static final String RANK = "rank";

  /** A read sent, and its response. */
  public static final String RECORD = "record";
}
