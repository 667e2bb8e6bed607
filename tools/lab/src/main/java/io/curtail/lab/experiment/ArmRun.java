/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.load.LoadResult;
import io.curtail.lab.meter.ReadsServed;
import io.curtail.lab.meter.RunCost;
import java.util.List;

/**
 * One arm measured once.
 *
 * @param block the number of the block, from 1
 * @param order the place in the block, from 1
 * @param disturbed false for the healthy run that thresholds come from
 * @param nodes the addresses of those that were not well
 * @param nodeCpuMillis processor time of all nodes a request
 * @param messages between nodes a request; NaN if a node does not say
 * @param cost of the arm's node, null if it is not followed
 * @param storage what it served by its plan and what the simulator says, null without a plan
 * @param violations why it is discarded, empty if it counts
 */
public record ArmRun(
    Condition condition,
    String arm,
    int block,
    int order,
    boolean disturbed,
    List<String> nodes,
    long seed,
    LoadResult result,
    ReadsServed reads,
    double nodeCpuMillis,
    double messages,
    RunCost cost,
    RunQuality quality,
    List<String> violations,
    StorageRun storage) {

  public boolean counts() {
    return violations.isEmpty();
  }
}
