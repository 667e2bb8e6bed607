/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.disturbance;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.Fault;
import io.curtail.lab.fault.RestartsInTurn;

/** The nodes are started anew in turn, each as soon as the one before is back. */
public record RollingRestart() implements Disturbance {
  @Override
  public String label() {
    return "nodes started anew in turn";
  }

  @Override
  public boolean takesTurns() {
    return true;
  }

  @Override
  public Fault begin(Cluster cluster, LabNode first) {
    return RestartsInTurn.start(cluster.nodes(), first);
  }
}
