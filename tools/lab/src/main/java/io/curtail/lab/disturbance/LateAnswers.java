/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.disturbance;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.Fault;
import io.curtail.lab.fault.SlowCoordinator;
import java.io.IOException;
import java.time.Duration;

/** A coordinator whose answers take longer, for the whole run with its warm-up. */
public record LateAnswers(Duration added) implements Disturbance {
  @Override
  public String label() {
    return "one node +" + added.toMillis() + " ms";
  }

  @Override
  public Fault begin(Cluster cluster, LabNode node) throws IOException {
    return SlowCoordinator.start(cluster, node, added);
  }
}
