/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.driver;

import static io.curtail.lab.PatientSession.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.campaign.Progress;
import io.curtail.driver.AdaptivePolicy;
import io.curtail.lab.PatientSession;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.StopAndContinue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real node that stands still, and goes on. */
class AdaptivePolicyOnRealNodesTest {
  /** Answered by the coordinator alone, so that it tells of no other node. */
  private static final SimpleStatement QUERY =
      SimpleStatement.newInstance("SELECT release_version FROM system.local");

  private static final int REQUESTS = 300;
  private static final Duration LONGER_THAN_THE_TEST = Duration.ofMinutes(10);

  @TempDir private static Path directory;
  private static Cluster cluster;
  private static CqlSession session;

  @BeforeAll
  static void start() throws IOException {
    ClusterSpec spec =
        ClusterSpec.builder()
            .directory(directory.resolve("adaptive"))
            .name("adaptive")
            .nodes(3)
            .requestTimeout(PATIENCE)
            .build();
    cluster = Cluster.start(spec, Progress.NONE);
    session =
        CqlSession.builder()
            .addContactPoints(cluster.contactPoints())
            .withConfigLoader(
                PatientSession.config()
                    .withClass(
                        DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class)
                    .withString(
                        DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER,
                        cluster.localDatacenter())
                    .build())
            .build();
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

  @Test
  void should_leave_a_node_that_stands_still_and_use_it_again_when_it_goes_on() throws Exception {
    LabNode paused = cluster.node(2);
    Node node =
        session.getMetadata().getNodes().values().stream()
            .filter(known -> known.getEndPoint().resolve().equals(paused.address()))
            .findFirst()
            .orElseThrow();
    Set<Node> coordinators = new HashSet<>();
    await()
        .pollDelay(Duration.ZERO)
        .atMost(PATIENCE)
        .until(
            () -> {
              coordinators.add(coordinator());
              return coordinators.size() == 3;
            });

    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    try (StopAndContinue pause =
        StopAndContinue.start(paused, LONGER_THAN_THE_TEST, Duration.ofSeconds(1))) {
      await().atMost(PATIENCE).until(() -> !pause.intervals().isEmpty());
      for (int i = 0; i < REQUESTS; i++) {
        CompletableFuture<AsyncResultSet> request =
            session.executeAsync(QUERY).toCompletableFuture();
        requests.add(request);
        waitABit(request);
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(unanswered(requests)).isLessThan(REQUESTS / 20L));
      assertThat(paused.isPaused()).isTrue();
    }

    await().atMost(PATIENCE).until(() -> unanswered(requests) == 0);
    await().atMost(PATIENCE).until(() -> coordinator().equals(node));
  }

  private static Node coordinator() {
    return session.execute(QUERY).getExecutionInfo().getCoordinator();
  }

  private static long unanswered(List<CompletableFuture<AsyncResultSet>> requests) {
    return requests.stream().filter(request -> !request.isDone()).count();
  }

  private static void waitABit(CompletableFuture<AsyncResultSet> request)
      throws InterruptedException, ExecutionException {
    try {
      request.get(50, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // The next request need not wait for this one.
    }
  }
}
