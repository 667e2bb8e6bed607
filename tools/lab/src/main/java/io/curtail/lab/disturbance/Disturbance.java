/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.disturbance;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A fault on one or more nodes during a run, and when. */
public interface Disturbance {
  /** Seconds from the beginning of the counted part. */
  record Span(double fromSeconds, double toSeconds) {}

  /** In the words of a figure's label, such as "paused". */
  String label();

  /** When the fault begins, in seconds as above; before the warm-up unless it says otherwise. */
  default double beginSeconds() {
    return Double.NEGATIVE_INFINITY;
  }

  /**
   * What of a run is before the fault, if that is long enough to tell how it is when all is well;
   * else that takes a run of its own.
   */
  default Optional<Span> healthySpan() {
    return Optional.empty();
  }

  /** When the node is not well, in a run of this length; throughout unless it says otherwise. */
  default List<Span> spans(Duration length) {
    return List.of(new Span(0, length.toMillis() / 1e3));
  }

  /** The nodes that are not well if it begins with this one; none if they take turns. */
  default List<LabNode> nodes(Cluster cluster, LabNode first) {
    return takesTurns() ? List.of() : List.of(first);
  }

  /** Whether the nodes take turns, so that nobody can say which one is not well. */
  default boolean takesTurns() {
    return false;
  }

  /**
   * The same in the simulator, as changes to its scenario, to the end of the run; null if it does
   * not know such a thing.
   *
   * @param nodes of the cluster
   * @param countFrom when the counted part begins, from the start of the run
   */
  default Map<String, Object> simulated(int nodes, Duration countFrom) {
    return null;
  }

  /** Goes on until it is closed. */
  Fault begin(Cluster cluster, LabNode first) throws IOException;
}
