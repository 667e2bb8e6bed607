/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The throttler and second copies in one real session: a slow node gets what has waited. */
class CopiesOfWaitingRequestsTest {
  private static final String CQL = "SELECT v FROM t";
  private static final int NODES = 3;

  /** One is at each node, so the others wait: for long enough that a node gets slow meanwhile. */
  private static final int BURST = 200;

  private static final int SLOW_MILLIS = 2_000;

  private SimulatedCluster cluster;
  private CqlSession session;
  private ThrottlerBacklog backlog;

  @BeforeEach
  void start() {
    cluster = new SimulatedCluster(NODES);
    session =
        cluster.connect(
            config ->
                SimulatedCluster.hedged(config)
                    .without(WeightedOption.LOCAL_RACK)
                    .withClass(DefaultDriverOption.REQUEST_THROTTLER_CLASS, AdaptiveThrottler.class)
                    .withInt(ThrottlerOption.MAX_IN_FLIGHT, 1));
    SimulatedCluster.awaitConnected(session, NODES);
    backlog = ((AdaptiveThrottler) session.getContext().getRequestThrottler()).backlog();
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void should_copy_what_waited_for_its_turn_and_then_for_a_slow_node() {
    SimulatedCluster.saveForCopies(session, query());
    Node slow = session.getMetadata().getNodes().values().iterator().next();
    Map<String, Long> before = policy(session).control().getCopies();

    List<ExecutionInfo> wonByCopies = new ArrayList<>();
    patiently()
        .pollInterval(Duration.ofMillis(1))
        .untilAsserted(
            () -> {
              for (ExecutionInfo ended : sendBurst(slow)) {
                if (ended.getSuccessfulExecutionIndex() == 1 && ended.getCoordinator() != slow) {
                  wonByCopies.add(ended);
                }
              }
              // On a machine that stands still for a second some are not known any more.
              assertThat(wonByCopies).as("copies, %s", counted()).isNotEmpty();
              assertThat(counted().get("won")).isGreaterThan(before.get("won"));
            });

    assertThat(wonByCopies).allMatch(ended -> ended.getSpeculativeExecutionCount() == 1);
    assertThat(counted().get("sent") - before.get("sent"))
        .isGreaterThanOrEqualTo(counted().get("won") - before.get("won"));
    await(() -> nodes().stream().allMatch(node -> node.lastKnownInFlight() == 0));
    assertThat(nodes()).allMatch(node -> node.waiting.get() == 0);
    assertThat(backlog.size()).isZero();
    assertThat(policy(session).faults().faults()).isZero();
  }

  /** The node gets slow in the middle. Returns how those ended that had to wait for their turn. */
  private List<ExecutionInfo> sendBurst(Node slow) {
    List<CompletableFuture<AsyncResultSet>> all = new ArrayList<>();
    List<CompletableFuture<AsyncResultSet>> waited = new ArrayList<>();
    for (int i = 0; i < BURST; i++) {
      long admitted = backlog.admitted();
      CompletableFuture<AsyncResultSet> request =
          session.executeAsync(query()).toCompletableFuture();
      all.add(request);
      if (backlog.admitted() > admitted) {
        waited.add(request);
      }
    }
    cluster.of(slow).prime(when(CQL).then(noRows()).delay(SLOW_MILLIS, TimeUnit.MILLISECONDS));
    all.forEach(CompletableFuture::join);
    cluster.of(slow).clearPrimes(true);
    return waited.stream()
        .map(request -> request.join().getExecutionInfo())
        .collect(Collectors.toList());
  }

  /** Copies are told apart by their statements. */
  private static SimpleStatement query() {
    return SimpleStatement.newInstance(CQL).setIdempotent(true);
  }

  private Map<String, Long> counted() {
    return policy(session).control().getCopies();
  }

  private List<TrackedNode> nodes() {
    return session.getMetadata().getNodes().values().stream()
        .map(node -> policy(session).tracked(node))
        .collect(Collectors.toList());
  }
}
