/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import static io.curtail.waiting.Waiting.eventually;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Durations.ONE_SECOND;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.campaign.Progress;
import io.curtail.cli.option.EngineJars;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeManagement;
import io.curtail.lab.engine.EngineMemtables;
import io.curtail.lab.load.SchemaChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows of the engine that go from one real node to another: repair, nodes that leave and join. The
 * third node takes what it receives as files, and absorbs them later.
 */
class EngineStreamsTest {
  private static final String WAITING =
      "org.apache.cassandra.metrics:type=CurtailEngine,name=CassandraDataFileBytes";
  private static final String RING_DELAY = "-Dcassandra.ring_delay_ms=";

  /** A node that has heard of no schema by then joins with none, and asks for no rows. */
  private static final String PATIENT = RING_DELAY + 60_000;

  private static final String AWAY = "while it was away";
  private static final int PARTITIONS = 60;
  private static final int ROWS = 5;

  private final Map<String, String> expected = new TreeMap<>();

  @Test
  void should_have_all_rows_when_a_node_was_repaired_when_it_has_left_and_when_it_joins_again(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
    try (Cluster cluster = Cluster.start(spec(directory), Progress.NONE);
        CqlSession session = LiveNodes.connect(cluster)) {
      SchemaChange.execute(
          session,
          "CREATE KEYSPACE streams WITH replication = {'class': 'NetworkTopologyStrategy',"
              + " 'dc1': 2}");
      SchemaChange.execute(
          session,
          "CREATE TABLE streams.rows (p int, c int, v text, s text STATIC, PRIMARY KEY (p, c))"
              + " WITH memtable = 'rocksdb' AND read_repair = 'NONE'"
              + " AND speculative_retry = 'NEVER'");
      LabNode last = cluster.node(3);
      write(session, "before");
      last.stop();
      // What is sent to a node that is not known to be down waits, and is written when it is back.
      LiveNodes.await(cluster, session);
      write(session, AWAY);
      delete(session);
      last.restart();
      LiveNodes.await(cluster, session);

      repair(last, session);
      assertThat(Files.readString(last.logFile())).contains("Performing streaming repair");
      checkEachReplica(cluster, session);

      try (NodeManagement management = new NodeManagement(last)) {
        management.invoke(NodeManagement.STORAGE_SERVICE, "decommission", true);
      }
      last.stop();
      checkEachReplica(cluster, session);

      forgetAll(last, cluster.node(1));
      last.restart();
      LiveNodes.await(cluster, session);
      checkEachReplica(cluster, session);
      awaitAbsorbed(last);
      eventually(
          () ->
              assertThat(Files.readString(last.logFile()))
                  .contains("data files of streams.rows are in RocksDB now"));
      checkWithout(cluster.node(2), cluster, session);
      checkWithout(cluster.node(1), cluster, session);
    }
  }

