/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.experiment.Run;
import io.curtail.lab.meter.ReadsServed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How the reads of storage were divided among the nodes. */
final class ReadShares {
  private ReadShares() {}

  /** Each node's share of all reads of these runs; they sum to 1. */
  static Map<String, Double> of(List<Run> runs) {
    Map<String, Double> shares = new TreeMap<>();
    for (Run run : runs) {
      run.reads()
          .perSecond()
          .forEach((node, reads) -> shares.merge(node, Arrays.stream(reads).sum(), Double::sum));
    }
    double all = shares.values().stream().mapToDouble(Double::doubleValue).sum();
    shares.replaceAll((node, reads) -> reads / all);
    return shares;
  }

  /** The share of the nodes that were not well, over all of the runs together. */
  static double ofDisturbed(List<Run> runs) {
    double disturbed = 0;
    double all = 0;
    for (Run run : runs) {
      for (Map.Entry<String, double[]> node : run.reads().perSecond().entrySet()) {
        double reads = Arrays.stream(node.getValue()).sum();
        all += reads;
        disturbed += run.nodes().contains(node.getKey()) ? reads : 0;
      }
    }
    return disturbed / all;
  }

  /** The same in each second of one run. */
  static double[] ofDisturbedOverTime(Run run) {
    ReadsServed reads = run.reads();
    double[] shares = new double[reads.seconds()];
    for (int second = 0; second < shares.length; second++) {
      double disturbed = 0;
      double all = 0;
      for (Map.Entry<String, double[]> node : reads.perSecond().entrySet()) {
        all += node.getValue()[second];
        disturbed += run.nodes().contains(node.getKey()) ? node.getValue()[second] : 0;
      }
      shares[second] = disturbed / all;
    }
    return shares;
  }

  /** The mean over all seconds of these runs of what the busiest node served in a second. */
  static double busiestNodeMean(List<Run> runs) {
    return runs.stream()
        .flatMapToDouble(run -> Arrays.stream(run.reads().busiestNode()))
        .average()
        .orElse(0);
  }
}
