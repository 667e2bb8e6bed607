/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.isBootstrapping;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noResult;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.overloaded;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.eventually;
import static io.curtail.waiting.Waiting.patiently;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.retry.RetryPolicy;
import com.datastax.oss.driver.api.core.retry.RetryVerdict;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.retry.DefaultRetryPolicy;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.simulacron.common.cluster.AbstractNode;
import com.datastax.oss.simulacron.common.cluster.QueryLog;
import com.datastax.oss.simulacron.common.result.ErrorResult;
import com.datastax.oss.simulacron.common.stubbing.Action;
import com.datastax.oss.simulacron.common.stubbing.Prime;
import com.datastax.oss.simulacron.common.stubbing.StubMapping;
import io.curtail.selection.FeedbackCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Copies of sessions that hear nodes, as busy nodes answer them; that real ones do is tested with
 * curtail-server.
 */
class MarkedCopiesTest {
  private static final SimpleStatement QUERY =
      SimpleStatement.newInstance("SELECT v FROM t").setIdempotent(true);

  /** In the payload of each request, so that its frames are found. */
  private static final String NUMBER = "number";

  private static final int REQUESTS_A_TURN = 25;

  private SimulatedCluster cluster;
  private CqlSession session;
  private Node silent;

  @BeforeEach
  void connect() {
    cluster = SimulatedCluster.heardBy(query -> {}, 3);
    connect(GivesUp.class);
  }

