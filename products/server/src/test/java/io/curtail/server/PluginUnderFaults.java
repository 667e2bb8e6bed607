/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.curtail.lab.fault.Kill;
import io.curtail.lab.fault.StopAndContinue;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica that stops, dies and is replaced, under reads at QUORUM none of which may fail or be
 * wrong. By command: {@code ./curtail test -pl products/server -am -Dreal.nodes='**}{@code
 * /PluginUnderFaults.java'}.
 */
@SuppressWarnings("try") // what is only opened and closed
class PluginUnderFaults {
  private static final String VERSION = "5.0.9";
  private static final int SICK = 4;

  @TempDir private Path directory;
  private PluggedCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster =
        PluggedCluster.start(
            directory,
            VERSION,
            4,
            "delegate_snitch=GossipingPropertyFileSnitch\nmode=rank\npolicy=c3\n");
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  @Test
  void should_answer_every_read_while_a_node_is_paused_and_modes_change() throws Exception {
    try (BackgroundReads reads = new BackgroundReads(cluster, ConsistencyLevel.QUORUM, 1, 2)) {
      try (StopAndContinue pause =
          StopAndContinue.start(cluster.node(SICK), Duration.ofSeconds(20), Duration.ofHours(1))) {
        for (Mode mode : Mode.values()) {
          cluster.set(1, "mode", mode.toString());
          PluggedCluster.sleep(5_000);
        }
      }
      cluster.set(1, "mode", "rank");
      assertInUseAgain();
    }
    assertNothingIsLeft();
  }

  @Test
  void should_answer_every_read_while_a_node_dies_and_comes_back() throws Exception {
    try (BackgroundReads reads = new BackgroundReads(cluster, ConsistencyLevel.QUORUM, 1, 2)) {
      try (Kill kill = Kill.start(cluster.node(SICK))) {
        PluggedCluster.sleep(15_000);
      }
      assertInUseAgain();
    }
    assertNothingIsLeft();
  }

  @Test
  void should_answer_every_read_while_a_node_is_replaced() throws Exception {
    String address = cluster.node(SICK).address().getAddress().getHostAddress();
    try (BackgroundReads reads = new BackgroundReads(cluster, ConsistencyLevel.QUORUM, 1, 2)) {
      cluster.node(SICK).kill();
      cluster.deleteData(SICK);
      cluster.edit(
          SICK,
          "cassandra.yaml",
          yaml ->
              yaml.replaceAll("\n(initial_token|auto_bootstrap):.*", "")
                  .replaceAll("(seeds\"?: .*)," + address, "$1"));
      cluster.edit(
          SICK,
          "jvm.options",
          options ->
              options
                  // In the lab's one second a seed may not have answered yet: it would give up.
                  .replace("ring_delay_ms=1000", "ring_delay_ms=8000")
                  .replaceFirst(
                      "\"-cp\"",
                      "\"-Dcassandra.replace_address_first_boot=" + address + "\"\n\"-cp\""));
      await(
          () ->
              cluster.ask(1, "SELECT alive, endpoint FROM curtail.replica_scores").stream()
                  .noneMatch(
                      row ->
                          row.getString("endpoint").startsWith(address)
                              && row.getBoolean("alive")));
      cluster.restart(SICK);
      assertInUseAgain();
    }
    assertNothingIsLeft();
  }

  private void assertInUseAgain() {
    eventually(
        () -> {
          long before = cluster.scores(1, SICK).getLong("answered");
          cluster.read(1, PluggedCluster.ROWS, ConsistencyLevel.ALL);
          assertThat(cluster.scores(1, SICK).getLong("answered")).isGreaterThan(before);
        });
  }

  private void assertNothingIsLeft() {
    for (int node = 1; node <= 2; node++) {
      int each = node;
      assertThat(cluster.count(node, "errors")).isZero();
      eventually(() -> assertThat(cluster.scores(each, SICK).getInt("outstanding")).isZero());
    }
  }
}
