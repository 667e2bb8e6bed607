/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Map;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Refuses a delegate that sees another topology than the node wrote down: reads and writes would go
 * to the wrong replicas. Cassandra itself refuses a change of this node's own data centre and rack.
 */
final class TopologyCheck {
  private TopologyCheck() {}

  /**
   * @param remembered data centre and rack of each peer, as {@code system.peers_v2} has them
   * @throws org.apache.cassandra.exceptions.ConfigurationException if one would change
   */
  static void require(
      IEndpointSnitch delegate, Map<InetAddressAndPort, Map<String, String>> remembered) {
    remembered.forEach(
        (peer, place) -> {
          require(peer, "data centre", place.get("data_center"), delegate.getDatacenter(peer));
          require(peer, "rack", place.get("rack"), delegate.getRack(peer));
        });
  }

  private static void require(InetAddressAndPort peer, String what, String was, String now) {
    if (was != null && !was.equals(now)) {
      throw Cassandra50.refusal(
          "delegate_snitch would move "
              + peer
              + " from "
              + what
              + " '"
              + was
              + "' to '"
              + now
              + "': name the snitch that the cluster uses in curtail.properties"
              + "; if it is GossipingPropertyFileSnitch, remove cassandra-topology.properties,"
              + " which it takes what it has not heard yet from");
    }
  }
}
