/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import io.curtail.lab.load.LoadResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How requests were divided among the coordinators. */
final class Shares {
  private Shares() {}

  /** By address, summing to 1 over the requests that were answered. */
  static Map<String, Double> of(List<LoadResult> results) {
    Map<String, Double> counts = new TreeMap<>();
    for (LoadResult result : results) {
      result
          .requestsByNode()
          .forEach((node, seconds) -> counts.merge(node, (double) sum(seconds), Double::sum));
    }
    double all = counts.values().stream().mapToDouble(Double::doubleValue).sum();
    counts.replaceAll((node, count) -> count / all);
    return counts;
  }

  /** The share of one node in each second of a run; NaN in a second without answers. */
  static double[] overTime(LoadResult result, String node) {
    int[] counts = result.requestsByNode().getOrDefault(node, new int[result.seconds().size()]);
    double[] shares = new double[counts.length];
    for (int second = 0; second < shares.length; second++) {
      int at = second;
      double all = result.requestsByNode().values().stream().mapToInt(each -> each[at]).sum();
      shares[second] = all == 0 ? Double.NaN : counts[second] / all;
    }
    return shares;
  }

  /** What the node that was not well answered, over all of the runs together. */
  static double ofDisturbedNode(List<Run> runs) {
    double disturbed = 0;
    double all = 0;
    for (Run run : runs) {
      Map<String, int[]> counts = run.result().requestsByNode();
      disturbed += sum(counts.getOrDefault(run.node(), new int[0]));
      all += counts.values().stream().mapToLong(Shares::sum).sum();
    }
    return disturbed / all;
  }

  private static long sum(int[] seconds) {
    return Arrays.stream(seconds).asLongStream().sum();
  }
}
