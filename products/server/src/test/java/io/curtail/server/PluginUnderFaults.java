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
  private static final int[] COORDINATORS = {1, 2};
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
    for (int node : COORDINATORS) {
      cluster.read(node, PluggedCluster.ROWS, ConsistencyLevel.QUORUM); // it knows all replicas
    }
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  @Test
  void should_answer_every_read_while_a_node_is_paused_and_modes_change() throws Exception {
    try (BackgroundReads reads =
        new BackgroundReads(cluster, ConsistencyLevel.QUORUM, COORDINATORS)) {
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
    try (BackgroundReads reads =
        new BackgroundReads(cluster, ConsistencyLevel.QUORUM, COORDINATORS)) {
      try (Kill kill = Kill.start(cluster.node(SICK))) {
        PluggedCluster.sleep(15_000);
      }
      assertInUseAgain();
    }
    assertNothingIsLeft();
  }

  @Test
  void should_answer_every_read_while_a_node_is_replaced() throws Exception {
    String address = cluster.node(SICK).host();
    try (BackgroundReads reads =
        new BackgroundReads(cluster, ConsistencyLevel.QUORUM, COORDINATORS)) {
      cluster.node(SICK).kill();
      cluster.node(SICK).deleteData();
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
      awaitNothingIsOnItsWay(reads);
      cluster.restart(SICK);
      assertInUseAgain();
    }
    assertNothingIsLeft();
  }

  /**
   * Cassandra keeps what it has not sent to a node that dies, and sends it to the one that comes at
   * its address, which refuses a read while it has no schema: where a request waits for that, stock
   * fails it too. So both coordinators must have noticed, and nobody wait for a read of before.
   */
  private void awaitNothingIsOnItsWay(BackgroundReads reads) {
    for (int node : COORDINATORS) {
      await(
          () ->
              cluster.scoresIfAny(node, SICK).filter(row -> !row.getBoolean("alive")).isPresent());
    }
    reads.awaitMore(COORDINATORS.length);
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
    for (int node : COORDINATORS) {
      assertThat(cluster.count(node, "errors")).isZero();
      eventually(() -> assertThat(cluster.scores(node, SICK).getInt("outstanding")).isZero());
    }
  }
}
