/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import io.curtail.lab.load.LoadResult;
import java.util.List;

/**
 * One arm measured once.
 *
 * @param block the number of the block, from 1
 * @param order the place in the block, from 1
 * @param disturbed false for the healthy run that thresholds come from
 * @param node the node that was disturbed, or null
 * @param violations why it is discarded, empty if it counts
 */
record Run(
    Condition condition,
    String arm,
    int block,
    int order,
    boolean disturbed,
    String node,
    long seed,
    LoadResult result,
    RunQuality quality,
    List<String> violations) {

  boolean counts() {
    return violations.isEmpty();
  }
}
