/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.fault.StorageReads;
import io.curtail.simulator.Replay;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What storage with a plan served in a run, and the same run in the simulator.
 *
 * @param extraWork reads beyond one for each request, the warm-up's too, as a share of the requests
 * @param simulated null if the simulator has no such arm, trouble or requests
 * @param nodeCounts what all nodes counted in the run, the warm-up too, by name; zeros left out
 */
public record StorageRun(
    StorageReads served, double extraWork, Replay simulated, Map<String, Long> nodeCounts) {
  /** What was counted between two moments. */
  static Map<String, Long> counted(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> counted = new LinkedHashMap<>();
    after.forEach((name, count) -> counted.put(name, count - before.getOrDefault(name, 0L)));
    counted.values().removeIf(count -> count == 0);
    return counted;
  }
}
