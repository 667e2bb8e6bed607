/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Arrays;

/**
 * What a thread remembers of the CQL request it works on, from putting replicas in order until the
 * reads are sent: a query of many keys orders the replicas of all of them before it sends the
 * first, and must not send all to the same one. Used by one thread.
 */
final class RequestMemory {
  private static final int MAX_READS = 64;

  private Object request;
  private final Peer[] picks = new Peer[MAX_READS];
  private int pickCount;
  private final Peer[] permits = new Peer[MAX_READS];
  private int permitCount;
  private long heldNanos;
  private Peer silent;

  /**
   * A read is about to be ordered.
   *
   * @param current the same object throughout a request; null outside one
   */
  void enter(Object current) {
    silent = null;
    if (current != request || current == null) {
      request = current;
      heldNanos = 0;
      onSending();
      giveBackPermits();
    }
  }

  /** Whether the reads being ordered belong to a CQL request. */
  boolean inRequest() {
    return request != null;
  }

  /** The read that was just ordered will go to this replica first. */
  void pick(Peer peer) {
    if (request != null && pickCount < MAX_READS) {
      picks[pickCount++] = peer;
    }
  }

  /** Lets what was picked and is not sent yet count as outstanding, for a ranking. */
  void countPicks() {
    for (int i = 0; i < pickCount; i++) {
      picks[i].onSent();
    }
  }

  /** Ends {@link #countPicks()}. */
  void uncountPicks() {
    for (int i = 0; i < pickCount; i++) {
      picks[i].onAbandoned();
    }
  }

  /** What was picked is being sent: from here on it is outstanding. */
  void onSending() {
    if (pickCount > 0) {
      Arrays.fill(picks, 0, pickCount, null);
      pickCount = 0;
    }
  }

  /** This thread took a permit of the replica's rate, for the read just ordered. */
  void holdPermit(Peer peer) {
    if (peer == null || peer.rate == null) {
      return;
    }
    if (permitCount == MAX_READS) {
      peer.rate.onAbandoned();
    } else {
      permits[permitCount++] = peer;
    }
  }

  /** Returns whether this thread holds a permit of the replica, and uses it. */
  boolean usePermit(Peer peer) {
    for (int i = 0; i < permitCount; i++) {
      if (permits[i] == peer) {
        permits[i] = permits[--permitCount];
        permits[permitCount] = null;
        return true;
      }
    }
    return false;
  }

  private void giveBackPermits() {
    while (permitCount > 0) {
      permits[--permitCount].rate.onAbandoned();
      permits[permitCount] = null;
    }
  }

  /** How long the request has waited for replicas. */
  long heldNanos() {
    return heldNanos;
  }

  void addHeld(long nanos) {
    heldNanos += nanos;
  }

  /** A replica of the read just ordered has been silent for too long. */
  void silent(Peer peer) {
    silent = peer;
  }

  /** Returns the replica to send a copy of the read to; null if none. */
  Peer takeSilent() {
    Peer taken = silent;
    silent = null;
    return taken;
  }
}
