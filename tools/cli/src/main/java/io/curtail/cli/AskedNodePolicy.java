/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistanceEvaluator;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.loadbalancing.BasicLoadBalancingPolicy;
import io.curtail.lab.load.OnlyContactPoints;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Asks the node that the user named, whatever its data centre, and no other. Thread-safe. */
public final class AskedNodePolicy extends BasicLoadBalancingPolicy {
  private final NodeDistanceEvaluator contactPoints;

  /** For the driver. */
  public AskedNodePolicy(DriverContext context, String profileName) {
    super(context, profileName);
    contactPoints = new OnlyContactPoints(context, profileName);
  }

  @Override
  protected Optional<String> discoverLocalDc(Map<UUID, Node> nodes) {
    return Optional.empty();
  }

  @Override
  protected NodeDistanceEvaluator createNodeDistanceEvaluator(
      String localDc, Map<UUID, Node> nodes) {
    return contactPoints;
  }
}
