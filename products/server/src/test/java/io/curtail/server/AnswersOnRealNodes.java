/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.curtail.lab.fault.SlowStorage;
import io.curtail.lab.fault.StopAndContinue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No answer is wrong and none is lost at ONE and QUORUM, with writes beside the reads, while modes
 * change and nodes pause, die, come back, and run with and without the jar. Here each trouble comes
 * once; for long, in an order that the seed decides: {@code ./curtail test -pl products/server -am
 * -Dreal.nodes='**}{@code /AnswersOnRealNodes.java' -Danswers.runs=10 -Danswers.minutes=5
 * -Danswers.seed=1}.
 */
@SuppressWarnings("try") // what is only opened and closed
class AnswersOnRealNodes {
  private static final int NODES = 4;
  private static final Duration SLOW = Duration.ofMillis(10);
  private static final int LEAST_MILLIS = 200;
  private static final int MOST_PAUSE_MILLIS = 8_000;
  private static final long READS_BETWEEN = 60;

  private static final String[] MODES = {"off", "observe", "rank", "rank+rate"};
  private static final String[] PASSING = {"off", "observe", "on"};
  private static final String[] COPIES = {"0", "2", "10"};

  /** What happens. */
  private enum Trouble {
    MODE,
    PASSING,
    PAUSE,
    KILL,
    JAR
  }

  @TempDir private Path directory;
  private final Set<Integer> withoutJar = new HashSet<>();
  private PluggedCluster cluster;
  private Random random;
  private int troubles;

  @Test
  void should_answer_rightly_whatever_happens_to_nodes_and_modes() throws Exception {
    long seed = Long.getLong("answers.seed", 1);
    for (int run = 0; run < Integer.getInteger("answers.runs", 1); run++) {
      random = new Random(seed + run);
      withoutJar.clear();
      troubles = 0;
      run(seed + run, Integer.getInteger("answers.minutes", 0));
    }
  }

  private void run(long seed, int minutes) throws Exception {
    try (PluggedCluster started =
        PluggedCluster.start(
            directory.resolve("seed" + seed),
            "5.0.9",
            NODES,
            """
            delegate_snitch=GossipingPropertyFileSnitch
            mode=rank
            passing=on
            copies_percent=10
            """,
            // What Cassandra's own log has not synced is lost with a killed process.
            Map.of(
                "concurrent_reads",
                2,
                "commitlog_sync",
                "batch",
                "commitlog_sync_period",
                "0ms"))) {
      cluster = started;
      cluster.change("CREATE TABLE ks.written (key int PRIMARY KEY, value int)");
      try (SlowStorage slow = SlowStorage.start(cluster.node(one(NODES)), SLOW);
          WrittenValues one = new WrittenValues(cluster, ConsistencyLevel.ONE, 1, true);
          WrittenValues quorum = new WrittenValues(cluster, ConsistencyLevel.QUORUM, 2, true)) {
        await(() -> one.hasFailed() || quorum.hasFailed() || cluster.count(1, "carried") > 0);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        while (!one.hasFailed() && !quorum.hasFailed() && goesOn(minutes, end)) {
          makeTrouble(
              minutes == 0
                  ? Trouble.values()[troubles]
                  : Trouble.values()[random.nextInt(Trouble.values().length)]);
          troubles++;
          one.awaitMore(READS_BETWEEN);
          quorum.awaitMore(READS_BETWEEN);
        }
        System.out.printf(
            "seed %d: %d troubles; right: %d reads at ONE, %d at QUORUM; errors: %d and %d%n",
            seed, troubles, one.reads(), quorum.reads(), one.errors(), quorum.errors());
      }
      assertNoErrors();
    }
  }

  private boolean goesOn(int minutes, long end) {
    return minutes == 0 ? troubles < Trouble.values().length : System.nanoTime() < end;
  }

  private int one(int upTo) {
    return 1 + random.nextInt(upTo);
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }

  private long millis(int most) {
    return LEAST_MILLIS + (long) random.nextInt(most);
  }

  private void makeTrouble(Trouble trouble) throws Exception {
    int node = one(NODES);
    System.out.println("  " + trouble + " of node " + node);
    switch (trouble) {
      case MODE -> set(node, "mode", one(MODES));
      case PASSING -> {
        set(node, "passing", one(PASSING));
        set(node, "copies_percent", one(COPIES));
      }
      case PAUSE -> {
        long millis = millis(MOST_PAUSE_MILLIS);
        try (StopAndContinue pause =
            StopAndContinue.start(
                cluster.node(node), Duration.ofMillis(millis), Duration.ofHours(1))) {
          PluggedCluster.sleep(millis);
        }
      }
      case KILL -> restart(node);
      case JAR -> {
        boolean back = withoutJar.remove(node);
        if (back) {
          cluster.putJarIn(node);
        } else {
          withoutJar.add(node);
          cluster.takeJarOut(node);
        }
        restart(node);
      }
    }
  }

  private void set(int node, String name, String value) {
    if (!withoutJar.contains(node)) {
      cluster.set(node, name, value);
    }
  }

  private void restart(int node) throws IOException {
    cluster.node(node).kill();
    PluggedCluster.sleep(millis(MOST_PAUSE_MILLIS));
    cluster.restart(node);
  }

  private void assertNoErrors() throws IOException {
    for (int node = 1; node <= NODES; node++) {
      assertThat(Files.readString(cluster.node(node).logFile()))
          .doesNotContain("Curtail failed while");
    }
  }
}
