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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses a delegate that sees another topology than the node wrote down: reads and writes would go
 * to the wrong replicas. Cassandra itself refuses a change of this node's own data centre and rack.
 *
 * <p>The wrong delegate moves most peers. Who is moved among many that are not was replaced or left
 * while this node was down, which its file of the topology knows and it does not: a warning.
 */
final class TopologyCheck {
  private static final Logger LOGGER = LoggerFactory.getLogger(TopologyCheck.class);

  private TopologyCheck() {}

  /**
   * @param remembered data centre and rack of each peer, as {@code system.peers_v2} has them
   * @throws org.apache.cassandra.exceptions.ConfigurationException if half of them or more would
   *     change
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
    if (2 * moves.size() >= Math.max(1, remembered.size())) {
      throw Cassandra50.refusal(
          "delegate_snitch would move "
              + String.join("; ", moves)
              + ": name the snitch that the cluster uses in curtail.properties"
              + "; if it is GossipingPropertyFileSnitch, remove cassandra-topology.properties,"
              + " which it takes what it has not heard yet from");
    }
    moves.forEach(
        move ->
            LOGGER.warn("Elsewhere than when this node last ran, by delegate_snitch: {}", move));
  }

  private static String move(String what, String was, String now) {
    return was == null || was.equals(now)
        ? ""
        : " from " + what + " '" + was + "' to '" + now + "'";
  }
}
