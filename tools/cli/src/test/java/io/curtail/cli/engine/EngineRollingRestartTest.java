/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.campaign.Progress;
import io.curtail.cli.option.EngineJars;
import io.curtail.engine.EngineMXBean;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeManagement;
import io.curtail.lab.engine.EngineMemtables;
import io.curtail.lab.load.SchemaChange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Real nodes that end and start again one by one while a table moves out of RocksDB and back. */
class EngineRollingRestartTest {
  private static final String TABLE = "rolled.rows";
  private static final int ROWS = 300;
  private static final int PADDING = 12_000;

  /** The values of all rows. */
  private final Map<Integer, String> expected = new TreeMap<>();

  private CqlSession session;

  @Test
  void should_have_every_row_and_raise_none_when_nodes_restart_while_a_table_moves(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
    try (Cluster cluster = Cluster.start(spec(directory), Progress.NONE);
        CqlSession patient = LiveNodes.connect(cluster)) {
      session = patient;
      SchemaChange.execute(
          session,
          "CREATE KEYSPACE rolled WITH replication = {'class': 'NetworkTopologyStrategy',"
              + " 'dc1': 3}");
      SchemaChange.execute(
          session,
          "CREATE TABLE rolled.rows (p int PRIMARY KEY, v text, padding text) WITH memtable ="
              + " 'rocksdb' AND read_repair = 'NONE' AND speculative_retry = 'NEVER'");
      fill();
      checkEachReplica(cluster);

      SchemaChange.execute(session, "ALTER TABLE rolled.rows WITH memtable = 'default'");
      for (LabNode node : cluster.nodes()) {
        awaitCopying(node);
        if (node.index() == 2) {
          node.stop();
        } else {
          node.kill();
        }
        LiveNodes.await(cluster, session);
        change(node.index());
        node.restart();
        LiveNodes.await(cluster, session);
        checkEachReplica(cluster);
        awaitCopying(node);
      }
      for (LabNode node : cluster.nodes()) {
        endThrottle(node);
        await(() -> !ask(node, EngineMXBean::getTables).containsKey(TABLE));
      }
      checkEachReplica(cluster);

      LabNode last = cluster.node(3);
      last.stop();
      LiveNodes.await(cluster, session);
      SchemaChange.execute(session, "ALTER TABLE rolled.rows WITH memtable = 'rocksdb'");
      change(4);
      last.restart();
      LiveNodes.await(cluster, session);
      SchemaChange.awaitAgreement(session);
      checkEachReplica(cluster);
      endThrottle(last);
      for (LabNode node : cluster.nodes()) {
        long files = ask(node, engine -> engine.absorb("rolled", "rows"));
        assertThat(files).isPositive();
      }
      checkEachReplica(cluster);
      check(null, DefaultConsistencyLevel.ALL);
    }
  }

  /** The copy of a table goes on for minutes on a node that has just started. */
  private static ClusterSpec spec(Path directory) {
    ClusterSpecBuilder spec =
        ClusterSpec.builder()
            .name("rolled")
            .directory(directory.resolve("lab"))
            .nodes(3)
            .zones(1)
            .requestTimeout(Duration.ofSeconds(60))
            .addYaml(
                EngineMemtables.yaml(
                        Map.of(
                            "block_cache", "64MiB",
                            "write_buffers", "64MiB",
                            "write_buffer", "16MiB",
                            "move_at_once", "0B"))
                    .entrySet())
            .addYaml("compaction_throughput", "1KiB/s")
            // Then a replica that is asked reads its own rows.
            .addYaml("dynamic_snitch", false);
    spec.addClassPath(EngineJars.engine());
    return spec.build();
  }

  private void fill() {
    for (int p = 0; p < ROWS; p++) {
      execute(
          "INSERT INTO rolled.rows (p, v, padding) VALUES (%d, 'first', '%s')"
              .formatted(p, padding(p)));
      expected.put(p, "first");
    }
  }

  /** Hard to compress. */
  private static String padding(int p) {
    return new Random(p)
        .ints(PADDING, 'a', 'z' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Updates a third of the rows, deletes others, and writes new ones. */
  private void change(int round) {
    for (int p = 0; p < ROWS; p++) {
      if (p % 20 == round) {
        execute("DELETE FROM rolled.rows WHERE p = " + p);
        expected.remove(p);
      } else if (p % 3 == round % 3 && expected.containsKey(p)) {
        execute("UPDATE rolled.rows SET v = '%d' WHERE p = %d".formatted(round, p));
        expected.put(p, Integer.toString(round));
      }
      if (p % 20 == 0) {
        int more = ROWS * round + p;
        execute("INSERT INTO rolled.rows (p, v) VALUES (%d, 'new')".formatted(more));
        expected.put(more, "new");
      }
    }
  }

  private void execute(String statement) {
    session.execute(
        SimpleStatement.newInstance(statement).setConsistencyLevel(DefaultConsistencyLevel.QUORUM));
  }

  private static void awaitCopying(LabNode node) {
    eventually(
        () -> {
          assertThat(ask(node, EngineMXBean::getTables).get(TABLE))
              .containsEntry("state", "MOVING_OUT");
          assertThat(ask(node, EngineMXBean::getProgress)).containsKey("write " + TABLE);
        });
  }

  private static <T> T ask(LabNode node, EngineNode.Request<T> request) throws IOException {
    return CommandLine.populateCommand(new EngineNode(), Long.toString(node.pid())).ask(request);
  }

  private static void endThrottle(LabNode node) throws IOException {
    try (NodeManagement management = new NodeManagement(node)) {
      management.setAttribute(NodeManagement.STORAGE_SERVICE, "CompactionThroughputMbPerSec", 0);
    }
  }

  /** Compares all rows that each node has by itself: some come as hints. */
  private void checkEachReplica(Cluster cluster) {
    LiveNodes.eventually(
        cluster,
        (node, management) -> check(LiveNodes.of(session, node), DefaultConsistencyLevel.ONE));
  }

  private void check(Node node, DefaultConsistencyLevel level) {
    Map<Integer, String> found = new TreeMap<>();
    for (Row row :
        session.execute(
            SimpleStatement.newInstance("SELECT p, v, padding FROM rolled.rows")
                .setConsistencyLevel(level)
                .setNode(node))) {
      int p = row.getInt("p");
      found.put(p, row.getString("v"));
      assertThat(row.getString("padding")).isEqualTo(p < ROWS ? padding(p) : null);
    }
    assertThat(found).as("rows at " + node).isEqualTo(expected);
  }
}
