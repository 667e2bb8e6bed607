/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noResult;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.serverError;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metrics.DefaultSessionMetric;
import com.datastax.oss.driver.api.core.session.throttling.Throttled;
import com.datastax.oss.driver.internal.core.loadbalancing.DefaultLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import com.datastax.oss.driver.internal.core.util.concurrent.BlockingOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** In real sessions, to one simulated node that stands still when the test says. */
class AdaptiveThrottlerTest {
  private static final int LIMIT = 2;
  private static final int QUEUE = 5;

  private SimulatedCluster cluster;
  private CqlSession session;
  private ThrottlerBacklog backlog;

  private volatile CountDownLatch resumed = new CountDownLatch(0);

  /** What the node was asked, in this order. */
  private final List<String> asked = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() {
    cluster =
        SimulatedCluster.heardBy(
            query -> {
              asked.add(query);
              awaitResume();
            },
            1);
    connect(config -> {});
  }

  @AfterEach
  void close() {
    resume();
    cluster.close();
  }

  @Test
  void should_hold_what_is_over_the_limit_and_send_it_in_order() {
    List<CompletableFuture<AsyncResultSet>> requests = fillUp();
    assertThat(policy(session).tracked(node()).lastKnownInFlight()).isEqualTo(LIMIT);

    resume();
    requests.forEach(CompletableFuture::join);

    assertThat(queriesAsked())
        .containsExactlyElementsOf(
            IntStream.range(0, LIMIT + QUEUE)
                .mapToObj(AdaptiveThrottlerTest::cql)
                .collect(Collectors.toList()));
    assertThat(backlog.size()).isZero();
    assertThat(backlog.admitted()).isEqualTo(QUEUE);
    assertThat(backlog.waitedNanos()).isPositive();
    assertThat(waitingForNode()).isZero();
    assertThat(
            session
                .getMetrics()
                .orElseThrow()
                .getSessionMetric(DefaultSessionMetric.THROTTLING_DELAY)
                .map(timer -> ((com.codahale.metrics.Timer) timer).getCount()))
        .as("the driver's own metric has each request that waited once")
        .hasValue((long) QUEUE);
  }

  @Test
  void should_refuse_at_once_when_the_queue_is_full() {
    List<CompletableFuture<AsyncResultSet>> requests = fillUp();
    assertThatThrownBy(() -> session.execute(cql(99)))
        .isInstanceOf(RequestThrottlingException.class)
        .hasMessageContaining("max-in-flight = " + LIMIT)
        .hasMessageContaining("max-queue-size = " + QUEUE);
    assertThat(backlog.refused()).isEqualTo(1);
    resume();
    requests.forEach(CompletableFuture::join);
    session.execute(cql(100));
  }

  @Test
  void should_forget_what_times_out_or_is_cancelled_while_it_waits() {
    List<CompletableFuture<AsyncResultSet>> requests = fillUp();
    requests.get(LIMIT).cancel(true);
    assertThat(backlog.size()).isEqualTo(QUEUE - 1);
    CompletableFuture<AsyncResultSet> late = send(99, Duration.ofMillis(50));
    assertThat(backlog.admitted()).isEqualTo(QUEUE + 1);
    assertThatThrownBy(late::join).hasCauseInstanceOf(DriverTimeoutException.class);
    await(() -> backlog.size() == QUEUE - 1);

    resume();
    requests.stream().filter(request -> !request.isCancelled()).forEach(CompletableFuture::join);
    assertThat(backlog.size()).isZero();
    assertThat(waitingForNode()).isZero();
    assertThat(queriesAsked()).hasSize(LIMIT + QUEUE - 1).doesNotContain(cql(LIMIT), cql(99));
  }

