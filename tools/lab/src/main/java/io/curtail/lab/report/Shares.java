/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.experiment.ArmRun;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How something was divided among the nodes. */
enum Shares {
  /** The requests that were answered, among their coordinators. */
  COORDINATED(
      run ->
          run.result().requestsByNode().entrySet().stream()
              .collect(
                  Collectors.toMap(
                      Map.Entry::getKey,
                      node -> Arrays.stream(node.getValue()).asDoubleStream().toArray()))),
  /** The reads of storage, whoever coordinated them. */
  READ(run -> run.reads().perSecond());

  @SuppressWarnings("ImmutableEnumChecker") // a function of its argument alone
  private final Function<ArmRun, Map<String, double[]>> perSecond;

  Shares(Function<ArmRun, Map<String, double[]>> perSecond) {
    this.perSecond = perSecond;
  }

  /** By address, summing to 1 over all of the runs. */
  Map<String, Double> of(List<ArmRun> runs) {
    Map<String, Double> shares = new TreeMap<>();
    for (ArmRun run : runs) {
      perSecond
          .apply(run)
          .forEach((node, counts) -> shares.merge(node, Arrays.stream(counts).sum(), Double::sum));
    }
    double all = shares.values().stream().mapToDouble(Double::doubleValue).sum();
    shares.replaceAll((node, count) -> count / all);
    return shares;
  }

  /** The share of the nodes that were not well, over all of the runs together. */
  double ofDisturbed(List<ArmRun> runs) {
    double disturbed = 0;
    double all = 0;
    for (ArmRun run : runs) {
      for (Map.Entry<String, double[]> node : perSecond.apply(run).entrySet()) {
        double count = Arrays.stream(node.getValue()).sum();
        all += count;
        disturbed += run.nodes().contains(node.getKey()) ? count : 0;
      }
    }
    return disturbed / all;
  }

  /** The share of these nodes in each second of a run; NaN in a second that has none. */
  double[] overTime(ArmRun run, Collection<String> nodes) {
    Map<String, double[]> counts = perSecond.apply(run);
    double[] shares = new double[run.result().seconds().size()];
    for (int second = 0; second < shares.length; second++) {
      double all = 0;
      double theirs = 0;
      for (Map.Entry<String, double[]> node : counts.entrySet()) {
        all += node.getValue()[second];
        theirs += nodes.contains(node.getKey()) ? node.getValue()[second] : 0;
      }
      shares[second] = theirs / all;
    }
    return shares;
  }
}
