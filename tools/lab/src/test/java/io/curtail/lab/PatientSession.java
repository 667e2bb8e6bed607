/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab;

import static io.curtail.waiting.Waiting.PATIENCE;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import io.curtail.campaign.Progress;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.load.AllNodes;
import io.curtail.lab.load.DriverTimeouts;
import java.io.IOException;
import java.nio.file.Path;

/** Sessions that no busy machine makes fail. */
public final class PatientSession {

  private PatientSession() {}

  /** Three nodes that are as patient. */
  public static Cluster threeNodes(Path directory, String name) throws IOException {
    ClusterSpec spec =
        ClusterSpec.builder()
            .directory(directory.resolve(name))
            .name(name)
            .nodes(3)
            .requestTimeout(PATIENCE)
            .build();
    return Cluster.start(spec, Progress.NONE);
  }

  /** To all nodes of a cluster, by one policy. */
  public static ProgrammaticDriverConfigLoaderBuilder config(
      Cluster cluster, Class<? extends LoadBalancingPolicy> policy) {
    return config()
        .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, policy)
        .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, cluster.localDatacenter());
  }

  public static CqlSession open(Cluster cluster, ProgrammaticDriverConfigLoaderBuilder config) {
    return AllNodes.await(
        CqlSession.builder()
            .addContactPoints(cluster.contactPoints())
            .withConfigLoader(config.build())
            .build(),
        cluster);
  }

  public static ProgrammaticDriverConfigLoaderBuilder config() {
    return DriverTimeouts.all(PATIENCE)
        .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, PATIENCE);
  }
}
