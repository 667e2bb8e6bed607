/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.lab.cluster.LabNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Ends and starts one node after the other, as an operator does for a new version: SIGTERM, a start
 * on the same data, and the next one when the ring is whole. Closing waits for the node that is on
 * its way. If this process dies meanwhile, that node may stay dead.
 */
public final class RestartsInTurn {
  private static final Duration BETWEEN = Duration.ofMillis(500);

  private RestartsInTurn() {}

  /** Begins with that node, at once. */
  public static Fault start(List<LabNode> nodes, LabNode first) {
    return FaultThread.start("restarts", own -> goRound(own, nodes, nodes.indexOf(first)));
  }

  private static void goRound(FaultThread own, List<LabNode> nodes, int first)
      throws IOException, InterruptedException {
    int next = first;
    do {
      nodes.get(next++ % nodes.size()).restart();
    } while (!own.isClosedWithin(BETWEEN));
  }
}
