/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.isBootstrapping;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noResult;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static io.curtail.driver.SimulatedCluster.PATIENCE;
import static io.curtail.driver.SimulatedCluster.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.retry.RetryVerdict;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.retry.DefaultRetryPolicy;
import com.datastax.oss.simulacron.common.cluster.QueryLog;
import io.curtail.selection.FeedbackCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Copies of sessions that hear nodes, as busy nodes answer them; that real ones do is tested with
 * curtail-server.
 */
class MarkedCopiesTest {
  private static final SimpleStatement QUERY =
      SimpleStatement.newInstance("SELECT v FROM t").setIdempotent(true);

  /** In the payload of each request, so that its frames are found. */
  private static final String NUMBER = "number";

  private SimulatedCluster cluster;
  private CqlSession session;
  private Node silent;

  @BeforeEach
  void connect() {
    cluster = SimulatedCluster.heardBy(query -> {}, 3);
    session =
        cluster.connect(
            new FeedbackSessionBuilder(),
            config ->
                SimulatedCluster.hedged(config)
                    .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, GivesUp.class));
    silent = SimulatedCluster.rack(session, "rack1").get(0);
    SimulatedCluster.saveForCopies(session, QUERY);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void should_mark_copies_and_nothing_else() {
    long before = copies().sent.sum();
    cluster.of(silent).prime(when(QUERY.getQuery()).then(noResult()));
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              session.executeAsync(QUERY);
              return copies().sent.sum() >= before + 3;
            });
    // The session hears no more of a request that is answered: all that were sent came to a node.
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(markedFrames().count()).isEqualTo(copies().sent.sum()));
    assertThat(frames())
        .allMatch(log -> log.getFrame().customPayload.containsKey(FeedbackCodec.PAYLOAD_KEY));
  }

  @Test
  void should_wait_for_the_first_node_when_all_others_refuse_the_copy() {
    cluster.of(silent).prime(when(QUERY.getQuery()).then(noRows()).delay(2, TimeUnit.SECONDS));
    for (Node node : nodes()) {
      if (node != silent) {
        cluster.of(node).prime(when(QUERY.getQuery()).then(isBootstrapping()));
      }
    }
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              ByteBuffer number = ByteBuffer.allocate(4).putInt(0, requests.size());
              requests.add(
                  session
                      .executeAsync(QUERY.setCustomPayload(Map.of(NUMBER, number)))
                      .toCompletableFuture());
              return bothOthersRefusedOne();
            });
    for (CompletableFuture<AsyncResultSet> request : requests) {
      assertThat(request.join().getExecutionInfo().getCoordinator())
          .as("a refused copy ends no request")
          .isEqualTo(silent);
    }
    assertThat(copies().refusedByNode.sum()).isGreaterThanOrEqualTo(2);
    assertThat(policy(session).faults().faults()).isZero();
  }

  /** Whether two frames of one request were marked: the second after the first was refused. */
  private boolean bothOthersRefusedOne() {
    Set<ByteBuffer> refused = new HashSet<>();
    return markedFrames()
        .map(log -> log.getFrame().customPayload.get(NUMBER))
        .anyMatch(number -> number != null && !refused.add(number));
  }

  private Stream<QueryLog> markedFrames() {
    return frames().stream()
        .filter(log -> log.getFrame().customPayload.containsKey(FeedbackCodec.COPY_KEY));
  }

  private List<QueryLog> frames() {
    return cluster.nodes().getLogs().getQueryLogs().stream()
        .filter(log -> QUERY.getQuery().equals(log.getQuery()))
        .collect(Collectors.toList());
  }

  private List<Node> nodes() {
    return List.copyOf(session.getMetadata().getNodes().values());
  }

  private CopyCounts copies() {
    return policy(session).hedges().copies;
  }

  /** It would end a request whose copy is refused, were it asked. */
  public static final class GivesUp extends DefaultRetryPolicy {
    public GivesUp(DriverContext context, String profileName) {
      super(context, profileName);
    }

    @Override
    public RetryVerdict onErrorResponseVerdict(
        Request request, CoordinatorException error, int retryCount) {
      return RetryVerdict.RETHROW;
    }
  }
}
