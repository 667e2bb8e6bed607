/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many reads the storage of each node served in each second of a run, copies for digests and
 * probes included. Immutable.
 *
 * @param perSecond by the node's address
 */
record ReadsServed(Map<String, double[]> perSecond) {

  /** Each node's share of all reads of these runs; they sum to 1. */
  static Map<String, Double> shares(List<Run> runs) {
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
  static double shareOfDisturbed(List<Run> runs) {
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
  static double[] shareOfDisturbedOverTime(Run run) {
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

  /** In each second, what the node served that served most. */
  double[] busiestNode() {
    double[] busiest = new double[seconds()];
    for (double[] reads : perSecond.values()) {
      for (int second = 0; second < busiest.length; second++) {
        busiest[second] = Math.max(busiest[second], reads[second]);
      }
    }
    return busiest;
  }

  private int seconds() {
    return perSecond.values().stream().mapToInt(reads -> reads.length).max().orElse(0);
  }
}
