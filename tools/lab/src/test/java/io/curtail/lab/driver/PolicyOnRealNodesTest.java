/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.driver;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import io.curtail.driver.WeightedLeastLoadedPolicy;
import io.curtail.driver.WeightedOption;
import io.curtail.lab.ThreeNodes;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.load.PatientSession;
import io.curtail.lab.load.SchemaChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only real nodes have: replicas, prepared statements, lightweight transactions, clients. */
class PolicyOnRealNodesTest {
  @TempDir private static Path directory;
  private static Cluster cluster;
  private static CqlSession session;

  @BeforeAll
  static void start() throws IOException {
    cluster = ThreeNodes.start(directory, "policy");
    session =
        PatientSession.open(
            cluster,
            PatientSession.config(cluster, PATIENCE)
                .withClass(
                    DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                    WeightedLeastLoadedPolicy.class)
                .withString(WeightedOption.LOCAL_RACK, "a"));
    for (int factor = 1; factor <= 3; factor++) {
      SchemaChange.execute(
          session,
          "CREATE KEYSPACE rf"
              + factor
              + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': "
              + factor
              + "}");
      SchemaChange.execute(
          session, "CREATE TABLE rf" + factor + ".rows (key int PRIMARY KEY, value int)");
    }
    await(
        () ->
            session.getMetadata().getNodes().values().stream()
                    .filter(node -> node.getOpenConnections() > 0)
                    .count()
                == 3);
  }

  @AfterAll
  static void stop() throws IOException {
    if (session != null) {
      session.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void should_start_with_a_replica_and_of_those_with_the_local_rack(int factor) {
    PreparedStatement read =
        session.prepare("SELECT value FROM rf" + factor + ".rows WHERE key = ?");
    Map<String, Integer> coordinators = new HashMap<>();
    for (int key = 0; key < 60; key++) {
      BoundStatement statement = read.bind(key);
      Node coordinator = session.execute(statement).getExecutionInfo().getCoordinator();
      List<Node> replicas = replicas(statement);
      assertThat(replicas).hasSize(factor).contains(coordinator);
      if (replicas.stream().anyMatch(replica -> "a".equals(replica.getRack()))) {
        assertThat(coordinator.getRack()).isEqualTo("a");
      }
      coordinators.merge(coordinator.getRack(), 1, Integer::sum);
    }
    assertThat(coordinators).hasSize(factor == 3 ? 1 : 3);
  }

  @Test
  void should_keep_the_replicas_in_ring_order_for_lightweight_transactions() {
    PreparedStatement insert =
        session.prepare("INSERT INTO rf3.rows (key, value) VALUES (?, 1) IF NOT EXISTS");
    PreparedStatement plain = session.prepare("INSERT INTO rf3.rows (key, value) VALUES (?, 1)");
    boolean plainOrdersDiffer = false;
    for (int key = 0; key < 40; key++) {
      List<Node> expected = localRackFirst(replicas(insert.bind(key)));
      assertThat(plan(insert.bind(key))).isEqualTo(expected);
      assertThat(plan(BatchStatement.newInstance(BatchType.LOGGED, insert.bind(key))))
          .isEqualTo(expected);
      plainOrdersDiffer |= !plan(plain.bind(key)).equals(expected);
      assertThat(session.execute(insert.bind(key)).wasApplied()).isTrue();
    }
    assertThat(plainOrdersDiffer).isTrue();
  }

  @Test
  void should_be_visible_among_the_clients_of_a_node() {
    List<String> options = new ArrayList<>();
    for (Row row : session.execute("SELECT client_options FROM system_views.clients")) {
      options.add(String.valueOf(row.getMap("client_options", String.class, String.class)));
    }
    assertThat(options)
        .anyMatch(o -> o.contains("WeightedLeastLoadedPolicy") && o.contains("localRack"));
  }

  private static List<Node> replicas(Statement<?> statement) {
    TokenMap tokens = session.getMetadata().getTokenMap().orElseThrow();
    return List.copyOf(
        tokens.getReplicas(statement.getRoutingKeyspace(), statement.getRoutingKey()));
  }

  private static List<Node> localRackFirst(List<Node> replicas) {
    List<Node> ordered = new ArrayList<>(replicas);
    ordered.sort((a, b) -> Boolean.compare(!"a".equals(a.getRack()), !"a".equals(b.getRack())));
    return ordered;
  }

  private static List<Node> plan(Statement<?> statement) {
    Queue<Node> plan =
        session.getContext().getLoadBalancingPolicy("default").newQueryPlan(statement, session);
    List<Node> nodes = new ArrayList<>();
    for (Node node = plan.poll(); node != null; node = plan.poll()) {
      nodes.add(node);
    }
    return nodes;
  }
}
