/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import io.curtail.campaign.process.Polling;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import java.time.Duration;

/**
 * A session for tests on a busy machine: to each running node, and none is given up early. One that
 * has just been opened may know some nodes only: a node writes what drivers read of its peers a
 * little after it learns of them.
 */
public final class PatientSession {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(50);

  private PatientSession() {}

  /** Waits so long for all that is asked of a node, and for a node that stands still. */
  public static ProgrammaticDriverConfigLoaderBuilder config(Cluster cluster, Duration patience) {
    return DriverTimeouts.all(patience)
        .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, cluster.localDatacenter())
        .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, patience);
  }

  /**
   * Returns it when it is connected to all nodes; closes it if it cannot be.
   *
   * @throws IllegalStateException if it is not after three minutes, or the thread is interrupted
   */
  public static CqlSession open(Cluster cluster, ProgrammaticDriverConfigLoaderBuilder config) {
    CqlSession session =
        CqlSession.builder()
            .addContactPoints(cluster.contactPoints())
            .withConfigLoader(config.build())
            .build();
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
