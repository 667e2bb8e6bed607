/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.LoadSettings;
import io.curtail.selection.ReplicaLoad;
import io.curtail.selection.rate.RateControl;
import org.apache.cassandra.locator.InetAddressAndPort;

/** A replica as this coordinator sees it: who it is, and its load. Thread-safe. */
final class Peer extends ReplicaLoad {
  final InetAddressAndPort endpoint;

  /** Its address and port, for people. */
  final String name;

  /** Whether it is this node. */
  final boolean self;

  /** Null where nothing limits the rate: for this node, or with that control. */
  final RateControl rate;

  final PeerCounts counts = new PeerCounts();
  final PeerReads reads = new PeerReads(this);
  final Probing.Target probing;

  private volatile Proximity proximity;
  private volatile double score = Double.NaN;

  Peer(
      InetAddressAndPort endpoint,
      Proximity proximity,
      LoadSettings load,
      RateControl rate,
      long nowNanos) {
    super(load);
    this.endpoint = endpoint;
    name = endpoint.getHostAddressAndPort();
    this.self = proximity == Proximity.SELF;
    this.proximity = proximity;
    this.rate = rate;
    probing = new Probing.Target(nowNanos);
  }

  /** Returns whether it has not answered for so long, or never. */
  boolean isUnheardFor(long nanos, long nowNanos) {
    return !hasResponded() || responseAgeNanos(nowNanos) >= nanos;
  }

  Proximity proximity() {
    return proximity;
  }

  void proximity(Proximity value) {
    proximity = value;
  }

  /** In the last ranking it took part in; for people, not for ranking. */
  double score() {
    return score;
  }

  void score(double value) {
    score = value;
  }
}
