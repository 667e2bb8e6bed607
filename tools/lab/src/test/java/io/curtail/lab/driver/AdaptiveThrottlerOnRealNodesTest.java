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
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.campaign.Progress;
import io.curtail.driver.AdaptivePolicy;
import io.curtail.driver.AdaptiveThrottler;
import io.curtail.driver.ThrottlerOption;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.StopAndContinue;
import io.curtail.lab.load.PatientSession;
import io.curtail.lab.load.SchemaChange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows with one replica each, of which one stands still. */
class AdaptiveThrottlerOnRealNodesTest {
  private static final int LIMIT = 4;
  private static final int WAITING = 20;
  private static final int ROWS_A_PARTITION = 7;
  private static final Duration LONGER_THAN_THE_TEST = Duration.ofMinutes(10);

  @TempDir private Path directory;
  private CqlSession session;
  private PreparedStatement read;

  @Test
  void should_hold_what_only_a_paused_replica_can_serve_and_nothing_else() throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder()
            .directory(directory.resolve("throttled"))
            .name("throttled")
            .nodes(2)
            .requestTimeout(PATIENCE)
            .build();
    try (Cluster cluster = Cluster.start(spec, Progress.NONE);
        CqlSession opened = connect(cluster)) {
      session = opened;
      load();
      LabNode paused = cluster.node(2);
      int keyOfPaused = keyOf(paused);
      int keyOfOther = keyOf(cluster.node(1));

      List<CompletableFuture<Integer>> requests = new ArrayList<>();
      try (StopAndContinue pause =
          StopAndContinue.start(paused, LONGER_THAN_THE_TEST, Duration.ofSeconds(1))) {
        await(() -> !pause.intervals().isEmpty());
        for (int i = 0; i < LIMIT + WAITING; i++) {
          requests.add(countRows(keyOfPaused));
        }
        for (int i = 0; i < 3 * LIMIT; i++) {
          assertThat(countRows(keyOfOther).join()).isEqualTo(ROWS_A_PARTITION);
        }
        assertThat(requests).noneMatch(CompletableFuture::isDone);
        AdaptivePolicy policy =
            (AdaptivePolicy) session.getContext().getLoadBalancingPolicy("default");
        assertThat(policy.explain(read.bind(keyOfPaused)))
            .contains("Replicas are known")
            .containsPattern("replica .*in flight " + LIMIT + ".* waited for by " + WAITING);
        assertThat(paused.isPaused()).isTrue();
      }
      for (CompletableFuture<Integer> request : requests) {
        assertThat(request.join()).as("pages and all").isEqualTo(ROWS_A_PARTITION);
      }
      assertThat(countRows(keyOfPaused).join()).isEqualTo(ROWS_A_PARTITION);
    }
  }

  private static CqlSession connect(Cluster cluster) {
    return PatientSession.open(
        cluster,
        PatientSession.config(cluster, PATIENCE)
            .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class)
            .withClass(DefaultDriverOption.REQUEST_THROTTLER_CLASS, AdaptiveThrottler.class)
            .withInt(ThrottlerOption.MAX_IN_FLIGHT, LIMIT)
            .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, 2));
  }

  private void load() {
    SchemaChange.execute(
        session,
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    SchemaChange.execute(session, "CREATE TABLE k.t (key int, row int, PRIMARY KEY (key, row))");
    PreparedStatement write = session.prepare("INSERT INTO k.t (key, row) VALUES (?, ?)");
    for (int key = 0; key < 20; key++) {
      for (int row = 0; row < ROWS_A_PARTITION; row++) {
        session.execute(write.bind(key, row));
      }
    }
    read = session.prepare("SELECT row FROM k.t WHERE key = ?");
  }

  private int keyOf(LabNode node) {
    int key = 0;
    while (!replicaOf(key).getEndPoint().resolve().equals(node.address())) {
      key++;
    }
    return key;
  }

  private Node replicaOf(int key) {
    BoundStatement statement = read.bind(key);
    return session
        .getMetadata()
        .getTokenMap()
        .orElseThrow()
        .getReplicas(statement.getRoutingKeyspace(), statement.getRoutingKey())
        .iterator()
        .next();
  }

  /** Of all pages, each of which is a request of its own. */
  private CompletableFuture<Integer> countRows(int key) {
    return session
        .executeAsync(read.bind(key))
        .thenCompose(AdaptiveThrottlerOnRealNodesTest::countRows)
        .toCompletableFuture();
  }

  private static CompletableFuture<Integer> countRows(AsyncResultSet page) {
    int rows = page.remaining();
    if (!page.hasMorePages()) {
      return CompletableFuture.completedFuture(rows);
    }
    return page.fetchNextPage()
        .thenCompose(AdaptiveThrottlerOnRealNodesTest::countRows)
        .thenApply(more -> rows + more)
        .toCompletableFuture();
  }
}
