/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Refuses a delegate that sees another topology than the node wrote down: reads and writes would go
 * to the wrong replicas. Cassandra itself refuses a change of this node's own data centre and rack.
 */
final class TopologyCheck {
  private static final int MOST_NAMED = 5;

  private TopologyCheck() {}

  /**
   * @param remembered data centre and rack of each peer, as {@code system.peers_v2} has them
   * @throws org.apache.cassandra.exceptions.ConfigurationException if one would change
   */
  static void require(
      IEndpointSnitch delegate, Map<InetAddressAndPort, Map<String, String>> remembered) {
    List<String> moves = new ArrayList<>();
    remembered.forEach(
        (peer, place) -> {
          String move =
              move("data centre", place.get("data_center"), delegate.getDatacenter(peer))
                  + move("rack", place.get("rack"), delegate.getRack(peer));
          if (!move.isEmpty()) {
            moves.add(peer + move);
          }
        });
    if (!moves.isEmpty()) {
      throw Cassandra50.refusal(
          "delegate_snitch would move "
              + String.join("; ", moves.subList(0, Math.min(MOST_NAMED, moves.size())))
              + (moves.size() > MOST_NAMED ? " and " + (moves.size() - MOST_NAMED) + " more" : "")
              + ": name the snitch that the cluster uses in curtail.properties"
              + "; if it is GossipingPropertyFileSnitch, remove cassandra-topology.properties,"
              + " which it takes what it has not heard yet from; if a peer was replaced elsewhere while"
              + " this node was down, start it once with that snitch as endpoint_snitch");
    }
  }

  private static String move(String what, String was, String now) {
    return was == null || was.equals(now)
        ? ""
        : " from " + what + " '" + was + "' to '" + now + "'";
  }
}