  /** As by {@code orTimeout} on the driver's future: the driver does not tell of that. */
  @Test
  void should_forget_what_the_application_has_ended_while_it_waits() {
    List<CompletableFuture<AsyncResultSet>> requests = fillUp();
    requests.get(LIMIT).completeExceptionally(new TimeoutException());
    await(() -> backlog.size() == QUEUE - 1);

    requests.add(send(98, PATIENCE));
    assertThat(backlog.size()).isEqualTo(QUEUE);
    requests.get(LIMIT + QUEUE - 2).completeExceptionally(new TimeoutException());
    requests.get(LIMIT + QUEUE - 1).completeExceptionally(new TimeoutException());
    requests.add(send(99, PATIENCE));
    assertThat(backlog.size()).as("those behind the first make room, too").isEqualTo(QUEUE - 1);
    assertThat(backlog.refused()).isZero();

    resume();
    requests.stream()
        .filter(request -> !request.isCompletedExceptionally())
        .forEach(CompletableFuture::join);
    assertThat(waitingForNode()).isZero();
    assertThat(queriesAsked()).hasSize(LIMIT + QUEUE - 1).contains(cql(98), cql(99));
  }

  @Test
  void should_go_on_when_those_in_flight_are_answered_after_their_time() {
    pause();
    for (int i = 0; i < LIMIT; i++) {
      CompletableFuture<AsyncResultSet> late = send(i, Duration.ofMillis(50));
      assertThatThrownBy(late::join).hasCauseInstanceOf(DriverTimeoutException.class);
    }
    CompletableFuture<AsyncResultSet> waits = send(LIMIT, PATIENCE);
    assertThat(backlog.size()).as("the node is still at work on the others").isEqualTo(1);
    resume();
    waits.join();
  }

  @Test
  void should_go_on_when_the_answers_of_those_in_flight_are_lost() {
    for (int i = 0; i < LIMIT; i++) {
      cluster.nodes().prime(when(cql(i)).then(noResult()));
    }
    for (int i = 0; i < LIMIT; i++) {
      CompletableFuture<AsyncResultSet> lost = send(i, Duration.ofMillis(50));
      assertThatThrownBy(lost::join).hasCauseInstanceOf(DriverTimeoutException.class);
    }
    // The driver gives a request up after it has told its sender.
    await(() -> ((DefaultSession) session).getPools().get(node()).getOrphanedIds() == LIMIT);
    CompletableFuture<AsyncResultSet> waits = send(LIMIT, PATIENCE);
    for (int i = 0; i < 2 * LostAnswers.LOOKS; i++) {
      policy(session).lookForLostAnswers();
    }
    waits.join();
    assertThat(policy(session).tracked(node()).lastKnownInFlight()).isZero();
  }

  @Test
  void should_fail_one_that_cannot_be_planned_and_send_the_others() {
    CompletableFuture<Void> unplanned = new CompletableFuture<>();
    List<CompletableFuture<AsyncResultSet>> requests =
        passOneThatCannotBePlanned(unplanned::completeExceptionally);
    requests.forEach(CompletableFuture::join);
    assertThatThrownBy(unplanned::join)
        .hasCauseInstanceOf(RequestThrottlingException.class)
        .hasStackTraceContaining("no plan");
  }

  /** As the driver does on its own threads: it would hold up all that wait. */
  @Test
  void should_refuse_a_call_that_blocks_when_it_comes_from_a_request_that_waited() {
    CompletableFuture<Void> blocking = new CompletableFuture<>();
    List<CompletableFuture<AsyncResultSet>> requests =
        passOneThatCannotBePlanned(
            error -> {
              try {
                BlockingOperation.checkNotDriverThread();
                blocking.complete(null);
              } catch (IllegalStateException e) {
                blocking.completeExceptionally(e);
              }
            });
    requests.forEach(CompletableFuture::join);
    assertThatThrownBy(blocking::join).hasMessageContaining("synchronous API call");
  }

