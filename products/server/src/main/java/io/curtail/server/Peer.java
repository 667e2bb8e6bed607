/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.LoadSettings;
import io.curtail.selection.rate.RateControl;
import org.apache.cassandra.locator.InetAddressAndPort;

/** A replica as this coordinator sees it: who it is, and its load. Thread-safe. */
final class Peer {
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

  /** Its load as reads of single partitions see it. */
  final PeerLoad point;

  /** Whether its latest answer said that it takes reads that can be passed on. */
  volatile boolean takesCarriedReads;

  private final LoadSettings loadSettings;
  private volatile PeerLoad range;
  private volatile Proximity proximity;
  private volatile double score = Double.NaN;

  Peer(
      InetAddressAndPort endpoint,
      Proximity proximity,
      LoadSettings load,
      RateControl rate,
      long nowNanos) {
    loadSettings = load;
    point = new PeerLoad(this, load);
    range = new PeerLoad(point, load);
    this.endpoint = endpoint;
    name = endpoint.getHostAddressAndPort();
    this.self = proximity == Proximity.SELF;
    this.proximity = proximity;
    this.rate = rate;
    probing = new Probing.Target(nowNanos);
  }

  PeerLoad load(ReadKind kind) {
    return kind == ReadKind.POINT ? point : range;
  }

  /** Returns the reads of both kinds that it has not answered. */
  int outstanding() {
    return point.outstanding();
  }

  /** Returns whether it has not answered a read of any kind for so long, or never. */
  boolean isUnheardFor(long nanos, long nowNanos) {
    return point.isUnheardFor(nanos, nowNanos) && range.isUnheardFor(nanos, nowNanos);
  }

  /** Starts anew with range reads if none was answered for so long: nothing probes for them. */
  void forgetRangeReads(long nanos, long nowNanos) {
    if (range.hasResponded() && range.isUnheardFor(nanos, nowNanos)) {
      range = new PeerLoad(point, loadSettings);
    }
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
