/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.net.InetSocketAddress;
import java.util.Set;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;

/**
 * What {@code cassandra.yaml} names: {@code endpoint_snitch: io.curtail.server.CurtailSnitch}, with
 * {@code dynamic_snitch: false}. Data centres and racks are those of {@code delegate_snitch} in
 * {@code curtail.properties}; only the order of replicas is Curtail's. Thread-safe.
 */
public final class CurtailSnitch implements IEndpointSnitch {
  private final Plugin plugin;
  private final IEndpointSnitch topology;

  /**
   * Called by Cassandra.
   *
   * @throws org.apache.cassandra.exceptions.ConfigurationException if the settings cannot be used,
   *     or, on a node that already runs, would move a node to another data centre or rack
   */
  public CurtailSnitch() {
    plugin = Plugin.instance();
    topology = plugin.topology();
    if (Cassandra50.isExchange()) {
      TopologyCheck.require(topology, Cassandra50.rememberedTopology());
      plugin.install();
    }
  }

  @Override
  public void gossiperStarting() {
    topology.gossiperStarting();
    if (!plugin.isInstalled()) { // else gossip was switched off and on
      TopologyCheck.require(topology, Cassandra50.rememberedTopology());
      plugin.install();
    }
  }

  @Override
  public <C extends ReplicaCollection<? extends C>> C sortedByProximity(
      InetAddressAndPort address, C replicas) {
    return plugin.planner().sorted(address, replicas);
  }

  @Override
  public boolean isWorthMergingForRangeQuery(
      ReplicaCollection<?> merged, ReplicaCollection<?> left, ReplicaCollection<?> right) {
    return plugin.planner().isWorthMerging(merged, left, right);
  }

  @Override
  public int compareEndpoints(InetAddressAndPort target, Replica left, Replica right) {
    return topology.compareEndpoints(target, left, right);
  }

  @Override
  public String getRack(InetAddressAndPort endpoint) {
    return topology.getRack(endpoint);
  }

  @Override
  public String getLocalRack() {
    return topology.getLocalRack();
  }

  @Override
  public String getDatacenter(InetAddressAndPort endpoint) {
    return topology.getDatacenter(endpoint);
  }

  @Override
  public String getLocalDatacenter() {
    return topology.getLocalDatacenter();
  }

  @Override
  public String getDatacenter(InetSocketAddress endpoint) {
    return topology.getDatacenter(endpoint);
  }

  @Override
  public String getDatacenter(Replica replica) {
    return topology.getDatacenter(replica);
  }

  @Override
  public boolean validate(Set<String> datacenters, Set<String> racks) {
    return topology.validate(datacenters, racks);
  }
}
