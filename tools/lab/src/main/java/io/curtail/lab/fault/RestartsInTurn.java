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
public final class RestartsInTurn implements Fault {
  private static final Duration BETWEEN = Duration.ofMillis(500);

  private final List<LabNode> nodes;
  private final LabNode first;
  private final FaultThread thread;

  private RestartsInTurn(List<LabNode> nodes, LabNode first) {
    this.nodes = List.copyOf(nodes);
    this.first = first;
    thread = FaultThread.start("restarts", this::goRound);
  }

  /** Begins with that node, at once. */
  public static RestartsInTurn start(List<LabNode> nodes, LabNode first) {
    return new RestartsInTurn(nodes, first);
  }

  private void goRound(FaultThread own) throws IOException, InterruptedException {
    int next = nodes.indexOf(first);
    do {
      nodes.get(next++ % nodes.size()).restart();
    } while (!own.isClosedWithin(BETWEEN));
  }

  @Override
  public void close() throws IOException {
    thread.close();
    thread.throwFailure();
  }
}