  private void connect(Class<? extends RetryPolicy> retries) {
    session =
        cluster.connect(
            new FeedbackSessionBuilder(),
            config ->
                SimulatedCluster.hedged(config)
                    .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, retries)
                    .startProfile("uncopied")
                    .withClass(
                        DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                        NoSpeculativeExecutionPolicy.class)
                    .endProfile()
                    .startProfile("ranked")
                    .withClass(
                        DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                        NoSpeculativeExecutionPolicy.class)
                    .withString(AdaptiveOption.RANKING, "c3-per-slot")
                    .endProfile());
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
    patiently()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              session.executeAsync(QUERY);
              return copies().sent.sum() >= before + 3;
            });
    // The session hears no more of a request that is answered: all that were sent came to a node.
    eventually(() -> assertThat(markedFrames().count()).isEqualTo(copies().sent.sum()));
    assertThat(frames())
        .allMatch(log -> log.getFrame().customPayload.containsKey(FeedbackCodec.PAYLOAD_KEY));
  }

  /** Where the connection to the copy's node is closing the driver writes nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"default", "uncopied", "ranked"})
  void should_not_mark_the_next_request_when_a_copy_was_not_written(String profile) {
    CopyMark.set(true);
    session.execute(
        QUERY.setExecutionProfileName(profile).setCustomPayload(Map.of(NUMBER, bytes(1))));
    // The default profile's may have a copy, which is marked.
    eventually(
        () ->
            assertThat(frames()).anyMatch(log -> number(log) != null && !isMarked(log.getFrame())));
  }

  @Test
  void should_wait_for_the_first_node_when_all_others_refuse_the_copy() throws Exception {
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    // Who answers late for long is usually late, and gets no copies: so only a few requests a turn.
    do {
      nodes().forEach(node -> cluster.of(node).clearPrimes(true));
      SimulatedCluster.saveForCopies(session, QUERY);
      requests.addAll(requestsWhileOneIsSilent(requests.size(), isBootstrapping()));
    } while (!bothOthersRefusedOne() && System.nanoTime() < deadline);
    assertThat(bothOthersRefusedOne()).isTrue();
    Set<ByteBuffer> copied = markedFrames().map(MarkedCopiesTest::number).collect(toSet());
    copied.retainAll(firstAskedTheSilentOne());
    assertThat(copied).isNotEmpty();
    for (int i = 0; i < requests.size(); i++) {
      Node coordinator = requests.get(i).join().getExecutionInfo().getCoordinator();
      if (copied.contains(bytes(i))) {
        assertThat(coordinator).as("a refused copy ends no request").isEqualTo(silent);
      }
    }
    assertThat(copies().refusedByNode.sum()).isGreaterThanOrEqualTo(2);
    assertThat(policy(session).faults().faults()).isZero();
  }

  /** By the driver's own retries it would go on to the next node without leave, as no copy. */
  @Test
  void should_mark_what_is_sent_when_a_copy_failed() throws Exception {
    session.close();
    connect(DefaultRetryPolicy.class);
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    do {
      nodes().forEach(node -> cluster.of(node).clearPrimes(true));
      SimulatedCluster.saveForCopies(session, QUERY);
      requests.addAll(requestsWhileOneIsSilent(requests.size(), overloaded("busy")));
    } while (markedFrames().noneMatch(log -> number(log) != null) && System.nanoTime() < deadline);
    assertThat(markedFrames().map(MarkedCopiesTest::number)).anyMatch(Objects::nonNull);
    requests.forEach(CompletableFuture::join);
    assertThat(
            frames()
                .filter(log -> !isMarked(log.getFrame()) && number(log) != null)
                .map(MarkedCopiesTest::number))
        .as("the first of each request, and no other")
        .doesNotHaveDuplicates()
        .hasSize(requests.size());
    assertThat(policy(session).faults().faults()).isZero();
  }

  /**
   * @param toCopies what the other nodes answer copies by
   */
  private List<CompletableFuture<AsyncResultSet>> requestsWhileOneIsSilent(
      int from, ErrorResult toCopies) throws InterruptedException {
    cluster.of(silent).prime(when(QUERY.getQuery()).then(noRows()).delay(2, TimeUnit.SECONDS));
    for (Node node : nodes()) {
      if (node != silent) {
        cluster.of(node).getStubStore().register(new FailsCopies(toCopies));
      }
    }
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    for (int i = 0; i < REQUESTS_A_TURN; i++) {
      requests.add(
          session
              .executeAsync(QUERY.setCustomPayload(Map.of(NUMBER, bytes(from + i))))
              .toCompletableFuture());
      TimeUnit.MILLISECONDS.sleep(20);
    }
    CompletableFuture.allOf(requests.toArray(new CompletableFuture<?>[0])).join();
    return requests;
  }

  /**
   * Whether two frames of one request to the silent node were marked: the second after the first
   * was refused.
   */
  private boolean bothOthersRefusedOne() {
    Set<ByteBuffer> first = firstAskedTheSilentOne();
    Set<ByteBuffer> refused = new HashSet<>();
    return markedFrames()
        .map(MarkedCopiesTest::number)
        .anyMatch(number -> number != null && first.contains(number) && !refused.add(number));
  }

  /** Another node is asked first when it is probed or the quicker one. */
  private Set<ByteBuffer> firstAskedTheSilentOne() {
    return frames(cluster.of(silent).getLogs().getQueryLogs())
        .filter(log -> !isMarked(log.getFrame()))
        .map(MarkedCopiesTest::number)
        .collect(toSet());
  }

  private static ByteBuffer number(QueryLog log) {
    return log.getFrame().customPayload.get(NUMBER);
  }

  private static ByteBuffer bytes(int number) {
    return ByteBuffer.allocate(4).putInt(0, number);
  }

  private Stream<QueryLog> markedFrames() {
    return frames().filter(log -> isMarked(log.getFrame()));
  }

  private static boolean isMarked(Frame frame) {
    return frame.customPayload.containsKey(FeedbackCodec.COPY_KEY);
  }

  private Stream<QueryLog> frames() {
    return frames(cluster.nodes().getLogs().getQueryLogs());
  }

  private static Stream<QueryLog> frames(List<QueryLog> logs) {
    return logs.stream().filter(log -> QUERY.getQuery().equals(log.getQuery()));
  }

  private List<Node> nodes() {
    return List.copyOf(session.getMetadata().getNodes().values());
  }

  private CopyCounts copies() {
    return policy(session).hedges().copies;
  }

  /** It answers all but copies. */
  private static final class FailsCopies extends StubMapping {
    private final Prime error;

    FailsCopies(ErrorResult error) {
      this.error = when(QUERY.getQuery()).then(error).build();
    }

    @Override
    public boolean matches(Frame frame) {
      return isMarked(frame) && error.matches(frame);
    }

    @Override
    @SuppressWarnings("rawtypes") // as the library declares it
    public List<Action> getActions(AbstractNode node, Frame frame) {
      return error.getActions(node, frame);
    }
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
