/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.experiment.Run;
import io.curtail.lab.load.LoadResult;
import java.util.Arrays;
import java.util.Collection;
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

  /** The share of these nodes in each second of a run; NaN in a second without answers. */
  static double[] overTime(LoadResult result, Collection<String> nodes) {
    double[] shares = new double[result.seconds().size()];
    for (int second = 0; second < shares.length; second++) {
      double all = 0;
      double theirs = 0;
      for (Map.Entry<String, int[]> node : result.requestsByNode().entrySet()) {
        all += node.getValue()[second];
        theirs += nodes.contains(node.getKey()) ? node.getValue()[second] : 0;
      }
      shares[second] = all == 0 ? Double.NaN : theirs / all;
    }
    return shares;
  }

  /** What the nodes that were not well answered, over all of the runs together. */
  static double ofDisturbed(List<Run> runs) {
    double disturbed = 0;
    double all = 0;
    for (Run run : runs) {
      Map<String, int[]> counts = run.result().requestsByNode();
      for (Map.Entry<String, int[]> node : counts.entrySet()) {
        long answered = sum(node.getValue());
        all += answered;
        disturbed += run.nodes().contains(node.getKey()) ? answered : 0;
      }
    }
    return disturbed / all;
  }

  private static long sum(int[] seconds) {
    return Arrays.stream(seconds).asLongStream().sum();
  }
}
