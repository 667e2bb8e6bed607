/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Durations.ONE_SECOND;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeManagement;
import io.curtail.lab.engine.EngineMemtables;
import io.curtail.lab.load.PatientSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The nodes of a cluster that run, where tests end some. */
final class LiveNodes {

  /** What holds of a node. */
  interface Check {
    void of(LabNode node, NodeManagement management) throws Exception;
  }

  private LiveNodes() {}

  /** What {@code cassandra.yaml} has for the engine in little memory. */
  static Map<String, Object> engineYaml() {
    return EngineMemtables.yaml(
        Map.of("block_cache", "64MiB", "write_buffers", "64MiB", "write_buffer", "16MiB"));
  }

  /** A session that soon finds nodes that are up again. */
  static CqlSession connect(Cluster cluster) {
    return PatientSession.open(
        cluster,
        PatientSession.config(cluster, PATIENCE)
            .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
            .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(1)));
  }

  /** Until it holds of every node that runs, one after the other. */
  static void eventually(Cluster cluster, Check check) {
    patiently()
        .pollInterval(ONE_SECOND) // each look connects to each node
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              for (LabNode node : cluster.nodes()) {
                if (node.isAlive()) {
                  try (NodeManagement management = new NodeManagement(node)) {
                    check.of(node, management);
                  }
                }
              }
            });
  }

  /** Until every node that runs serves, and knows that the others do and those that do not. */
  static void await(Cluster cluster, CqlSession session) {
    long running = cluster.nodes().stream().filter(LabNode::isAlive).count();
    eventually(
        cluster,
        (node, management) -> {
          List<?> live =
              (List<?>) management.attribute(NodeManagement.STORAGE_SERVICE, "LiveNodes");
          assertThat(live).hasSize((int) running);
        });
    patiently()
        .untilAsserted(
            () ->
                assertThat(session.getMetadata().getNodes().values())
                    .filteredOn(each -> each.getOpenConnections() > 0)
                    .hasSize((int) running));
  }

  /** How a driver calls it. */
  static Node of(CqlSession session, LabNode node) {
    return session.getMetadata().findNode(node.address()).orElseThrow();
  }
}
