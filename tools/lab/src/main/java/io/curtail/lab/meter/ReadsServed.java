/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import java.util.Map;

/**
 * How many reads the storage of each node served in each second of a run, copies for digests and
 * probes included. Immutable.
 *
 * @param perSecond by the node's address
 */
public record ReadsServed(Map<String, double[]> perSecond) {

  /** In each second, what the node served that served most. */
  public double[] busiestNode() {
    double[] busiest = new double[seconds()];
    for (double[] reads : perSecond.values()) {
      for (int second = 0; second < busiest.length; second++) {
        busiest[second] = Math.max(busiest[second], reads[second]);
      }
    }
    return busiest;
  }

  /** How many seconds were followed. */
  public int seconds() {
    return perSecond.values().stream().mapToInt(reads -> reads.length).max().orElse(0);
  }
}
