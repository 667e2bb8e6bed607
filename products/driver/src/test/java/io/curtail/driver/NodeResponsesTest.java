/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noResult;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.unavailable;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.metadata.TopologyEvent;
import com.datastax.oss.simulacron.common.codec.ConsistencyLevel;
import io.curtail.selection.rate.RateControl;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In real sessions: what is held against a node, and what is not. */
class NodeResponsesTest {
  private static final SimpleStatement QUERY = SimpleStatement.newInstance("SELECT v FROM t");

  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(5);

  private SimulatedCluster cluster;

  @AfterEach
  void close() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = ConsistencyLevel.class,
      names = {"LOCAL_QUORUM", "LOCAL_ONE"})
  void should_blame_a_node_for_unavailable_when_the_replica_that_is_down_was_not_asked_for(
      ConsistencyLevel level) {
    assertThat(unavailableWhileTheOtherDatacenterIsDown(level).health.hasFailed()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = ConsistencyLevel.class,
      names = {"QUORUM", "EACH_QUORUM"})
  void should_believe_unavailable_when_a_replica_of_another_datacenter_was_asked_for(
      ConsistencyLevel level) {
    assertThat(unavailableWhileTheOtherDatacenterIsDown(level).health.hasFailed()).isFalse();
  }

  private TrackedNode unavailableWhileTheOtherDatacenterIsDown(ConsistencyLevel level) {
    cluster = new SimulatedCluster(1, 1);
    CqlSession session =
        cluster.connect(
            config ->
                config.withClass(
                    DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AllReplicasPolicy.class));
    SimulatedCluster.awaitConnected(session, 1);
    Node remote = in(session, "dc2");
    ((InternalDriverContext) session.getContext())
        .getEventBus()
        .fire(TopologyEvent.suggestDown(remote.getBroadcastRpcAddress().orElseThrow()));
    await(() -> remote.getState() == NodeState.DOWN);
    cluster.nodes().prime(when(QUERY.getQuery()).then(unavailable(level, 1, 0)));

    assertThatThrownBy(() -> session.execute(QUERY)).isNotNull();

    return policy(session).tracked(in(session, "dc1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"CREATE TABLE t (k int PRIMARY KEY)", "USE ks", "TRUNCATE t"})
  void should_learn_no_response_time_of_what_waits_for_more_than_the_node(String query) {
    CqlSession session = connect(SimulatedCluster::hedged);
    Node node = in(session, "dc1");
    TrackedNode tracked = policy(session).tracked(node);
    SimpleStatement statement = SimpleStatement.newInstance(query).setIdempotent(true);

    assertThat(policy(session).newQueryPlan(statement, session).poll()).isSameAs(node);
    answered(session, statement, node);
    assertThat(tracked.delay.expectedNanos(1, 1, System.nanoTime())).isEqualTo(1);
    assertThat(tracked.tail.usualNanos()).isZero();

    answered(session, QUERY, node);
    assertThat(tracked.delay.responseTimeNanos(System.nanoTime())).isPositive();
    assertThat(tracked.tail.usualNanos()).isPositive();
    AdaptiveSpeculativeExecution copies =
        (AdaptiveSpeculativeExecution)
            session.getContext().getSpeculativeExecutionPolicy("default");
    assertThat(copies.nextExecution(node, null, QUERY, 1)).isPositive();
    assertThat(copies.nextExecution(node, null, statement, 1)).as("never copied").isNegative();
  }

  /** The driver tells each policy of all requests; those of another profile may be long scans. */
  @Test
  void should_learn_no_response_time_of_requests_of_a_profile_with_another_policy() {
    cluster = new SimulatedCluster(1);
    CqlSession session =
        cluster.connect(
            config ->
                SimulatedCluster.hedged(config)
                    .startProfile("same")
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                    .endProfile()
                    .startProfile("own")
                    .withDuration(AdaptiveOption.PROBE_INTERVAL, Duration.ofMillis(70))
                    .endProfile());
    SimulatedCluster.awaitConnected(session, 1);
    Node node = in(session, "dc1");
    TrackedNode ours = policy(session).tracked(node);
    TrackedNode theirs = policy(session, "own").tracked(node);
    DriverConfig profiles = session.getContext().getConfig();
    DriverExecutionProfile own = profiles.getProfile("own");
    ours.delay.sent(1);

    told(session, QUERY, own, node);
    told(session, QUERY, own.withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, 7), node);
    assertThat(ours.delay.responseTimeNanos(1)).isZero();
    assertThat(ours.tail.usualNanos()).isZero();
    assertThat(ours.delay.overdueNanos(1, 1, Long.MAX_VALUE)).as("it answered").isZero();
    assertThat(theirs.delay.responseTimeNanos(1)).isPositive();
    assertThat(theirs.tail.usualNanos()).isPositive();

    ((InternalDriverContext) session.getContext())
        .getRequestTracker()
        .onNodeError(QUERY, new IOException("closed"), SLOW_NANOS, own, node, "test");
    assertThat(ours.health.hasFailed()).isTrue();
    assertThat(ours.delay.responseTimeNanos(1)).isZero();

    told(session, QUERY, profiles.getProfile("same"), node);
    assertThat(ours.delay.responseTimeNanos(1)).isPositive();
    assertThat(ours.tail.usualNanos()).isPositive();
  }

  /** An application that waits 2 s for each would wait for nothing else. */
  @Test
  void should_not_make_a_node_look_quick_that_fails_quickly() {
    CqlSession session =
        connect(config -> config.withString(AdaptiveOption.RANKING, "c3-without-rate-control"));
    Node node = in(session, "dc1");
    failed(session, QUERY.setTimeout(Duration.ofSeconds(9)), new IOException("closed"), node);
    assertThat(policy(session).tracked(node).load.responseTimeNanos()).isEqualTo(9e9);
  }

  /** They are answers at the node's speed: a rate that does not hear of them falls to nothing. */
  @Test
  void should_tell_the_rate_of_answers_that_are_errors_of_the_query() {
    CqlSession session = connect(config -> {});
    Node node = in(session, "dc1");
    TrackedNode tracked = policy(session).tracked(node);
    CountedRate counted = new CountedRate();
    tracked.rate = new NodeRate(counted, System::nanoTime);

    failed(session, QUERY, new InvalidQueryException(node, "no such table"), node);
    assertThat(counted.answers).isEqualTo(1);
    failed(session, QUERY, new IOException("closed"), node);
    assertThat(counted.answers).isEqualTo(1);
    assertThat(counted.failures).isEqualTo(1);
  }

  /** To one node, by {@link AdaptivePolicy}. */
  private CqlSession connect(Consumer<ProgrammaticDriverConfigLoaderBuilder> settings) {
    cluster = new SimulatedCluster(1);
    CqlSession session =
        cluster.connect(
            config -> {
              config.withClass(
                  DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class);
              settings.accept(config);
            });
    SimulatedCluster.awaitConnected(session, 1);
    return session;
  }

  private static void failed(
      CqlSession session, SimpleStatement statement, Throwable error, Node node) {
    ((InternalDriverContext) session.getContext())
        .getRequestTracker()
        .onNodeError(
            statement,
            error,
            1000,
            session.getContext().getConfig().getDefaultProfile(),
            node,
            "test");
  }

  /** What it is told of. */
  private static final class CountedRate implements RateControl {
    private int answers;
    private int failures;

    @Override
    public long tryAcquire(long nowNanos) {
      return 0;
    }

    @Override
    public void acquire(long nowNanos) {}

    @Override
    public void onResponse(long elapsedNanos, long nowNanos) {
      answers++;
    }

    @Override
    public void onFailure(long nowNanos) {
      failures++;
    }

    @Override
    public void onAbandoned() {}

    @Override
    public double limit() {
      return 1;
    }
  }

  /** It leaves a paused node by what it owes, and has no look at what the others look at. */
  @ParameterizedTest
  @ValueSource(strings = {"adaptive", "c3-per-slot", "curtail"})
  void should_show_that_a_node_stalls_that_owes_answers_and_gives_none(String ranking) {
    CqlSession session = connect(config -> config.withString(AdaptiveOption.RANKING, ranking));
    Node node = in(session, "dc1");
    TrackedNode tracked = policy(session).tracked(node);
    assertThat(WeightedNodeMetric.UNHEALTHY.valueOf(tracked, System.nanoTime())).isZero();
    cluster.nodes().prime(when(QUERY.getQuery()).then(noResult()));
    session.executeAsync(QUERY);
    await(() -> WeightedNodeMetric.UNHEALTHY.valueOf(tracked, System.nanoTime()) == 1);
    tracked.delay.heard();
    assertThat(WeightedNodeMetric.UNHEALTHY.valueOf(tracked, System.nanoTime())).isZero();
  }

  /** The driver may tell of a node while the session closes; its gauges would never end. */
  @Test
  void should_follow_no_node_once_it_is_closed() {
    CqlSession session = connect(SimulatedCluster::hedged);
    Node node = in(session, "dc1");
    WeightedLeastLoadedPolicy policy = policy(session);
    session.close();
    policy.onUp(node);
    assertThat(policy.tracked(node)).isNull();
  }

  /** As the driver does, long after the answer if it reads the schema before. */
  private static void answered(CqlSession session, SimpleStatement statement, Node node) {
    told(session, statement, session.getContext().getConfig().getDefaultProfile(), node);
  }

  private static void told(
      CqlSession session, SimpleStatement statement, DriverExecutionProfile profile, Node node) {
    ((InternalDriverContext) session.getContext())
        .getRequestTracker()
        .onNodeSuccess(statement, SLOW_NANOS, profile, node, "test");
  }

  private static Node in(CqlSession session, String datacenter) {
    return session.getMetadata().getNodes().values().stream()
        .filter(node -> datacenter.equals(node.getDatacenter()))
        .findFirst()
        .orElseThrow();
  }
}
