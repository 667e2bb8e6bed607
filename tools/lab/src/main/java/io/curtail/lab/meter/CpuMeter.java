/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells how much of the machine's processors went to others than the lab and its generator. */
public final class CpuMeter {
  // Linux counts /proc/stat in hundredths of a second on every architecture.
  private static final double NANOS_PER_TICK = 1e7;
  private static final int IDLE = 4;
  private static final int IO_WAIT = 5;
  private static final int GUEST = 9;

  private final Cluster cluster;
  private final HotProcessors hot;
  private final long startNanos = System.nanoTime();
  private final double busyAtStart = busyNanos();
  private final double ownAtStart;

  public CpuMeter(Cluster cluster, HotProcessors hot) {
    this.cluster = cluster;
    this.hot = hot;
    ownAtStart = ownNanos();
  }

  /** Since the meter was made, between 0 and 1; time stolen by the hypervisor counts too. */
  public double foreignShare() {
    double foreign = busyNanos() - busyAtStart - (ownNanos() - ownAtStart);
    double capacity =
        (System.nanoTime() - startNanos) * (double) Runtime.getRuntime().availableProcessors();
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

  private static double busyNanos() {
    try {
      String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +", -1);
      double ticks = 0;
      for (int i = 1; i < Math.min(fields.length, GUEST); i++) {
        ticks += i == IDLE || i == IO_WAIT ? 0 : Long.parseLong(fields[i]);
      }
      return ticks * NANOS_PER_TICK;
    } catch (IOException e) {
      throw new IllegalStateException("cannot read /proc/stat: " + e.getMessage(), e);
    }
  }
}
