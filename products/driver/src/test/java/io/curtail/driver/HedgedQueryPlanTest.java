/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.tracker.UuidRequestIdGenerator;
import io.curtail.driver.Nodes.Loaded;
import io.curtail.selection.Feedback;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The threads of the driver, and the copies that wait for their answers, in simulated time. */
class HedgedQueryPlanTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1000 * MILLISECOND;

  /** It is refused each copy that it is asked for. */
  private static final SimpleStatement TRANSACTION =
      SimpleStatement.newInstance("UPDATE t SET v = 1 WHERE k = 1 IF v = 0").setIdempotent(true);

  private static final Duration SHORT = Duration.ofMillis(1);

  private final ExecutorService timer = Executors.newSingleThreadExecutor();
  private final ExecutorService sender = Executors.newSingleThreadExecutor();
  private final ExecutorService connection = Executors.newSingleThreadExecutor();
  private List<Loaded> nodes = Nodes.idle(3);
  private String localRack;
  private long now = SECOND;
  private Planner planner;
  private Hedges hedges;

  @AfterEach
  void stop() {
    List.of(timer, sender, connection).forEach(ExecutorService::shutdown);
  }

  /** The driver has scheduled the copy by the delay of then. */
  @Test
  void should_ask_for_leave_when_the_timer_has_sent_the_request_and_the_delay_has_grown() {
    hedge(Duration.ofMinutes(1), false);
    learnTheTimer();
    Queue<Node> plan = on(timer, () -> plan(TRANSACTION));
    assertThat(on(timer, plan::poll)).isNotNull();
    now += 2 * MILLISECOND;
    assertThat(on(timer, plan::poll)).isNull();
  }

  @Test
  void should_give_the_timer_the_next_node_when_it_passes_one_over() {
    hedge(SHORT, false);
    learnTheTimer();
    Queue<Node> plan = on(timer, () -> plan(TRANSACTION));
    assertThat(on(timer, () -> List.of(plan.poll(), plan.poll()))).doesNotHaveDuplicates();
  }

  /** As for garbage, between a node without a connection and the next one. */
  @Test
  void should_give_another_sender_the_next_node_however_long_it_paused() {
    hedge(SHORT, false);
    learnTheTimer();
    Queue<Node> plan = on(sender, () -> plan(TRANSACTION));
    Node first = on(sender, plan::poll);
    now += SECOND;
    assertThat(on(sender, plan::poll)).isNotNull().isNotSameAs(first);
  }

  /** Only the timer polls a plan that another thread has made, of those that hear of no node. */
  private void learnTheTimer() {
    for (Loaded node : nodes) {
      node.withInFlight(1);
      hedges.answered(query(), node, MILLISECOND, now);
    }
    Queue<Node> plan = on(sender, () -> plan(TRANSACTION));
    assertThat(on(sender, plan::poll)).isNotNull();
    assertThat(on(timer, plan::poll)).isNull();
  }

  @Test
  void should_know_a_refused_copy_when_that_of_another_request_has_its_place() {
    saveForCopies();
    SimpleStatement first = query();
    SimpleStatement second = query();
    while (slot(second) != slot(first)) {
      second = query();
    }
    copied(plan(first), plan(second));
    assertThat(refused(first)).isTrue();
    assertThat(refused(second)).isTrue();
  }

  /** The application may execute one statement often at once, and each has its answer. */
  @Test
  void should_know_a_refused_copy_when_another_node_has_answered_the_same_statement() {
    saveForCopies();
    SimpleStatement request = query();
    copied(plan(request));
    hedges.answered(request, nodes.get(2), MILLISECOND, now);
    assertThat(refused(request)).isTrue();
  }

  @Test
  void should_go_on_when_a_copy_of_the_same_statement_was_refused_and_none_of_this_plan() {
    saveForCopies();
    SimpleStatement request = query();
    copied(plan(request));
    Queue<Node> other = plan(request);
    assertThat(other.poll()).isSameAs(nodes.get(0).node);
    assertThat(polledAfterRefusal(other, request)).isNotNull();
  }

  private Node polledAfterRefusal(Queue<Node> plan, Request request) {
    return on(
        connection,
        () -> {
          DriverThreads.hearsOfNodes();
          assertThat(refused(request)).isTrue();
          return plan.poll();
        });
  }

  /** Of many copies some are not known any more. */
  @Test
  void should_take_it_for_a_refused_copy_when_a_node_that_tells_of_its_load_says_it_is_new() {
    saveForCopies();
    TrackedNode node = nodes.get(1);
    Throwable error = new BootstrappingException(node.node);
    assertThat(hedges.isRefusal(node, error, now)).isFalse();
    node.reported(new Feedback(0, 1, 32, MILLISECOND), now);
    assertThat(hedges.isRefusal(node, error, now)).isTrue();
    assertThat(hedges.isRefusal(node, new IllegalStateException(), now)).isFalse();
  }

  /** Of an overload that it met it would else make one at each node in turn, and pay for none. */
  @Test
  void should_ask_for_leave_to_copy_again_when_a_copy_failed() {
    saveForCopies();
    Queue<Node> plan = plan(query());
    copied(plan);
    long sent = hedges.copies.sent.sum();
    assertThat(polledAfterFailure(plan, nodes.get(1), true)).isSameAs(nodes.get(2).node);
    assertThat(hedges.copies.sent.sum()).isEqualTo(sent + 1);
  }

  @Test
  void should_wait_on_when_a_copy_failed_and_no_other_node_may_get_one() {
    saveForCopies();
    Queue<Node> plan = plan(query());
    copied(plan);
    nodes.get(2).isFull = true;
    assertThat(polledAfterFailure(plan, nodes.get(1), false)).isNull();
    assertThat(polledAfterFailure(plan, nodes.get(0), false))
        .as("the first node fails, which needs no leave")
        .isSameAs(nodes.get(2).node);
  }

  /** An overloaded node may work for long before it says so. */
  @Test
  void should_pay_for_what_a_copy_took_when_it_failed() {
    saveForCopies();
    int quick = copiesThatFailAfter(0);
    saveForCopies();
    assertThat(copiesThatFailAfter(20 * MILLISECOND)).isLessThan(quick / 4);
  }

  /** Returns how many requests are copied until no more may be; none of them twice. */
  private int copiesThatFailAfter(long nanos) {
    for (int copies = 0; ; copies++) {
      Queue<Node> plan = plan(query());
      plan.poll();
      now += 100 * MILLISECOND;
      Node target = on(timer, plan::poll);
      if (target == null) {
        return copies;
      }
      now += nanos;
      Loaded failing = (Loaded) Nodes.local(nodes).get(target);
      failing.delay.heard();
      nodes.forEach(node -> node.isFull = true);
      polledAfterFailure(plan, failing, false);
      nodes.forEach(node -> node.isFull = false);
    }
  }

  /**
   * @param isCopy whether what is sent there next is marked as one
   */
  private Node polledAfterFailure(Queue<Node> plan, Loaded failing, boolean isCopy) {
    return on(
        connection,
        () -> {
          DriverThreads.hearsOfNodes();
          hedges.failed(failing.node);
          Node next = plan.poll();
          assertThat(CopyMark.take()).isEqualTo(isCopy);
          return next;
        });
  }

  private static int slot(Request request) {
    int hash = System.identityHashCode(request);
    return (hash ^ (hash >>> 8)) & 255;
  }

  @Test
  void should_ask_for_leave_to_copy_again_when_one_statement_is_executed_twice_at_once() {
    saveForCopies();
    SimpleStatement request = query();
    Queue<Node> one = plan(request);
    Queue<Node> other = plan(request);
    copied(one, other);
    for (Queue<Node> plan : List.of(one, other)) {
      long sent = hedges.copies.sent.sum();
      assertThat(polledAfterRefusal(plan, request)).isSameAs(nodes.get(2).node);
      assertThat(hedges.copies.sent.sum()).isEqualTo(sent + 1);
    }
    assertThat(hedges.copies.refusedByNode.sum()).isEqualTo(2);
  }

  /** The driver ends a request that was answered meanwhile without a look at its plan. */
  @Test
  void should_take_no_other_request_for_the_one_whose_copy_was_refused() {
    saveForCopies();
    SimpleStatement request = query();
    copied(plan(request));
    Queue<Node> other =
        on(
            connection,
            () -> {
              DriverThreads.hearsOfNodes();
              assertThat(refused(request)).isTrue();
              Queue<Node> plan = plan(TRANSACTION);
              plan.poll();
              return plan;
            });
    assertThat(on(connection, other::poll)).isNotNull();
  }

  /** The driver does not tell of a cancelled request. */
  @Test
  void should_not_take_an_old_copy_for_one_of_the_same_statement() {
    saveForCopies();
    SimpleStatement request = query();
    copied(plan(request));
    double usual = nodes.get(0).delay.responseTimeNanos(now);
    now += 600 * SECOND;
    hedges.answered(request, nodes.get(1), MILLISECOND, now);
    assertThat(nodes.get(0).delay.responseTimeNanos(now)).isEqualTo(usual);
    assertThat(hedges.copies.won.sum()).isZero();
  }

  @Test
  void should_count_a_copy_that_wins_after_long() {
    saveForCopies();
    SimpleStatement request = query();
    copied(plan(request));
    now += 600 * SECOND;
    hedges.answered(request, nodes.get(1), 600 * SECOND, now);
    assertThat(hedges.copies.won.sum()).isEqualTo(1);
  }

  /** The throttler does so if the probed node has no room. */
  @Test
  void should_take_no_other_node_for_the_probed_one_when_it_was_made_the_first() {
    saveForCopies();
    for (int i = 0; i < SimulatedCluster.ENOUGH_TO_SAVE_FOR_A_COPY; i++) {
      hedges.answered(query(), nodes.get(0), 100 * MILLISECOND, now);
      now += MILLISECOND;
    }
    HedgedQueryPlan plan = probing(query());
    plan.moveUp(1);
    assertThat(plan.poll()).isSameAs(nodes.get(1).node);
    assertThat(plan.asksProbed()).isFalse();
    assertThat(hedges.delayNanos(plan))
        .isEqualTo(hedges.delayNanos(nodes.get(1)))
        .isLessThan(hedges.delayNanos(nodes.get(0)));
  }

  /** The driver asks for no copy of such a request, so it would be kept for as long as the node. */
  @Test
  void should_keep_no_request_that_probes_a_node_and_cannot_be_copied() {
    hedge(SHORT, false);
    probing(query().setIdempotent(false)).poll();
    assertThat(nodes.get(0).probe).isNull();
    HedgedQueryPlan plan = probing(query());
    plan.poll();
    assertThat(nodes.get(0).probe).isSameAs(plan);
  }

  /** The first node, though the next may be better. */
  private HedgedQueryPlan probing(SimpleStatement request) {
    TrackedNode[] probedFirst = nodes.toArray(new TrackedNode[0]);
    return new HedgedQueryPlan(
        probedFirst, Nodes.local(nodes), 0, () -> now, now, hedges, request, true);
  }

  /** What made the node slow may hold for all of its rack. */
  @Test
  void should_copy_to_another_rack_when_the_client_says_in_which_one_it_is() {
    nodes = Nodes.inRacks("rack1", "rack1", "rack2");
    localRack = "rack1";
    saveForCopies();
    assertThat(copiedTo()).as("the worse one, of the other rack").isSameAs(nodes.get(2).node);
    nodes.get(2).withInFlight(100);
    assertThat(copiedTo()).as("the rack is a weight, no filter").isSameAs(nodes.get(1).node);
  }

  @Test
  void should_copy_to_the_better_node_of_any_rack_when_the_client_does_not_say_in_which_it_is() {
    nodes = Nodes.inRacks("rack1", "rack1", "rack2");
    saveForCopies();
    assertThat(copiedTo()).isSameAs(nodes.get(1).node);
  }

  /** No request goes there, so no answer could tell that the latest one was slow by chance. */
  @Test
  void should_copy_to_nodes_that_answered_late_when_that_was_long_ago() {
    saveForCopies();
    now += 10 * MILLISECOND;
    for (Loaded far : nodes.subList(1, 3)) {
      hedges.answered(query(), far, 200 * MILLISECOND, now);
    }
    assertThat(copiedTo()).isNull();
    now += 600 * SECOND;
    assertThat(copiedTo()).isSameAs(nodes.get(1).node);
  }

  /** The driver would pass it over and ask again: one copy, paid for twice. */
  @Test
  void should_not_copy_to_a_node_whose_connections_carry_what_they_can() {
    saveForCopies();
    nodes.get(1).isFull = true;
    assertThat(copiedTo()).isSameAs(nodes.get(2).node);
  }

  /** The node that is asked beside the first, which is silent. */
  private Node copiedTo() {
    Queue<Node> plan = plan(query());
    assertThat(plan.poll()).isSameAs(nodes.get(0).node);
    now += 100 * MILLISECOND;
    return on(timer, plan::poll);
  }

  /** The driver tells of other statements then, so a refused one would not be known. */
  @Test
  void should_mark_no_copy_when_the_driver_numbers_requests() {
    hedge(SHORT, false);
    assertThat(hedges.areMarked()).isTrue();
    hedge(SHORT, true);
    assertThat(hedges.areMarked()).isFalse();
  }

  private void hedge(Duration leastDelay, boolean numbered) {
    ProgrammaticDriverConfigLoaderBuilder settings =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(HedgingOption.LEAST_DELAY, leastDelay);
    if (localRack != null) {
      settings.withString(WeightedOption.LOCAL_RACK, localRack);
    }
    DriverConfigLoader config = settings.build();
    ProgrammaticArguments.Builder arguments = ProgrammaticArguments.builder();
    DefaultDriverContext context = new DefaultDriverContext(config, arguments.build());
    if (numbered) {
      arguments.withRequestIdGenerator(new UuidRequestIdGenerator(context));
      context = new DefaultDriverContext(config, arguments.build());
    }
    DriverExecutionProfile defaults = context.getConfig().getDefaultProfile();
    planner = PolicyKind.ADAPTIVE.planner(defaults, new WeightedSettings(defaults), () -> now);
    hedges = planner.startHedging(new HedgingSettings(defaults), new Policy(context));
    hedges.askedBy("default");
    nodes.forEach(hedges::follow);
  }

  /**
   * Of the three nodes the first is the best from now on, and the second is better than the last.
   */
  private void saveForCopies() {
    hedge(SHORT, false);
    for (int i = 0; i < SimulatedCluster.ENOUGH_TO_SAVE_FOR_A_COPY; i++) {
      for (Loaded node : nodes) {
        node.delay.sent(now);
        node.delay.answered(MILLISECOND);
        hedges.answered(query(), node, MILLISECOND, now);
      }
      now += MILLISECOND;
    }
    nodes.get(1).withInFlight(10);
    nodes.get(2).withInFlight(20);
  }

  /** The requests wait for the first node and, by a copy, for the second. */
  @SafeVarargs
  private final void copied(Queue<Node>... plans) {
    for (Queue<Node> plan : plans) {
      assertThat(plan.poll()).isSameAs(nodes.get(0).node);
    }
    now += 100 * MILLISECOND;
    for (Queue<Node> plan : plans) {
      assertThat(on(timer, plan::poll)).isSameAs(nodes.get(1).node);
    }
  }

  /** Whether the second node is known to have refused a copy, and no request. */
  private boolean refused(Request request) {
    hedges.failed(nodes.get(1).node);
    return hedges.refused(request, nodes.get(1), new BootstrappingException(nodes.get(1).node));
  }

  private static SimpleStatement query() {
    return SimpleStatement.newInstance("SELECT v FROM t WHERE k = 1").setIdempotent(true);
  }

  private Queue<Node> plan(SimpleStatement request) {
    return planner.plan(
        Nodes.local(nodes), Nodes.replicas(nodes, 0, 1, 2), Map.of(), request, false);
  }

  private static <T> T on(ExecutorService thread, Callable<T> action) {
    try {
      return thread.submit(action).get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The driver's policy, with the time of this test, in a session that hears nodes. */
  private final class Policy extends AdaptivePolicy {
    Policy(DefaultDriverContext context) {
      super(context, "default");
    }

    @Override
    long nanoTime() {
      return now;
    }

    @Override
    boolean hearsNodes() {
      return true;
    }

    @Override
    Set<Node> replicasOf(Request request) {
      return Set.of();
    }
  }
}
