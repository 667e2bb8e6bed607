/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.curtail.lab.fault.SlowStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The first, a middle and the last release that the jar is made for, which Maven fetches. By
 * command: {@code ./curtail test -pl products/server -am -Dreal.nodes='**}{@code
 * /PluginOnEveryRelease.java'}.
 */
@SuppressWarnings("try") // what is only opened and closed
class PluginOnEveryRelease {
  private static final Duration SLOW = Duration.ofMillis(100);
  private static final int AT_ONCE = 40;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"5.0.0", "5.0.4", "5.0.9"})
  void should_rank_and_report_in_every_mode(String release) throws Exception {
    try (PluggedCluster cluster =
        PluggedCluster.start(
            directory, release, 2, "delegate_snitch=GossipingPropertyFileSnitch\n")) {
      for (Mode mode : Mode.values()) {
        for (int node = 1; node <= 2; node++) {
          cluster.set(node, "mode", mode.toString());
          assertThat(cluster.load(node, "mode")).isEqualTo(mode.toString());
        }
        cluster.read(1, 200, ConsistencyLevel.ALL);
        cluster.read(2, 200, ConsistencyLevel.ONE);
        assertThat(cluster.ask(1, "SELECT value FROM ks.rows")).hasSize(PluggedCluster.ROWS);
      }
      for (int node = 1; node <= 2; node++) {
        Row peer = cluster.scores(node, 3 - node);
        assertThat(peer.getBoolean("reports")).isTrue();
        assertThat(peer.getInt("outstanding")).isZero();
        assertThat(cluster.count(node, "errors")).isZero();
        assertThat(cluster.count(node, "ranked")).isGreaterThanOrEqualTo(400);
        assertThat(cluster.ask(node, "SELECT * FROM curtail.decisions")).isNotEmpty();
        assertThat(Files.readString(cluster.node(node).logFile())).doesNotContain("ERROR");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"5.0.0", "5.0.4", "5.0.9"})
  void should_pass_reads_on(String release) throws Exception {
    try (PluggedCluster cluster = PluggedCluster.startPassing(directory, release)) {
      BooleanSupplier passed = cluster.grows(1, "carried", "passed_on");
      BooleanSupplier givenBack = cluster.grows(2, "given_back", "served_at_once");
      try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW)) {
        await(
            () -> {
              cluster.readAtOnce(AT_ONCE, 1, ConsistencyLevel.ONE);
              return passed.getAsBoolean() && givenBack.getAsBoolean();
            });
      }
      for (int node = 1; node <= 3; node++) {
        cluster.assertNoErrors(node, "errors", "passing_errors");
      }
    }
  }
}
