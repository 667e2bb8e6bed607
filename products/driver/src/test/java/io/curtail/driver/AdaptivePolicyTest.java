/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noResult;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static io.curtail.driver.Nodes.drain;
import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In real sessions: what is the adaptive policy's own. */
class AdaptivePolicyTest {
  private static final SimpleStatement QUERY =
      SimpleStatement.newInstance("SELECT v FROM t").setIdempotent(true);

  private SimulatedCluster cluster;

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void should_learn_response_times_and_name_itself_in_the_startup_options() {
    CqlSession session = connect(3);
    for (int i = 0; i < 50; i++) {
      session.execute(QUERY);
    }
    assertThat(session.getMetadata().getNodes().values())
        .anyMatch(
            node -> policy(session).tracked(node).delay.responseTimeNanos(System.nanoTime()) > 0);
    assertThat(policy(session).getStartupConfiguration()).containsOnlyKeys("AdaptivePolicy");
  }

  @Test
  void should_leave_a_node_that_answers_nothing_with_one_request_in_flight() {
    CqlSession session = connect(3);
    Node silent = session.getMetadata().getNodes().values().iterator().next();
    cluster.of(silent).prime(when("SELECT v FROM t").then(noResult()));
    TrackedNode tracked = policy(session).tracked(silent);
    for (int i = 0; i < 1000 && tracked.lastKnownInFlight() == 0; i++) {
      session.executeAsync(QUERY);
    }
    await(() -> tracked.lastKnownInFlight() > 0);

    eventually(
        () -> {
          List<Node> plan = drain(policy(session).newQueryPlan(null, session));
          assertThat(plan).hasSize(3);
          assertThat(plan.get(2)).isEqualTo(silent);
        });
  }

  @Test
  void should_put_a_node_that_fails_last() {
    CqlSession session = connect(3);
    Node failing = session.getMetadata().getNodes().values().iterator().next();
    eventually(
        () -> {
          for (int i = 0; i < 20; i++) {
            policy(session).tracked(failing).health.failed(System.nanoTime());
          }
          assertThat(drain(policy(session).newQueryPlan(QUERY, session)).get(2)).isEqualTo(failing);
        });
  }

  @Test
  void should_send_to_the_node_that_the_statement_names() {
    CqlSession session = connect(3);
    for (Node node : session.getMetadata().getNodes().values()) {
      Node coordinator = session.execute(QUERY.setNode(node)).getExecutionInfo().getCoordinator();
      assertThat(coordinator).isEqualTo(node);
    }
  }

  @Test
  void should_keep_remote_nodes_last_and_plan_for_control_connections() {
    cluster = new SimulatedCluster(3, 3);
    CqlSession session =
        connect(
            5,
            config ->
                config.withInt(
                    DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 2));

    List<Node> plan =
        drain(
            policy(session)
                .newQueryPlan(QUERY.setConsistencyLevel(ConsistencyLevel.QUORUM), session));

    assertThat(plan).hasSize(5).doesNotHaveDuplicates();
    assertThat(plan.subList(0, 3)).allMatch(node -> "dc1".equals(node.getDatacenter()));
    assertThat(drain(policy(session).newQueryPlan(null, null)).subList(0, 3))
        .allMatch(node -> "dc1".equals(node.getDatacenter()));
  }

  /** A web container keeps all classes of an application of which a thread is left. */
  @Test
  void should_look_for_lost_answers_on_a_thread_that_ends_with_the_session() {
    CqlSession session = connect(3);
    String name = session.getName() + "-curtail-lost-answers";
    Thread looking =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals(name))
            .findFirst()
            .orElseThrow();
    session.close();
    await(() -> !looking.isAlive());
  }

  /** It is needed only when all local nodes were asked. */
  @Test
  void should_make_no_remote_plan_when_local_nodes_answer_and_requests_may_be_copied() {
    cluster = new SimulatedCluster(3, 3);
    CqlSession session =
        connect(
            5,
            config ->
                SimulatedCluster.hedged(config)
                    .withClass(
                        DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, CountsRemotePlans.class)
                    .withInt(
                        DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 2));
    SimpleStatement query = QUERY.setConsistencyLevel(ConsistencyLevel.QUORUM);
    CountsRemotePlans.MADE.set(0);
    for (int i = 0; i < 100; i++) {
      session.execute(query);
    }
    assertThat(CountsRemotePlans.MADE).hasValue(0);
    assertThat(drain(policy(session).newQueryPlan(query, session))).hasSize(5);
    assertThat(CountsRemotePlans.MADE).hasPositiveValue();
  }

  public static final class CountsRemotePlans extends AdaptivePolicy {
    static final AtomicInteger MADE = new AtomicInteger();

    public CountsRemotePlans(DriverContext context, String profileName) {
      super(context, profileName);
    }

    @Override
    protected void shuffleHead(Object[] nodes, int length) {
      MADE.incrementAndGet();
      super.shuffleHead(nodes, length);
    }
  }

  @Test
  void should_use_the_stock_order_when_the_plan_breaks() {
    CqlSession session = connect(3);
    AdaptivePolicy policy =
        new AdaptivePolicy(session.getContext(), "default") {
          @Override
          protected Queue<Node> maybeAddDcFailover(Request request, Queue<Node> plan) {
            if (plan instanceof WeightedQueryPlan) {
              throw new NoSuchMethodError("another version of the driver");
            }
            return super.maybeAddDcFailover(request, plan);
          }
        };
    policy.init(session.getMetadata().getNodes(), (node, distance) -> {});
    assertThat(drain(policy.newQueryPlan(QUERY, session))).hasSize(3);
    assertThat(policy.control().getFaults()).isEqualTo(1);
    policy.close();
  }

  private CqlSession connect(int connected) {
    cluster = new SimulatedCluster(3);
    return connect(connected, config -> {});
  }

  private CqlSession connect(
      int connected, Consumer<ProgrammaticDriverConfigLoaderBuilder> settings) {
    CqlSession session =
        cluster.connect(
            config -> {
              config.withClass(
                  DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class);
              config.without(WeightedOption.LOCAL_RACK);
              settings.accept(config);
            });
    SimulatedCluster.awaitConnected(session, connected);
    return session;
  }
}
