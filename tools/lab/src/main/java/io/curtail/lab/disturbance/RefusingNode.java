/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.disturbance;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.Fault;
import io.curtail.lab.fault.RefusedRequests;
import java.io.IOException;

/** A node that answers nearly every request with an error, at once. */
public record RefusingNode() implements Disturbance {
  @Override
  public String label() {
    return "one node refuses requests";
  }

  @Override
  public Fault begin(Cluster cluster, LabNode node) throws IOException {
    return RefusedRequests.start(node);
  }
}
