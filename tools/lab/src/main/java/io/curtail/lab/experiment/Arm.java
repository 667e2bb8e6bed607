/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.load.ZoneClient;
import io.curtail.lab.meter.NodeCost;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * One side of a comparison. What differs may be the clients' policy, a mode of the servers that
 * {@link #activate()} switches, or the cluster.
 */
public interface Arm {

  /** As the report names it. */
  String name();

  /** Where it is measured; arms may share one. */
  Testbed testbed();

  /** One for each zone that has clients. */
  List<ZoneClient> clients();

  /** The arm in the simulator; null if it has no such arm. */
  default SimulatedArm simulated() {
    return null;
  }

  /** Makes the arm the one that is measured next; returns when it is in force. */
  default void activate() {}

  /**
   * What its nodes counted since they started, in all, by name; what is not counted is left out.
   */
  default Map<String, Long> counts() throws IOException {
    return Map.of();
  }

  /** Waits until the nodes have done what writes left them to do. */
  default void settle() throws IOException, InterruptedException {}

  /** Follows what each of the arm's nodes uses; empty if its costs are not followed. */
  default List<NodeCost.Meter> startCostMeters() throws IOException {
    return List.of();
  }

  /** Of the table's data files, logs aside, if it is known. */
  default OptionalLong diskBytes() throws IOException {
    return OptionalLong.empty();
  }
}
