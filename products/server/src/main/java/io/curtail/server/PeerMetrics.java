/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Gauges of each peer; they come and go with the peers. Used by one thread. */
final class PeerMetrics {
  private static final String OUTSTANDING = "Outstanding";
  private static final String RESPONSE_TIME = "ResponseTimeMicros";
  private static final String SERVICE_TIME = "ServiceTimeMicros";

  private final Map<InetAddressAndPort, Peer> registered = new HashMap<>();

  void follow(Peers peers) {
    Iterator<Peer> each = registered.values().iterator();
    while (each.hasNext()) {
      Peer peer = each.next();
      if (peers.get(peer.endpoint) != peer) {
        remove(peer.endpoint);
        each.remove();
      }
    }
    for (Peer peer : peers.all()) {
      if (registered.putIfAbsent(peer.endpoint, peer) == null) {
        register(peer);
      }
    }
  }

  private static void register(Peer peer) {
    Cassandra50.registerGauge(OUTSTANDING, peer.endpoint, peer::outstanding);
    Cassandra50.registerGauge(
        RESPONSE_TIME, peer.endpoint, () -> peer.point.responseTimeNanos() / 1000);
    Cassandra50.registerGauge(
        SERVICE_TIME, peer.endpoint, () -> peer.point.serviceTimeNanos() / 1000);
  }

  private static void remove(InetAddressAndPort endpoint) {
    Cassandra50.removeGauge(OUTSTANDING, endpoint);
    Cassandra50.removeGauge(RESPONSE_TIME, endpoint);
    Cassandra50.removeGauge(SERVICE_TIME, endpoint);
  }
}
