/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import io.curtail.campaign.process.Polling;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import java.time.Duration;

/**
 * Sessions that are connected to each running node of a cluster. One that has just been opened may
 * know some nodes only: a node writes what drivers read of its peers a little after it learns of
 * them.
 */
public final class AllNodes {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(50);

  private AllNodes() {}

  /**
   * Returns the session when it is connected to all nodes; closes it if it cannot be.
   *
   * @throws IllegalStateException if it is not after three minutes, or the thread is interrupted
   */
  public static CqlSession await(CqlSession session, Cluster cluster) {
    try {
      Polling.await(
          "a client connects",
          TIMEOUT,
          POLL,
          () -> connected(session) >= cluster.nodes().stream().filter(LabNode::isAlive).count(),
          () -> "the client is not connected to all nodes; logs in " + cluster.directory());
      return session;
    } catch (IllegalStateException e) {
      session.close();
      throw e;
    }
  }

  private static long connected(CqlSession session) {
    return session.getMetadata().getNodes().values().stream()
        .filter(node -> node.getOpenConnections() > 0)
        .count();
  }
}
