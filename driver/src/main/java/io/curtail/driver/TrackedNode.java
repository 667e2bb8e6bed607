/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the policy knows of one live node of the local data centre. A node that goes down and comes
 * back gets a new one, with nothing held against it but its ramp.
 */
final class TrackedNode {
  final Node node;

  /** True also when no local rack is set. */
  final boolean inLocalRack;

  final NodeHealth health = new NodeHealth();
  final StartingRamp ramp;
  final DriverInternals.InFlight inFlight;

  /** How often the node came first in a plan; counted only when metrics are on. */
  final LongAdder firstChoices = new LongAdder();

  TrackedNode(Node node, boolean inLocalRack, StartingRamp ramp) {
    this.node = node;
    this.inLocalRack = inLocalRack;
    this.ramp = ramp;
    this.inFlight = new DriverInternals.InFlight(node);
  }

  /** For metrics: by the in-flight requests of the pool that was looked at last. */
  boolean isUnhealthy(long now) {
    int current = inFlight.last();
    return health.mayBeUnhealthy(current) && health.isUnhealthy(current, now);
  }
}
