/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

/** Where a read that was just ordered may go, until it is sent. Used by one thread. */
final class PassingPlan {
  /** Of its partition. */
  final Object token;

  /** The live replicas of this data centre as they were ordered; the first gets the message. */
  final Peer[] order;

  /** What this node expected of itself when it sent the read away; negative if it did not. */
  final double ownExpectedNanos;

  /** Whether this node serves it first, though Cassandra sends it to the first in order. */
  final boolean startsHere;

  /** Where the read goes, if its choice was sampled; else null. Of the request's thread. */
  Journey journey;

  PassingPlan(Object token, Peer[] order, double ownExpectedNanos, boolean startsHere) {
    this.token = token;
    this.order = order;
    this.ownExpectedNanos = ownExpectedNanos;
    this.startsHere = startsHere;
  }
}
