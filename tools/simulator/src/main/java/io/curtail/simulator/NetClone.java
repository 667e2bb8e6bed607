/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.Candidates;

/**
 * NetClone: of two replicas drawn at random the first gets the read; if no reads waited at either
 * when it last answered anyone, the second gets a clone, which it drops if reads wait by then. With
 * the rule of RackSched, a read that is not cloned goes to the one of the two where fewer waited.
 *
 * <p>A switch between all clients and servers does so, and knows what any answer said: {@link
 * Network#lastReported}.
 *
 * <p><b>A reconstruction</b> from the author's code, github.com/GyuyeongKim/NetClone-public
 * (netclone.p4, server.c), without the paper: Kim, "NetClone: Fast, Scalable, and Dynamic Request
 * Cloning for Microsecond-Scale RPCs", SIGCOMM 2023. The two are replicas here, not any servers.
 */
final class NetClone implements ExtraCopies {
  private final Network network;
  private final Client client;
  private final boolean shorterQueue;

  NetClone(Simulation simulation, Client client, boolean shorterQueue) {
    this.network = simulation.network;
    this.client = client;
    this.shorterQueue = shorterQueue;
  }

  @Override
  public void onRanked(Candidates candidates) {
    if (shorterQueue && candidates.size() > 1 && waiting(1) < waiting(0)) {
      candidates.moveUp(1, 0);
    }
  }

  @Override
  public void onSent(Read read) {
    if (client.replica(read.needed) != null && waiting(0) == 0 && waiting(read.needed) == 0) {
      client.sendUncounted(read, client.replica(read.needed)).ifBusy =
          Copy.IfBusy.DROPPED_BEHIND_OTHERS;
    }
  }

  private int waiting(int place) {
    return network.lastReported(client.replica(place));
  }
}
