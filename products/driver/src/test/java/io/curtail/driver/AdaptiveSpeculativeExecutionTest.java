/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noResult;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.specex.ConstantSpeculativeExecutionPolicy;
import com.datastax.oss.driver.internal.core.tracker.UuidRequestIdGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In real sessions, to simulated nodes. */
class AdaptiveSpeculativeExecutionTest {
  private static final String CQL = "SELECT v FROM t";
  private static final int REQUESTS = 200;

  private static final int SLOW_MILLIS = 2_000;

  /** So many in a row were not copied: none will be. */
  private static final int ENOUGH_TO_KNOW = 100;

  private SimulatedCluster cluster;
  private CqlSession session;

  @BeforeEach
  void start() {
    cluster = new SimulatedCluster(3);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** It has no copies, and is no reason not to start. */
  @Test
  void should_copy_none_of_a_profile_whose_ranking_knows_no_copies() {
    connect(
        config ->
            config
                .startProfile("reports")
                .withString(AdaptiveOption.RANKING, "c3-per-slot")
                .endProfile());
    assertThat(policy(session).hedges()).isNotNull();
    assertThat(policy(session, "reports").hedges()).isNull();
  }

  @Test
  void should_copy_what_a_silent_node_owes_and_win() throws Exception {
    connect(config -> {});
    saveForCopies();
    Node silent = anyNode();
    TrackedNode tracked = policy(session).tracked(silent);
    // Some slow answers lately, as on a busy machine, would hide that it is slower now.
    patiently()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              session.execute(query(true).setNode(silent));
              return tracked.delay.responseTimeNanos(System.nanoTime()) < tracked.tail.delayNanos();
            });
    // Some of those that were to save may have been slow enough for a copy.
    long before = tracked.copies.won.sum();
    double usual = tracked.delay.responseTimeNanos(System.nanoTime());
    cluster.of(silent).prime(when(CQL).then(noResult()));

    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    patiently()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              requests.add(send(query(true)));
              return tracked.copies.won.sum() > before;
            });

    eventually(
        () ->
            assertThat(tracked.delay.responseTimeNanos(System.nanoTime()))
                .as("the ranking learns of it, though the driver reports no answer")
                .isGreaterThan(usual));
    // The driver counts an answer before it hands it over.
    await(() -> requests.stream().anyMatch(CompletableFuture::isDone));
    assertThat(tracked.copies.won.sum()).isPositive();
    assertThat(tracked.copies.sent.sum()).isGreaterThanOrEqualTo(tracked.copies.won.sum());
    assertThat(policy(session).faults().faults()).isZero();
  }

  /**
   * Its own answers say that it may take seconds; the better node's say when to ask that. Which
   * copies win is not known where the driver numbers requests.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void should_not_let_a_request_wait_that_probes_a_slow_node(boolean numbered) {
    connect(
        config -> {
          config.withDuration(AdaptiveOption.PROBE_INTERVAL, Duration.ofMillis(20));
          if (numbered) {
            config.withClass(
                DefaultDriverOption.REQUEST_ID_GENERATOR_CLASS, UuidRequestIdGenerator.class);
          }
        });
    Node slow = SimulatedCluster.rack(session, "rack1").get(0);
    cluster.of(slow).prime(when(CQL).then(noRows()).delay(SLOW_MILLIS, TimeUnit.MILLISECONDS));
    TrackedNode tracked = policy(session).tracked(slow);
    List<CompletableFuture<AsyncResultSet>> first = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      tracked.delay.sent(System.nanoTime()); // as a plan does, which would not choose it always
      first.add(send(query(false).setNode(slow)));
    }
    CompletableFuture.allOf(first.toArray(new CompletableFuture<?>[0])).join();
    await(() -> tracked.tail.delayNanos() > TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS));
    patiently()
        .pollInterval(Duration.ZERO)
        .untilAsserted(
            () -> {
              session.execute(query(true));
              CopyCounts copies = tracked.copies;
              assertThat(numbered ? copies.sent.sum() : copies.won.sum())
                  .as("won of %s", copies.toMap())
                  .isGreaterThanOrEqualTo(3);
            });
  }

  /** A refused copy is not tried again: it must not be due before it can be granted. */
  @Test
  void should_wait_until_another_could_have_answered_when_all_others_are_far() {
    connect(config -> {});
    Node near = anyNode();
    nodes().stream()
        .filter(node -> node != near)
        .forEach(
            node ->
                cluster.of(node).prime(when(CQL).then(noRows()).delay(100, TimeUnit.MILLISECONDS)));
    saveForCopies();
    TrackedNode tracked = policy(session).tracked(near);
    long before = tracked.copies.won.sum();
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    cluster.of(near).prime(when(CQL).then(noResult()));
    patiently()
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              requests.add(send(query(true)));
              return tracked.copies.won.sum() > before;
            });
    assertThat(tracked.tail.delayNanos()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(100));
    await(() -> requests.stream().anyMatch(CompletableFuture::isDone));
  }

  /** As one that came up and stopped at once. */
  @Test
  void should_copy_what_a_node_owes_that_never_answered() {
    connect(config -> {});
    Node silent = anyNode();
    cluster.of(silent).prime(when(CQL).then(noResult()));
    for (int i = 0; i < SimulatedCluster.ENOUGH_TO_SAVE_FOR_A_COPY; i++) {
      for (Node node : nodes()) {
        if (node != silent) {
          session.execute(query(true).setNode(node));
        }
      }
    }
    TrackedNode tracked = policy(session).tracked(silent);
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    patiently()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              requests.add(send(query(true)));
              return tracked.copies.won.sum() > 0;
            });
    assertThat(tracked.tail.usualNanos()).isZero();
    await(() -> requests.stream().anyMatch(CompletableFuture::isDone));
  }

  @Test
  void should_copy_nothing_when_the_request_is_not_idempotent_or_a_lightweight_transaction() {
    connect(config -> {});
    saveForCopies();
    // Else no request would be copied, whatever it is. Two slow answers add a tenth.
    patiently()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              nodes().forEach(node -> session.execute(query(true).setNode(node)));
              return delayMillisOfAll() < 100;
            });
    String conditional = "UPDATE t SET v = 1 WHERE k = 1 IF v = 0";
    for (String cql : List.of(CQL, conditional)) {
      cluster.nodes().prime(when(cql).then(noRows()).delay(200, TimeUnit.MILLISECONDS));
    }
    long before = sum(AdaptiveSpeculativeExecutionTest::due);
    for (int i = 0; i < 3; i++) {
      session.execute(query(false));
      session.execute(SimpleStatement.newInstance(conditional).setIdempotent(true));
    }
    assertThat(delayMillisOfAll()).isLessThan(200);
    assertThat(sum(AdaptiveSpeculativeExecutionTest::due)).isEqualTo(before);
  }

  private long delayMillisOfAll() {
    return sum(node -> policy(session).hedges().delayNanos(node)) / 1_000_000;
  }

  @Test
  void should_copy_next_to_nothing_when_all_nodes_are_slow() {
    connect(config -> {});
    saveForCopies();
    // Many times what an answer takes, also on a busy machine.
    cluster.nodes().prime(when(CQL).then(noRows()).delay(1, TimeUnit.SECONDS));
    long dueBefore = sum(AdaptiveSpeculativeExecutionTest::due);
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      requests.add(send(query(true)));
    }
    await(() -> sum(AdaptiveSpeculativeExecutionTest::due) - dueBefore > 20);
    // What was saved may pay for copies until the first answers tell that all are slow. Refusals
    // end
    // too: once the delay has followed the answers none is due.
    AtomicLong copies = new AtomicLong(-1);
    AtomicLong answered = new AtomicLong();
    patiently()
        .pollInterval(Duration.ofMillis(5))
        .untilAsserted(
            () -> {
              requests.add(send(query(true)));
              long answeredNow = requests.stream().filter(CompletableFuture::isDone).count();
              long sent = sum(node -> node.copies.sent.sum());
              if (copies.getAndSet(sent) != sent) {
                answered.set(answeredNow);
              }
              assertThat(answeredNow - answered.get())
                  .as("answered since the latest of %s copies", sent)
                  .isGreaterThanOrEqualTo(ENOUGH_TO_KNOW);
            });
    assertThat(sum(node -> node.copies.refusedByLoad())).isPositive();
    requests.forEach(CompletableFuture::join);
  }

  /** A plan that refuses the timer a copy goes on for retries. */
  @Test
  void should_give_retries_every_node_when_a_copy_was_refused() throws Exception {
    connect(config -> {});
    Queue<Node> plan = policy(session).newQueryPlan(query(true), session);
    List<Node> polled = new ArrayList<>();
    polled.add(plan.poll());

    assertThat(CompletableFuture.supplyAsync(plan::poll).get()).isNull();
    CompletableFuture.runAsync(
            () -> {
              DriverThreads.hearsOfNodes();
              for (Node node = plan.poll(); node != null; node = plan.poll()) {
                polled.add(node);
              }
            },
            task -> new Thread(task).start())
        .get();

    assertThat(polled).containsExactlyInAnyOrderElementsOf(nodes());
  }

  /** The application asks again as another request times out: the timer makes that plan, too. */
  @Test
  void should_refuse_a_copy_of_a_transaction_when_the_timer_has_sent_it() throws Exception {
    connect(config -> {});
    cluster.nodes().prime(when(CQL).then(noResult()));
    SimpleStatement conditional =
        SimpleStatement.newInstance("UPDATE t SET v = 1 WHERE k = 1 IF v = 0").setIdempotent(true);
    ExecutorService timer = Executors.newSingleThreadExecutor();
    try {
      Queue<Node> unconnected =
          timer.submit(() -> policy(session).newQueryPlan(conditional, session)).get();
      assertThat(timer.submit(() -> List.of(unconnected.poll(), unconnected.poll())).get())
          .as("a node without a connection is passed over")
          .doesNotHaveDuplicates();

      Queue<Node> plan =
          timer.submit(() -> policy(session).newQueryPlan(conditional, session)).get();
      Node asked = timer.submit(plan::poll).get();
      CompletableFuture<AsyncResultSet> owed = send(query(false).setNode(asked));
      await(() -> policy(session).tracked(asked).lastKnownInFlight() > 0);
      assertThat(owed).isNotDone();
      Thread.sleep(2); // a copy is never due before
      assertThat(timer.submit(plan::poll).get()).isNull();
    } finally {
      timer.shutdown();
    }
  }

  /**
   * A pause of the sender, as for garbage, between a node without a connection and the next one.
   */
  @Test
  void should_give_the_sender_the_next_node_when_no_copy_is_due_yet() throws Exception {
    connect(config -> config.withDuration(HedgingOption.LEAST_DELAY, Duration.ofMinutes(1)));
    for (Node node : nodes()) {
      session.execute(query(true).setNode(node));
    }
    session.execute(query(true)); // whose plan looks at each node's connections
    cluster.nodes().prime(when(CQL).then(noResult()));
    List<CompletableFuture<AsyncResultSet>> owed = new ArrayList<>();
    nodes().forEach(node -> owed.add(send(query(false).setNode(node))));
    await(() -> nodes().stream().allMatch(this::isOwing));
    assertThat(owed).noneMatch(CompletableFuture::isDone);
    // One that would be refused a copy, were one asked for.
    SimpleStatement conditional =
        SimpleStatement.newInstance("UPDATE t SET v = 1 WHERE k = 1 IF v = 0").setIdempotent(true);
    Queue<Node> plan = policy(session).newQueryPlan(conditional, session);
    Node first = plan.poll();
    Thread.sleep(2);
    assertThat(plan.poll()).isNotNull().isNotSameAs(first);
  }

  private boolean isOwing(Node node) {
    return policy(session).tracked(node).lastKnownInFlight() > 0;
  }

  @Test
  void should_give_every_node_when_the_request_is_none_that_may_be_copied() {
    connect(config -> {});
    Queue<Node> plan = policy(session).newQueryPlan(query(false), session);
    List<Node> polled = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      polled.add(CompletableFuture.supplyAsync(plan::poll).join());
    }
    assertThat(polled).containsExactlyInAnyOrderElementsOf(nodes());
  }

  /** Its copies are not this one's to refuse or count. */
  @Test
  void should_leave_the_copies_of_a_profile_with_another_policy_to_that_one() {
    connect(
        config ->
            config
                .startProfile("constant")
                .withClass(
                    DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                    ConstantSpeculativeExecutionPolicy.class)
                .withInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX, 3)
                .withDuration(DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY, Duration.ofMillis(1))
                .endProfile()
                .startProfile("patient")
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                .endProfile());
    assertThat(policy(session, "constant")).isSameAs(policy(session));
    SimpleStatement constant = query(true).setExecutionProfileName("constant");
    for (SimpleStatement ours :
        List.of(query(true), query(true).setExecutionProfileName("patient"))) {
      assertThat(policy(session).newQueryPlan(ours, session)).isInstanceOf(HedgedQueryPlan.class);
    }

    Node answering = anyNode();
    cluster.nodes().prime(when(CQL).then(noResult()));
    cluster.of(answering).prime(when(CQL).then(noRows()));
    for (int i = 0; i < 5; i++) {
      assertThat(session.execute(constant).getExecutionInfo().getCoordinator()).isSameAs(answering);
    }
    assertThat(policy(session).control().getCopies().get("asked")).isZero();
  }

  /** The driver makes one speculative execution policy for all profiles with its options. */
  @Test
  void should_copy_requests_of_a_profile_with_an_adaptive_policy_of_its_own() {
    connect(
        config ->
            config
                .startProfile("own")
                .withDuration(AdaptiveOption.PROBE_INTERVAL, Duration.ofMillis(70))
                .endProfile()
                .startProfile("weighted")
                .withClass(
                    DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                    WeightedLeastLoadedPolicy.class)
                .endProfile());
    assertThat(policy(session, "own")).isNotSameAs(policy(session));
    SimpleStatement own = query(true).setExecutionProfileName("own");
    AdaptiveSpeculativeExecution copies =
        (AdaptiveSpeculativeExecution) session.getContext().getSpeculativeExecutionPolicy("own");
    assertThat(policy(session, "own").newQueryPlan(own, session))
        .isInstanceOf(HedgedQueryPlan.class);
    patiently()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              session.execute(own.setNode(anyNode()));
              return copies.nextExecution(anyNode(), null, own, 1) >= 0;
            });
    SimpleStatement weighted = query(true).setExecutionProfileName("weighted");
    assertThat(copies.nextExecution(anyNode(), null, weighted, 1)).isNegative();
  }

  @Test
  void should_refuse_to_start_when_the_policy_is_another_or_an_option_is_out_of_range() {
    assertThatThrownBy(
            () ->
                connect(
                    config ->
                        config.withClass(
                            DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                            WeightedLeastLoadedPolicy.class)))
        .hasStackTraceContaining("needs basic.load-balancing-policy.class = io.curtail");
    assertThatThrownBy(() -> connect(config -> config.withDouble(HedgingOption.SHARE, 0.5)))
        .hasStackTraceContaining(HedgingOption.SHARE.getPath());
  }

  @Test
  void should_ask_for_no_copy_when_the_policy_is_off_or_the_node_never_answered() {
    connect(config -> {});
    AdaptiveSpeculativeExecution copies =
        (AdaptiveSpeculativeExecution)
            session.getContext().getSpeculativeExecutionPolicy("default");
    saveForCopies();
    Node node = anyNode();
    assertThat(copies.nextExecution(node, null, query(true), 1)).isNotNegative();
    assertThat(copies.nextExecution(node, null, query(true), 2)).isNegative();
    eventually(
        () -> { // the driver may tell of the last answer only now
          policy(session).control().setEnabled(false);
          assertThat(copies.nextExecution(node, null, query(true), 1)).isNegative();
          policy(session).control().setEnabled(true);
          assertThat(copies.nextExecution(node, null, query(true), 1)).isNegative();
        });
  }

  private void connect(Consumer<ProgrammaticDriverConfigLoaderBuilder> settings) {
    session =
        cluster.connect(
            config -> {
              SimulatedCluster.hedged(config).without(WeightedOption.LOCAL_RACK);
              settings.accept(config);
            });
    SimulatedCluster.awaitConnected(session, 3);
  }

  private void saveForCopies() {
    SimulatedCluster.saveForCopies(session, query(true));
  }

  private static SimpleStatement query(boolean idempotent) {
    return SimpleStatement.newInstance(CQL).setIdempotent(idempotent);
  }

  private CompletableFuture<AsyncResultSet> send(SimpleStatement statement) {
    return session.executeAsync(statement).toCompletableFuture();
  }

  private List<Node> nodes() {
    return List.copyOf(session.getMetadata().getNodes().values());
  }

  private Node anyNode() {
    return nodes().get(0);
  }

  private static long due(TrackedNode node) {
    return node.copies.sent.sum() + node.copies.refusedByBudget.sum() + node.copies.refusedByLoad();
  }

  private long sum(ToLongFunction<TrackedNode> count) {
    return nodes().stream()
        .mapToLong(node -> count.applyAsLong(policy(session).tracked(node)))
        .sum();
  }
}
