/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.hedging.CopyTries;
import io.curtail.selection.passing.Route;

/** One read, from its arrival at a client to its last answer. */
final class Read {
  final long number;
  final Client client;
  final int group;
  final double size;
  final long arrivedNanos;
  final int[] replicas;

  /** When its coordinator had a thread for it. */
  long begunNanos;

  /** The copies sent, in the order of sending. */
  Copy first;

  int copies;
  int answers;
  int needed;
  int started;
  boolean broadcast;
  boolean done;

  /** It took longer than its client waits before it sends a second copy. */
  boolean slow;

  /** It went where it went to learn how that is. */
  boolean isProbe;

  /** Its copy by the driver; null if there is none. */
  DriverCopies.Sent sent;

  /** Second copies that were due, dropped ones included. */
  final CopyTries copyTries;

  long hedgeWorkNanos;

  Read(long number, Client client, int group, double size, long arrivedNanos, int[] replicas) {
    this.number = number;
    this.client = client;
    this.group = group;
    this.size = size;
    this.arrivedNanos = arrivedNanos;
    this.replicas = replicas;
    this.copyTries = new CopyTries(replicas.length);
  }

  void add(Copy copy) {
    copy.nextOfRead = first;
    first = copy;
    copies++;
  }

  /** Returns the copy that was sent first. */
  Copy oldest() {
    Copy oldest = first;
    while (oldest.nextOfRead != null) {
      oldest = oldest.nextOfRead;
    }
    return oldest;
  }

  /** Returns the server's place in the route. */
  int place(Server server, Route route) {
    for (int i = 0; i < route.size(); i++) {
      if (route.replica(i) == server) {
        return i;
      }
    }
    throw new IllegalArgumentException("server " + server.number + " is not on the route");
  }

  /** Returns whether a copy is still on its way or at a server. */
  boolean isOwedAnAnswer() {
    for (Copy copy = first; copy != null; copy = copy.nextOfRead) {
      if (!copy.settled) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the server has, or had, a copy that it neither returned nor dropped. */
  boolean sentTo(int server) {
    for (Copy copy = first; copy != null; copy = copy.nextOfRead) {
      if (copy.server.number == server && copy.state != Copy.State.DROPPED) {
        return true;
      }
    }
    return false;
  }
}
