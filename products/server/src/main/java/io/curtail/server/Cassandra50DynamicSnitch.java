/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Cassandra's dynamic snitch, which runs from when it is made, and can be stopped and started
 * again. Nobody can unsubscribe from latencies, and each subscription makes the call of all of them
 * one deeper: so there is one in a process, and what is stopped ignores them. Its timers go on: the
 * one of scores does nothing, the other forgets what was measured. Thread-safe.
 */
class Cassandra50DynamicSnitch extends DynamicEndpointSnitch {
  private final Set<InetAddressAndPort> measured = ConcurrentHashMap.newKeySet();
  private volatile boolean stopped;

  Cassandra50DynamicSnitch(IEndpointSnitch topology) {
    super(topology, "curtail");
  }

  /** From now on it measures nothing, and its order stays what it is. */
  final void stop() {
    stopped = true;
  }

  /** Goes on after it was stopped, by the intervals and the threshold that the node has now. */
  final void start() {
    applyConfigChanges();
    // It forgets by a timer of minutes only. But a sample outweighs all that are older by seconds,
    // and 0 ms are to its order what a replica is that it does not know.
    for (InetAddressAndPort replica : measured) {
      super.receiveTiming(replica, 0, TimeUnit.MILLISECONDS);
    }
    stopped = false;
  }

  @Override
  public final void receiveTiming(InetAddressAndPort host, long latency, TimeUnit unit) {
    Set<InetAddressAndPort> known = measured; // null while the constructor above still subscribes
    if (!stopped && known != null) {
      if (!known.contains(host)) {
        known.add(host);
      }
      super.receiveTiming(host, latency, unit);
    }
  }

  @Override
  public final void updateScores() {
    if (!stopped) {
      super.updateScores();
    }
  }
}
