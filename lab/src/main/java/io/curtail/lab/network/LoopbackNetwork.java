/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The loopback interface, which delays nothing: the clients' side of a connection does, as {@link
 * ZoneNetwork} says, and messages between nodes take no time.
 */
public final class LoopbackNetwork implements ZoneNetwork {
  private final Map<InetAddress, String> zoneOfNode;
  private final Map<InetAddress, Long> egressNanos = new ConcurrentHashMap<>();
  private volatile ZoneLatencies latencies = ZoneLatencies.NONE;

  public LoopbackNetwork(Map<InetAddress, String> zoneOfNode) {
    this.zoneOfNode = Map.copyOf(zoneOfNode);
  }

  @Override
  public void use(ZoneLatencies latencies) {
    this.latencies = latencies;
  }

  @Override
  public ZoneLatencies latencies() {
    return latencies;
  }

  @Override
  public void delayEgress(InetAddress node, Duration delay) {
    egressNanos.put(node, delay.toNanos());
  }

  @Override
  public long toNodeNanos(String clientZone, InetAddress node) {
    String zone = zoneOfNode.get(node);
    return zone == null ? 0 : latencies.oneWayNanos(clientZone, zone);
  }

  @Override
  public long toClientNanos(String clientZone, InetAddress node) {
    return toNodeNanos(clientZone, node) + egressNanos.getOrDefault(node, 0L);
  }
}
