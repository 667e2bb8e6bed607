/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
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

  public LoopbackNetwork(AddressBlock addresses, int nodes, int zones) {
    Map<InetAddress, String> zoneOfNode = new HashMap<>();
    for (int index = 1; index <= nodes; index++) {
      zoneOfNode.put(
          AddressBlock.parse(addresses.node(index, zones)),
          ZoneLatencies.zone(AddressBlock.zoneOf(index, zones)));
    }
    this.zoneOfNode = Map.copyOf(zoneOfNode);
  }

  @Override
  public void use(ZoneLatencies latencies) {
    this.latencies = latencies;
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

  @Override
  public List<String> commandPrefix(int nodeIndex) {
    return List.of();
  }

  @Override
  public void destroy() {}
}
