/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import io.curtail.lab.fault.SlowStorage;
import io.curtail.lab.load.SchemaChange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which share of its keys' reads a replica gets whose storage is 0.8 ms slower than the other
 * one's, by C3 and by the dynamic snitch, which counts in whole milliseconds. Two replicas, a
 * coordinator that is neither, one client, no load: the difference is all there is to see. By
 * command: {@code ./curtail test -pl products/server -am -Dreal.nodes='**}{@code
 * /SubMillisecond.java'}.
 */
@SuppressWarnings("try") // what is only opened and closed
class SubMillisecond {
  private static final Duration SLOWER = Duration.ofNanos(800_000);
  private static final int ROUNDS = 10;
  private static final int READS = 2_000;
  private static final List<Mode> MODES = List.of(Mode.OFF, Mode.RANK);
  @TempDir private Path directory;

  @Test
  void measure() throws Exception {
    double[][] share = new double[MODES.size()][ROUNDS];
    double[][] p50 = new double[MODES.size()][ROUNDS];
    double[][] p99 = new double[MODES.size()][ROUNDS];
    try (PluggedCluster cluster =
        PluggedCluster.start(
            directory, "5.0.9", 3, "delegate_snitch=GossipingPropertyFileSnitch\nmode=rank\n")) {
      List<BoundStatement> reads = readsOfKeysAtOthers(cluster);
      for (int round = -2; round < ROUNDS; round++) {
        int slow = 2 + Math.floorMod(round, 2);
        for (Mode mode : MODES) {
          cluster.set(1, "mode", mode.toString());
          try (SlowStorage fault = SlowStorage.start(cluster.node(slow), SLOWER)) {
            read(cluster.session(), reads, READS / 4);
            long before = served(cluster, slow);
            double[] millis = read(cluster.session(), reads, READS);
            long after = served(cluster, slow);
            if (round >= 0) {
              int arm = MODES.indexOf(mode);
              share[arm][round] = (double) (after - before) / READS;
              p50[arm][round] = millis[READS / 2];
              p99[arm][round] = millis[READS * 99 / 100];
            }
          }
        }
      }
    }
    System.out.printf("reads at the slower replica, p50 and p99 in ms; median (range)%n");
    for (Mode mode : MODES) {
      int arm = MODES.indexOf(mode);
      System.out.printf(
          "%-15s %s  %s  %s%n",
          mode == Mode.OFF ? "dynamic snitch" : "C3",
          spread(share[arm]),
          spread(p50[arm]),
          spread(p99[arm]));
    }
    assertThat(share[MODES.indexOf(Mode.RANK)][ROUNDS / 2]).isLessThan(0.5);
  }

  private static List<BoundStatement> readsOfKeysAtOthers(PluggedCluster cluster) {
    CqlSession session = cluster.session();
    SchemaChange.execute(
        session,
        "CREATE KEYSPACE two WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
    SchemaChange.execute(session, "CREATE TABLE two.rows (key int PRIMARY KEY, value int)");
    TokenMap tokens = session.refreshSchema().getTokenMap().orElseThrow();
    PreparedStatement write = session.prepare("INSERT INTO two.rows (key, value) VALUES (?, ?)");
    PreparedStatement read = session.prepare("SELECT value FROM two.rows WHERE key = ?");
    Node coordinator = cluster.driverNode(1);
    List<BoundStatement> reads = new ArrayList<>();
    for (int key = 0; key < 300; key++) {
      BoundStatement bound = write.bind(key, key).setConsistencyLevel(ConsistencyLevel.ALL);
      Set<Node> replicas = tokens.getReplicas("two", bound.getRoutingKey());
      assertThat(replicas).hasSize(2);
      if (!replicas.contains(coordinator)) {
        session.execute(bound);
        reads.add(read.bind(key).setConsistencyLevel(ConsistencyLevel.ONE).setNode(coordinator));
      }
    }
    return reads;
  }

  /** Returns how long each took, in milliseconds, in ascending order. */
  private static double[] read(CqlSession session, List<BoundStatement> reads, int times) {
    double[] millis = new double[times];
    for (int i = 0; i < times; i++) {
      long start = System.nanoTime();
      assertThat(session.execute(reads.get(i % reads.size())).one()).isNotNull();
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(millis);
    return millis;
  }

  private static long served(PluggedCluster cluster, int node) {
    return cluster
        .ask(
            node,
            "SELECT count FROM system_views.local_read_latency"
                + " WHERE keyspace_name = 'two' AND table_name = 'rows'")
        .get(0)
        .getLong("count");
  }

  private static String spread(double[] values) {
    Arrays.sort(values);
    return String.format(
        Locale.ROOT,
        "%.3f (%.3f to %.3f)",
        values[values.length / 2],
        values[0],
        values[values.length - 1]);
  }
}
