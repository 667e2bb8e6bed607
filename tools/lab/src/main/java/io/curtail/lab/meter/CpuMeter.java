/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import java.lang.management.ManagementFactory;

/**
 * Tells how much of the processors that the lab may run on went to others than the lab and its
 * generator.
 */
public final class CpuMeter {
  private final AllowedProcessors processors = AllowedProcessors.ofThisProcess();
  private final Cluster cluster;
  private final HotProcessors hot;
  private final long startNanos = System.nanoTime();
  private final double busyAtStart = processors.busyNanos();
  private final double ownAtStart;

  public CpuMeter(Cluster cluster, HotProcessors hot) {
    this.cluster = cluster;
    this.hot = hot;
    ownAtStart = ownNanos();
  }

  /** Since the meter was made, between 0 and 1; time stolen by the hypervisor counts too. */
  public double foreignShare() {
    double foreign = processors.busyNanos() - busyAtStart - (ownNanos() - ownAtStart);
    double capacity = (System.nanoTime() - startNanos) * (double) processors.count();
    return Math.max(0, foreign / capacity);
  }

  private double ownNanos() {
    double own =
        ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime();
    own += hot.cpuNanos();
    return own + nodeNanos(cluster);
  }

  /** What all nodes have used since they started. */
  public static double nodeNanos(Cluster cluster) {
    double nodes = 0;
    for (LabNode node : cluster.nodes()) {
      nodes += node.cpuNanos();
    }
    return nodes;
  }
}
