/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.driver;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.driver.AdaptivePolicy;
import io.curtail.driver.AdaptiveSpeculativeExecution;
import io.curtail.driver.WeightedOption;
import io.curtail.lab.ThreeNodes;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.StopAndContinue;
import io.curtail.lab.load.PatientSession;
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

/** Real nodes that stand still, and go on. */
class AdaptivePolicyOnRealNodesTest {
  /** Answered by the coordinator alone, so that it tells of no other node. */
  private static final SimpleStatement QUERY =
      SimpleStatement.newInstance("SELECT release_version FROM system.local");

  private static final SimpleStatement REPEATABLE = QUERY.setIdempotent(true);

  private static final int REQUESTS = 300;

  /** So many in a row were dealt with as they should be: the others will be. */
  private static final int ENOUGH_TO_KNOW = 100;

  private static final int TO_SAVE_FOR_COPIES = 2000;
  private static final Duration LONGER_THAN_THE_TEST = Duration.ofMinutes(10);

  @TempDir private static Path directory;
  private static Cluster cluster;
  private static CqlSession session;

  @BeforeAll
  static void start() throws IOException {
    cluster = ThreeNodes.start(directory, "adaptive");
    session = PatientSession.open(cluster, config());
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
    Node node = session.getMetadata().findNode(paused.address()).orElseThrow();
    Set<Node> coordinators = new HashSet<>();
    patiently()
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              coordinators.add(coordinator());
              return coordinators.size() == 3;
            });

    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    try (StopAndContinue pause =
        StopAndContinue.start(paused, LONGER_THAN_THE_TEST, Duration.ofSeconds(1))) {
      await(() -> !pause.intervals().isEmpty());
      // A third of those to a policy that does not look would wait for the paused node.
      patiently()
          .pollInterval(Duration.ofMillis(1))
          .untilAsserted(
              () -> {
                requests.add(send(session, QUERY));
                assertThat(mostAnsweredInARow(requests)).isGreaterThanOrEqualTo(ENOUGH_TO_KNOW);
              });
      assertThat(paused.isPaused()).isTrue();
    }

    await(() -> unanswered(requests) == 0);
    await(() -> coordinator().equals(node));
  }

  @Test
  void should_copy_what_a_paused_node_owes_and_nothing_when_all_nodes_are_paused()
      throws Exception {
    try (CqlSession hedged = hedgedSession()) {
      for (int i = 0; i < TO_SAVE_FOR_COPIES; i++) {
        hedged.execute(REPEATABLE);
      }
      LabNode paused = cluster.node(2);
      List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
      double before = sum(hedged, "hedging.copies-sent");
      try (StopAndContinue pause =
          StopAndContinue.start(paused, LONGER_THAN_THE_TEST, Duration.ofSeconds(1))) {
        await(() -> !pause.intervals().isEmpty());
        await(
            () -> {
              requests.add(send(hedged, REPEATABLE));
              return sum(hedged, "hedging.copies-won") > 0;
            });
        assertThat(paused.isPaused()).isTrue();
      }
      assertThat(sum(hedged, "hedging.copies-sent") - before)
          .isLessThanOrEqualTo(100 + requests.size() / 50.0);
      await(() -> unanswered(requests) == 0);

      double due = due(hedged);
      for (int i = 0; i < REQUESTS; i++) {
        hedged.execute(QUERY);
      }
      assertThat(due(hedged)).as("of requests that must not be repeated").isEqualTo(due);

      requests.clear();
      try (StopAndContinue first = pause(0);
          StopAndContinue second = pause(1);
          StopAndContinue third = pause(2)) {
        List<StopAndContinue> pauses = List.of(first, second, third);
        await(() -> pauses.stream().noneMatch(pause -> pause.intervals().isEmpty()));
        double[] copies = {-1};
        double[] refused = {0};
        patiently()
            .pollInterval(Duration.ofMillis(1))
            .untilAsserted(
                () -> {
                  requests.add(send(hedged, REPEATABLE));
                  double refusedNow = sum(hedged, "hedging.refused-by-load");
                  double sent = sum(hedged, "hedging.copies-sent");
                  if (copies[0] != sent) {
                    copies[0] = sent;
                    refused[0] = refusedNow;
                  }
                  assertThat(refusedNow - refused[0])
                      .as("refused since the latest of %s copies", sent)
                      .isGreaterThanOrEqualTo(ENOUGH_TO_KNOW);
                });
      }
      await(() -> unanswered(requests) == 0);
    }
  }

  private static StopAndContinue pause(int node) throws IOException {
    return StopAndContinue.start(
        cluster.node(node + 1), LONGER_THAN_THE_TEST, Duration.ofSeconds(1));
  }

  private static ProgrammaticDriverConfigLoaderBuilder config() {
    return PatientSession.config(cluster, PATIENCE)
        .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class);
  }

  private static CqlSession hedgedSession() {
    return PatientSession.open(
        cluster,
        config()
            .withClass(
                DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                AdaptiveSpeculativeExecution.class)
            .withDuration(DefaultDriverOption.NETTY_TIMER_TICK_DURATION, Duration.ofMillis(1))
            .withBoolean(WeightedOption.METRICS, true)
            .withStringList(
                DefaultDriverOption.METRICS_SESSION_ENABLED, List.of("connected-nodes")));
  }

  private static CompletableFuture<AsyncResultSet> send(
      CqlSession session, SimpleStatement statement) throws Exception {
    CompletableFuture<AsyncResultSet> request =
        session.executeAsync(statement).toCompletableFuture();
    waitABit(request);
    return request;
  }

  /** Requests that waited for longer than the delay of their node. */
  private static double due(CqlSession session) {
    return sum(session, "hedging.copies-sent")
        + sum(session, "hedging.refused-by-load")
        + sum(session, "hedging.refused-by-budget");
  }

  /** A gauge of all nodes. */
  private static double sum(CqlSession session, String path) {
    return session
        .getMetrics()
        .orElseThrow()
        .getRegistry()
        .getGauges((name, metric) -> name.endsWith(path))
        .values()
        .stream()
        .mapToDouble(gauge -> ((Number) gauge.getValue()).doubleValue())
        .sum();
  }

  private static Node coordinator() {
    return session.execute(QUERY).getExecutionInfo().getCoordinator();
  }

  private static long unanswered(List<CompletableFuture<AsyncResultSet>> requests) {
    return requests.stream().filter(request -> !request.isDone()).count();
  }

  private static int mostAnsweredInARow(List<CompletableFuture<AsyncResultSet>> requests) {
    int most = 0;
    int row = 0;
    for (CompletableFuture<AsyncResultSet> request : requests) {
      row = request.isDone() ? row + 1 : 0;
      most = Math.max(most, row);
    }
    return most;
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
