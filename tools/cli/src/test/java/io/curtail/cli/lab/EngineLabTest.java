/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static io.curtail.waiting.Waiting.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.simulacron.common.cluster.ClusterSpec;
import com.datastax.oss.simulacron.server.BoundCluster;
import com.datastax.oss.simulacron.server.Inet4Resolver;
import com.datastax.oss.simulacron.server.Server;
import io.curtail.campaign.Progress;
import io.curtail.lab.cluster.NodeState;
import io.curtail.testnode.UnusedAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The table to try, on a node that is as slow as one on a busy machine. */
class EngineLabTest {
  /** Longer than the driver waits for an answer unless it is told otherwise. */
  private static final long SLOW_MILLIS = 3_000;

  private static final int PORT = 9042;

  private static final String KEYSPACE =
      "CREATE KEYSPACE IF NOT EXISTS demo WITH replication = {'class': 'SimpleStrategy',"
          + " 'replication_factor': 1}";

  @Test
  void should_wait_for_a_slow_node() {
    try (Server server = server();
        BoundCluster cluster = server.register(ClusterSpec.builder().withNodes(1))) {
      cluster.prime(when(KEYSPACE).then(noRows()).delay(SLOW_MILLIS, TimeUnit.MILLISECONDS));
      List<String> progress = new ArrayList<>();
      EngineLab.createTable(lab(cluster), "stop", progress::add);
      assertThat(progress).isEmpty();
      assertThat(cluster.getLogs().getQueryLogs())
          .extracting(entry -> entry.getQuery())
          .anyMatch(query -> query.startsWith("INSERT INTO demo.emp"));
    }
  }

  @Test
  void should_say_that_the_lab_is_up_when_its_table_cannot_be_made() {
    try (Server server = server();
        BoundCluster cluster = server.register(ClusterSpec.builder().withNodes(1))) {
      LabView lab = lab(cluster);
      cluster.stop();
      assertThatThrownBy(() -> EngineLab.createTable(lab, "stop", Progress.NONE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("the lab is up, but the table demo.emp could not be made: ")
          .hasMessageEndingWith("(stop, then start it again)");
    }
  }

  private static Server server() {
    return Server.builder()
        .withAddressResolver(new Inet4Resolver(UnusedAddress.ofBlock(80, 20, PORT), PORT))
        .withBindTimeout(PATIENCE.toMinutes(), TimeUnit.MINUTES)
        .build();
  }

  private static LabView lab(BoundCluster cluster) {
    InetSocketAddress node = cluster.node(0).inetSocketAddress();
    LabView.Node view =
        new LabView.Node(1, "A", "a", node.getHostString(), 1, NodeState.UP, 0, 0, 0, "system.log");
    return new LabView(
        "slow",
        "5.0.9",
        "directory",
        "loopback",
        "dc1",
        List.of(node.getAddress().getHostAddress() + ":" + node.getPort()),
        List.of(view));
  }
}
