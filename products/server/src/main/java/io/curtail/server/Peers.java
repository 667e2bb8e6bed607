/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.LoadSettings;
import io.curtail.selection.rate.RateControl;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.apache.cassandra.locator.InetAddressAndPort;

/** What is known of every replica this coordinator uses. As many as peers; thread-safe. */
final class Peers {
  private final ConcurrentHashMap<InetAddressAndPort, Peer> peers = new ConcurrentHashMap<>();
  private final Host host;
  private final LoadSettings load;
  private final LongFunction<RateControl> rates;

  /**
   * @param rates makes what limits the rate to a peer, given the time now, or null
   */
  Peers(Host host, LoadSettings load, LongFunction<RateControl> rates) {
    this.host = host;
    this.load = load.withFailureMemory(LoadSettings.COORDINATOR_FAILURE_MEMORY_NANOS);
    this.rates = rates;
  }

  /** Returns the peer; makes it on first use. */
  Peer of(InetAddressAndPort endpoint) {
    Peer peer = peers.get(endpoint);
    return peer != null ? peer : peers.computeIfAbsent(endpoint, this::create);
  }

  private Peer create(InetAddressAndPort endpoint) {
    long now = host.nanoTime();
    Proximity proximity = host.proximity(endpoint);
    RateControl rate = proximity == Proximity.SELF ? null : rates.apply(now);
    return new Peer(endpoint, proximity, load, rate, now);
  }

  /** Returns the peer, or null if no read was ever ranked with it or sent to it. */
  Peer get(InetAddressAndPort endpoint) {
    return peers.get(endpoint);
  }

  void remove(InetAddressAndPort endpoint) {
    peers.remove(endpoint);
  }

  Collection<Peer> all() {
    return peers.values();
  }
}
