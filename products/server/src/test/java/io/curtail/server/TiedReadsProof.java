/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.fault.SlowStorage;
import io.curtail.server.tied.TiesMBean;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import javax.management.Attribute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whether tied reads work on stock hooks, on three nodes of which one has slow storage and two read
 * threads. By command: {@code ./curtail test -pl products/server -am -Dreal.nodes='**}{@code
 * /TiedReadsProof.java'}. It prints counts.
 */
@SuppressWarnings("try") // what is only opened and closed
class TiedReadsProof {
  private static final int READS = 600;
  private static final int IN_FLIGHT = 12;
  private static final long TIE_MICROS = 8_000;
  @TempDir private Path directory;

  @Test
  void should_answer_from_either_replica_and_drop_the_copy_that_did_not_start() throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder()
            .name("tied")
            .directory(directory.resolve("lab"))
            .nodes(3)
            .addClassPath(Path.of("target/test-classes"))
            .addYaml(
                Map.of(
                    "endpoint_snitch",
                    "io.curtail.server.tied.TyingSnitch",
                    "dynamic_snitch",
                    false,
                    "hinted_handoff_enabled",
                    false,
                    "concurrent_reads",
                    2))
            .build();
    try (PluggedCluster cluster = PluggedCluster.start(spec);
        Counts counts = new Counts(cluster);
        SlowStorage slow = SlowStorage.start(cluster.node(2), Duration.ofMillis(8))) {
      for (ConsistencyLevel level : List.of(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM)) {
        for (int round = 0; round < 2; round++) {
          counts.delay(0);
          report(level, "untied", run(cluster, level), counts);
          counts.delay(TIE_MICROS);
          report(level, "tied", run(cluster, level), counts);
        }
      }
      assertThat(counts.sum("Copies")).isGreaterThan(100);
      assertThat(counts.sum("AnsweredByCopy")).isPositive();
      assertThat(counts.sum("Dropped")).isPositive();
    }
  }

  /** Sorted microseconds. Every value is checked. */
  private static long[] run(PluggedCluster cluster, ConsistencyLevel level) throws Exception {
    Semaphore room = new Semaphore(IN_FLIGHT);
    long[] micros = new long[READS];
    List<CompletionStage<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < READS; i++) {
      int index = i;
      int key = i % PluggedCluster.ROWS;
      room.acquire();
      long start = System.nanoTime();
      CompletionStage<AsyncResultSet> read =
          cluster.session().executeAsync(cluster.readOf(key, 1, level));
      all.add(
          read.whenComplete(
                  (rows, error) -> {
                    micros[index] = (System.nanoTime() - start) / 1_000;
                    room.release();
                  })
              .thenApply(rows -> rows.one().getInt("value") == key * key));
    }
    for (CompletionStage<Boolean> each : all) {
      assertThat(each.toCompletableFuture().get()).isTrue();
    }
    Arrays.sort(micros);
    return micros;
  }

  private static void report(ConsistencyLevel level, String what, long[] micros, Counts counts)
      throws Exception {
    System.out.printf(
        "tied-reads %s %s: p50 %.1f ms, p99 %.1f ms; since the start: copies %d, answered by the"
            + " copy %d, claims %d, dropped %d, started twice %d%n",
        level,
        what,
        micros[READS / 2] / 1e3,
        micros[READS * 99 / 100] / 1e3,
        counts.sum("Copies"),
        counts.sum("AnsweredByCopy"),
        counts.sum("Claims"),
        counts.sum("Dropped"),
        counts.sum("StartedTwice"));
  }

  /** The proof's MBeans on all nodes. */
  private static final class Counts implements AutoCloseable {
    private final List<Management> nodes = new ArrayList<>();

    Counts(PluggedCluster cluster) throws Exception {
      for (int node = 1; node <= 3; node++) {
        nodes.add(new Management(cluster.node(node)));
      }
    }

    void delay(long micros) throws Exception {
      for (Management node : nodes) {
        node.set(TiesMBean.NAME, new Attribute("DelayMicros", micros));
      }
    }

    long sum(String attribute) throws Exception {
      long sum = 0;
      for (Management node : nodes) {
        sum += (long) node.get(TiesMBean.NAME, attribute);
      }
      return sum;
    }

    @Override
    public void close() throws IOException {
      for (Management node : nodes) {
        node.close();
      }
    }
  }
}