  private static void awaitAbsorbed(LabNode node) {
    patiently()
        .pollInterval(ONE_SECOND) // each look connects to the node
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              try (NodeManagement management = new NodeManagement(node)) {
                assertThat(management.server().getAttribute(new ObjectName(WAITING), "Value"))
                    .isEqualTo(0L);
              }
            });
  }

  /** Makes a node that is down a new one, which asks a seed for its part of the rows. */
  private static void forgetAll(LabNode node, LabNode seed) throws IOException {
    Path directory = node.logFile().getParent().getParent();
    for (String data : List.of("data", "commitlog", "hints", "saved_caches")) {
      Files.move(directory.resolve(data), directory.resolve("left-" + data));
    }
    Path yaml = directory.resolve("conf/cassandra.yaml");
    String host = seed.host();
    String joining =
        Files.readString(yaml)
            .replace("auto_bootstrap: false", "auto_bootstrap: true")
            .replaceFirst("seeds: \"[^\"]*\"", "seeds: \"" + host + "\"");
    assertThat(joining).contains("auto_bootstrap: true").contains("seeds: \"" + host + "\"");
    Files.writeString(yaml, joining);
    Path options = directory.resolve("conf/jvm.options");
    String patient = Files.readString(options).replace(RING_DELAY + 10_000, PATIENT);
    assertThat(patient).contains(PATIENT);
    Files.writeString(options, patient);
  }

  private static ClusterSpec spec(Path directory) {
    ClusterSpecBuilder spec =
        ClusterSpec.builder()
            .name("streams")
            .directory(directory.resolve("lab"))
            .nodes(3)
            .zones(1)
            .addYaml(LiveNodes.engineYaml().entrySet())
            .addNodeYaml(3, EngineMemtables.yaml(Map.of("block_cache", "64MiB", "absorb", "true")))
            .addYaml("hinted_handoff_enabled", false)
            .addYaml("write_request_timeout", "60s")
            // Then a replica that is asked reads its own rows.
            .addYaml("dynamic_snitch", false)
            .addJvmOptions(RING_DELAY + 10_000)
            // A node waits for that long before it leaves: else twice as long as for a write.
            .addJvmOptions("-Dcassandra.batchlog.replay_timeout_in_ms=10000")
            // For twice that long a node does not answer one that has left, also when it comes
            // back.
            .addJvmOptions("-Dcassandra.gossip_quarantine_delay_ms=4000");
    spec.addClassPath(EngineJars.engine());
    return spec.build();
  }

  /** Each second row of a partition is only written the first time. */
  private void write(CqlSession session, String value) {
    for (int p = 0; p < PARTITIONS; p++) {
      execute(session, "INSERT INTO streams.rows (p, s) VALUES (%d, '%s')".formatted(p, value));
      for (int c = 0; c < ROWS; c++) {
        if (c % 2 == 0 || !expected.containsKey(p + " " + c)) {
          execute(
              session,
              "INSERT INTO streams.rows (p, c, v) VALUES (%d, %d, '%s')".formatted(p, c, value));
          expected.put(p + " " + c, value);
        }
      }
    }
  }

  private void delete(CqlSession session) {
    execute(session, "DELETE FROM streams.rows WHERE p = 1");
    execute(session, "DELETE FROM streams.rows WHERE p = 2 AND c > 1");
    execute(session, "DELETE FROM streams.rows WHERE p = 3 AND c = 0");
    expected.keySet().removeIf(key -> key.matches("1 .*|2 [2-9]|3 0"));
  }

  private static void execute(CqlSession session, String statement) {
    session.execute(
        SimpleStatement.newInstance(statement).setConsistencyLevel(DefaultConsistencyLevel.ONE));
  }

  private static void repair(LabNode node, CqlSession session) throws IOException, JMException {
    try (NodeManagement management = new NodeManagement(node)) {
      management.invokeTyped(
          NodeManagement.STORAGE_SERVICE,
          "repairAsync",
          List.of(String.class, Map.class),
          "streams",
          Map.of("incremental", "false"));
    }
    String history =
        "SELECT finished_at, exception_message FROM system_distributed.parent_repair_history";
    eventually(
        () ->
            assertThat(session.execute(history).all())
                .isNotEmpty()
                .allMatch(row -> !row.isNull("finished_at"))
                .allMatch(row -> row.isNull("exception_message")));
  }

  /** Compares all rows that each node has by itself. */
  private void checkEachReplica(Cluster cluster, CqlSession session) {
    LiveNodes.eventually(
        cluster,
        (node, management) ->
            check(session, p -> owns(management, node, p), LiveNodes.of(session, node)));
  }

  private static boolean owns(NodeManagement management, LabNode node, int partition)
      throws JMException, IOException {
    List<?> replicas =
        (List<?>)
            management
                .server()
                .invoke(
                    new ObjectName(NodeManagement.STORAGE_SERVICE),
                    "getNaturalEndpointsWithPort",
                    new Object[] {"streams", "rows", String.valueOf(partition)},
                    new String[] {
                      String.class.getName(), String.class.getName(), String.class.getName()
                    });
    String host = node.host();
    return replicas.stream().anyMatch(replica -> replica.toString().startsWith(host + ":"));
  }

  /**
   * Compares all rows while a node is down, whose partitions then have one replica each. It says
   * that it goes, since the others take 20 s to see that a killed one is gone.
   */
  private void checkWithout(LabNode node, Cluster cluster, CqlSession session) throws IOException {
    node.stop();
    patiently().ignoreExceptions().untilAsserted(() -> check(session, p -> true, null));
    node.restart();
    LiveNodes.await(cluster, session);
  }

  private interface Owned {
    boolean test(int partition) throws JMException, IOException;
  }

  /** Some partitions, read through a node, or through any if it is null. */
  private void check(CqlSession session, Owned owned, Node node) throws JMException, IOException {
    int checked = 0;
    for (int p = 0; p < PARTITIONS; p++) {
      if (owned.test(p)) {
        checkPartition(session, p, node);
        checked++;
      }
    }
    assertThat(checked).isPositive();
  }

  private void checkPartition(CqlSession session, int p, Node node) {
    Map<String, String> found = new TreeMap<>();
    for (Row row :
        session.execute(
            SimpleStatement.newInstance("SELECT c, v, s FROM streams.rows WHERE p = " + p)
                .setConsistencyLevel(DefaultConsistencyLevel.ONE)
                .setNode(node))) {
      if (!row.isNull("c")) {
        found.put(p + " " + row.getInt("c"), row.getString("v"));
        assertThat(row.getString("s")).isEqualTo(AWAY);
      }
    }
    Map<String, String> wanted = new TreeMap<>(expected);
    wanted.keySet().removeIf(key -> !key.startsWith(p + " "));
    assertThat(found).as("partition " + p + " at " + node).isEqualTo(wanted);
  }
}