  /** Returns the others, of which one waited behind it. */
  private List<CompletableFuture<AsyncResultSet>> passOneThatCannotBePlanned(
      Consumer<Throwable> onFailure) {
    Throttled request =
        new Throttled() {
          @Override
          public void onThrottleReady(boolean wasDelayed) {
            onFailure.accept(new AssertionError("sent"));
          }

          @Override
          public void onThrottleFailure(RequestThrottlingException error) {
            onFailure.accept(error);
          }
        };
    pause();
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      requests.add(send(i, PATIENCE));
    }
    backlog.add(
        new WaitingRequest(
            request,
            "a line of its own",
            new AtomicInteger[0],
            () -> {
              throw new IllegalStateException("no plan");
            }));
    requests.add(send(LIMIT, PATIENCE));
    resume();
    return requests;
  }

  @Test
  void should_fail_what_waits_when_the_session_closes() {
    List<CompletableFuture<AsyncResultSet>> requests = fillUp();
    CompletionStage<Void> closing = session.closeAsync();
    for (CompletableFuture<AsyncResultSet> request : requests.subList(LIMIT, LIMIT + QUEUE)) {
      assertThatThrownBy(request::join)
          .hasCauseInstanceOf(RequestThrottlingException.class)
          .hasMessageContaining("shutting down");
    }
    assertThat(backlog.size()).isZero();
    resume();
    closing.toCompletableFuture().join();
    requests.subList(0, LIMIT).forEach(CompletableFuture::join);
    assertThatThrownBy(() -> session.execute(cql(99))).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void should_let_prepares_and_requests_to_a_chosen_node_pass() {
    List<CompletableFuture<AsyncResultSet>> requests = fillUp();
    CompletionStage<?> prepare = session.prepareAsync("SELECT v FROM t WHERE k = ?");
    CompletionStage<?> chosen =
        session.executeAsync(SimpleStatement.newInstance(cql(99)).setNode(node()));
    assertThat(backlog.size()).isEqualTo(QUEUE);
    assertThat(policy(session).tracked(node()).lastKnownInFlight()).isEqualTo(LIMIT + 2);
    resume();
    prepare.toCompletableFuture().join();
    chosen.toCompletableFuture().join();
    requests.forEach(CompletableFuture::join);
  }

  @Test
  void should_hold_reactive_requests_too() {
    List<CompletableFuture<AsyncResultSet>> requests = fillUp();
    requests.get(LIMIT).cancel(true);
    CompletableFuture<Void> done = new CompletableFuture<>();
    subscribe(session.executeReactive(cql(99)), done);
    assertThat(backlog.size()).isEqualTo(QUEUE);
    resume();
    done.join();
    assertThat(queriesAsked()).contains(cql(99));
  }

  @Test
  void should_retry_without_a_second_wait() {
    cluster.nodes().prime(when(cql(0)).then(serverError("no")));
    assertThatThrownBy(
            () -> session.execute(SimpleStatement.newInstance(cql(0)).setIdempotent(true)))
        .isInstanceOf(AllNodesFailedException.class);
    assertThat(backlog.admitted()).isZero();
  }

  @Test
  void should_send_what_waits_by_the_stock_plan_when_the_policy_is_switched_off() {
    List<CompletableFuture<AsyncResultSet>> requests = fillUp();
    policy(session).control().setEnabled(false);
    await(() -> backlog.size() == 0);
    resume();
    requests.forEach(CompletableFuture::join);
    assertThat(queriesAsked()).hasSize(LIMIT + QUEUE).doesNotHaveDuplicates();
  }

  /** By a callback that was told to interrupt its thread: it would look again without a pause. */
  @Test
  void should_go_on_as_before_when_the_thread_that_sends_what_waited_is_interrupted() {
    List<CompletableFuture<AsyncResultSet>> requests = fillUp();
    Thread sender =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals(session.getName() + "-curtail-backlog"))
            .findFirst()
            .orElseThrow();
    sender.interrupt();
    await(() -> !sender.isInterrupted());
    resume();
    requests.forEach(CompletableFuture::join);
    sender.interrupt();
    await(() -> !sender.isInterrupted());
    assertThat(sender.isAlive()).isTrue();
  }

  /** With C3's ranking it is C3. */
  @ParameterizedTest
  @ValueSource(strings = {"adaptive", "c3-without-rate-control", "c3-per-slot"})
  void should_hold_a_burst_when_a_rate_is_set_and_send_all_of_it(String ranking) {
    session.close();
    connect(
        config ->
            config
                .withString(AdaptiveOption.RANKING, ranking)
                .withString(ThrottlerOption.RATE_CONTROL, "cubic")
                .withInt(ThrottlerOption.MAX_IN_FLIGHT, 1000)
                .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, 1000));
    pause();
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      requests.add(send(i, PATIENCE));
    }
    assertThat(backlog.admitted()).isPositive();
    resume();
    requests.forEach(CompletableFuture::join);
    assertThat(queriesAsked()).hasSize(200).doesNotHaveDuplicates();
    assertThat(policy(session).tracked(node()).rate.perSecond()).isGreaterThanOrEqualTo(50);
  }

  @Test
  void should_have_one_turn_and_one_rate_when_profiles_have_policies_of_their_own() {
    session.close();
    connect(
        config ->
            config
                .withString(ThrottlerOption.RATE_CONTROL, "cubic")
                .startProfile("own")
                .withDuration(AdaptiveOption.PROBE_INTERVAL, Duration.ofMillis(70))
                .endProfile());
    TrackedNode tracked = policy(session).tracked(node());
    TrackedNode own = policy(session, "own").tracked(node());
    assertThat(own).isNotSameAs(tracked);
    assertThat(own.rate).isNotNull().isSameAs(tracked.rate);
    assertThat(own.waiting).isSameAs(tracked.waiting);
    assertThat(policy(session, "own").plans().limits()).isSameAs(policy(session).plans().limits());
  }

  @Test
  void should_refuse_to_start_when_no_policy_is_of_curtail() {
    assertThatThrownBy(
            () ->
                connect(
                    config ->
                        config.withClass(
                            DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                            DefaultLoadBalancingPolicy.class)))
        .hasStackTraceContaining("needs basic.load-balancing-policy.class = io.curtail");
  }

  private void connect(Consumer<ProgrammaticDriverConfigLoaderBuilder> settings) {
    session =
        cluster.connect(
            config -> {
              config
                  .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class)
                  .withClass(DefaultDriverOption.REQUEST_THROTTLER_CLASS, AdaptiveThrottler.class)
                  .withInt(ThrottlerOption.MAX_IN_FLIGHT, LIMIT)
                  .withInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, QUEUE)
                  .withDuration(DefaultDriverOption.NETTY_TIMER_TICK_DURATION, Duration.ofMillis(1))
                  .withStringList(
                      DefaultDriverOption.METRICS_SESSION_ENABLED,
                      List.of(DefaultSessionMetric.THROTTLING_DELAY.getPath()));
              settings.accept(config);
            });
    backlog = ((AdaptiveThrottler) session.getContext().getRequestThrottler()).backlog();
    await(() -> node().getOpenConnections() == 2);
  }

  /** The node stands still at the next request that comes to it. */
  private void pause() {
    resumed = new CountDownLatch(1);
  }

  private void resume() {
    resumed.countDown();
  }

  private void awaitResume() {
    try {
      resumed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As many requests as may be in flight, and as many as may wait. */
  private List<CompletableFuture<AsyncResultSet>> fillUp() {
    pause();
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    for (int i = 0; i < LIMIT + QUEUE; i++) {
      requests.add(send(i, PATIENCE));
    }
    assertThat(backlog.size()).isEqualTo(QUEUE);
    return requests;
  }

  private CompletableFuture<AsyncResultSet> send(int number, Duration timeout) {
    return session
        .executeAsync(SimpleStatement.newInstance(cql(number)).setTimeout(timeout))
        .toCompletableFuture();
  }

  private static String cql(int number) {
    return "SELECT v FROM t WHERE k = " + number;
  }

  private List<String> queriesAsked() {
    return asked.stream().filter(cql -> cql.contains("k = ")).collect(Collectors.toList());
  }

  private Node node() {
    return session.getMetadata().getNodes().values().iterator().next();
  }

  private int waitingForNode() {
    return policy(session).tracked(node()).waiting.get();
  }

  private static <T> void subscribe(Publisher<T> publisher, CompletableFuture<Void> done) {
    publisher.subscribe(
        new Subscriber<T>() {
          @Override
          public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
          }

          @Override
          public void onNext(T row) {}

          @Override
          public void onError(Throwable error) {
            done.completeExceptionally(error);
          }

          @Override
          public void onComplete() {
            done.complete(null);
          }
        });
  }
}
