/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistanceEvaluator;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;

/** Lets a session ask the nodes that it was given, and none that it discovers. Thread-safe. */
public final class OnlyContactPoints implements NodeDistanceEvaluator {
  private final InternalDriverContext context;

  /** For the driver. */
  public OnlyContactPoints(DriverContext context, String profileName) {
    this.context = (InternalDriverContext) context;
  }

  @Override
  public NodeDistance evaluateDistance(Node node, String localDc) {
    return context.getMetadataManager().getContactPoints().stream()
            .anyMatch(contact -> contact.getEndPoint().equals(node.getEndPoint()))
        ? NodeDistance.LOCAL
        : NodeDistance.IGNORED;
  }
}
