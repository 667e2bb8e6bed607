/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import io.curtail.lab.cluster.Cluster;
import java.time.Duration;

/** A session for tests on a busy machine: to each running node, and none is given up early. */
public final class PatientSession {
  private PatientSession() {}

  /** Waits so long for all that is asked of a node, and for a node that stands still. */
  public static ProgrammaticDriverConfigLoaderBuilder config(Cluster cluster, Duration patience) {
    return DriverTimeouts.all(patience)
        .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, cluster.localDatacenter())
        .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, patience);
  }

  /**
   * Returns it when it is connected to all nodes.
   *
   * @throws IllegalStateException as {@link AllNodes#await}
   */
  public static CqlSession open(Cluster cluster, ProgrammaticDriverConfigLoaderBuilder config) {
    return AllNodes.await(
        CqlSession.builder()
            .addContactPoints(cluster.contactPoints())
            .withConfigLoader(config.build())
            .build(),
        cluster);
  }
}
