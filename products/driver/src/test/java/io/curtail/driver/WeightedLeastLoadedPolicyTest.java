/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noResult;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.overloaded;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static io.curtail.driver.Nodes.drain;
import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.driver.SimulatedCluster.rack;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.loadbalancing.nodeset.NodeSet;
import com.datastax.oss.driver.internal.core.metadata.TopologyEvent;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import com.datastax.oss.simulacron.server.BoundNode;
import com.datastax.oss.simulacron.server.RejectScope;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The policy in real sessions: nodes that go and come back, stall, fail; profiles, metrics. */
class WeightedLeastLoadedPolicyTest {
  private static final SimpleStatement QUERY =
      SimpleStatement.newInstance("SELECT v FROM t").setIdempotent(true);

  private SimulatedCluster cluster;

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void should_send_to_the_local_rack_and_plan_every_local_node_once_when_there_are_192() {
    cluster = new SimulatedCluster(192, 3);
    CqlSession session = cluster.connect();
    awaitConnected(session, 192);

    Map<Node, Integer> coordinators = new HashMap<>();
    for (int i = 0; i < 600; i++) {
      coordinators.merge(execute(session), 1, Integer::sum);
    }

    // Without a token 8 random nodes are scored: none of them is in the rack for (2/3)^8 = 4 %.
    long inRack =
        coordinators.entrySet().stream()
            .filter(entry -> "rack1".equals(entry.getKey().getRack()))
            .mapToInt(Map.Entry::getValue)
            .sum();
    assertThat(inRack).isBetween(540L, 598L);
    assertThat(coordinators).hasSizeGreaterThan(60);
    List<Node> plan = drain(policy(session).newQueryPlan(QUERY, session));
    assertThat(plan).doesNotHaveDuplicates().hasSize(192);
    assertThat(plan).allMatch(node -> "dc1".equals(node.getDatacenter()));
  }

  @Test
  void should_avoid_a_node_that_stalls_when_it_holds_requests() throws InterruptedException {
    CqlSession session = connect(6);
    Node stalled = rack(session, "rack1").get(0);
    cluster.of(stalled).prime(when("SELECT v FROM stall").then(noResult()));
    for (int i = 0; i < 12; i++) {
      session.executeAsync(SimpleStatement.newInstance("SELECT v FROM stall").setNode(stalled));
    }
    TrackedNode tracked = policy(session).tracked(stalled);
    await(() -> tracked.inFlight(((DefaultSession) session).getPools()) == 12);

    execute(session);
    Thread.sleep(250);
    execute(session);

    assertThat(tracked.health.wasStalled(policy(session).nanoTime())).isTrue();
    for (int i = 0; i < 100; i++) {
      assertThat(execute(session)).isNotEqualTo(stalled);
    }
    List<Node> plan = drain(policy(session).newQueryPlan(QUERY, session));
    assertThat(plan).hasSize(6);
    assertThat(plan.get(5)).isEqualTo(stalled);
  }

  @Test
  void should_attract_nothing_to_a_node_that_fails_fast() {
    cluster = new SimulatedCluster(6);
    CqlSession session = cluster.connect(WeightedLeastLoadedPolicyTest::standingClock);
    awaitConnected(session, 6);
    Node failing = rack(session, "rack1").get(0);
    Node other = rack(session, "rack1").get(1);
    cluster.of(failing).prime(when("SELECT v FROM t").then(overloaded("busy")));

    int firstTries = 0;
    for (int i = 0; i < 300; i++) {
      var info = session.execute(QUERY).getExecutionInfo();
      assertThat(info.getCoordinator()).isNotEqualTo(failing);
      firstTries += info.getErrors().size();
    }

    assertThat(firstTries).isBetween(3, 6);
    assertThat(policy(session).tracked(failing).health.failureRatio(0)).isGreaterThan(0.5);
    assertThat(policy(session).tracked(other).health.hasFailed()).isFalse();
  }

  @Test
  void should_count_a_response_once_when_profiles_share_the_policy() {
    cluster = new SimulatedCluster(1);
    CqlSession session =
        cluster.connect(
            config ->
                config
                    .startProfile("slow")
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                    .endProfile()
                    .startProfile("quorum")
                    .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
                    .endProfile());
    awaitConnected(session, 1);
    assertThat(policy(session, "slow")).isSameAs(policy(session));
    Node node = session.getMetadata().getNodes().values().iterator().next();
    cluster.of(node).prime(when("SELECT v FROM t").then(overloaded("busy")));

    assertThatThrownBy(() -> session.execute(QUERY)).isNotNull();

    double ratio = policy(session).tracked(node).health.failureRatio(System.nanoTime());
    assertThat(ratio).as("one failure").isBetween(0.01, 0.25);
  }

  @Test
  void should_not_blame_a_node_for_errors_of_the_query() {
    CqlSession session = connect(3);
    cluster
        .nodes()
        .prime(
            when("SELECT nonsense")
                .then(
                    com.datastax.oss.simulacron.common.stubbing.PrimeDsl.invalid("no such thing")));
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> session.execute("SELECT nonsense")).isNotNull();
    }
    for (Node node : session.getMetadata().getNodes().values()) {
      assertThat(policy(session).tracked(node).health.hasFailed()).isFalse();
    }
  }

  @Test
  void should_leave_out_a_node_that_goes_down_and_ramp_it_up_when_it_has_restarted() {
    cluster = new SimulatedCluster(6);
    CqlSession session = cluster.connect(WeightedLeastLoadedPolicyTest::standingClock);
    awaitConnected(session, 6);
    Node flapping = rack(session, "rack1").get(1);
    assertThat(policy(session).tracked(flapping).ramp.isOver()).isTrue();

    BoundNode bound = disconnect(session, flapping);
    assertThat(drain(policy(session).newQueryPlan(QUERY, session)))
        .hasSize(5)
        .doesNotContain(flapping);

    announceUp(session, flapping);
    reconnect(session, flapping, bound);
    assertThat(policy(session).tracked(flapping).ramp.isOver()).isFalse();
    assertThat(drain(policy(session).newQueryPlan(QUERY, session))).hasSize(6);
    long avoided = 0;
    for (int i = 0; i < 100; i++) {
      avoided += execute(session).equals(flapping) ? 0 : 1;
    }
    assertThat(avoided).as("just started, half of the rack").isGreaterThan(80);
  }

  @Test
  void should_not_ramp_up_a_node_that_only_this_client_had_lost() {
    CqlSession session = connect(6);
    Node lost = rack(session, "rack1").get(1);

    reconnect(session, lost, disconnect(session, lost));

    assertThat(policy(session).tracked(lost).ramp.isOver()).isTrue();
  }

  @Test
  void should_ramp_up_a_node_when_its_peers_announce_it_after_its_return() {
    CqlSession session = connect(6);
    Node restarted = rack(session, "rack1").get(1);

    reconnect(session, restarted, disconnect(session, restarted));
    announceUp(session, restarted);

    assertThat(policy(session).tracked(restarted).ramp.isOver()).isFalse();
  }

  private BoundNode disconnect(CqlSession session, Node node) {
    BoundNode bound = cluster.of(node);
    bound.rejectConnections(0, RejectScope.UNBIND);
    bound.closeConnections(com.datastax.oss.simulacron.common.stubbing.CloseType.DISCONNECT);
    await(() -> policy(session).tracked(node) == null);
    return bound;
  }

  private void reconnect(CqlSession session, Node node, BoundNode bound) {
    bound.acceptConnections();
    await(() -> policy(session).tracked(node) != null);
  }

  /** As the control connection does when a server tells it of a change of status. */
  private static void announceUp(CqlSession session, Node node) {
    ((InternalDriverContext) session.getContext())
        .getEventBus()
        .fire(TopologyEvent.suggestUp(node.getBroadcastRpcAddress().orElseThrow()));
  }

  @Test
  void should_have_its_own_weights_in_a_profile_that_overrides_them() {
    cluster = new SimulatedCluster(6);
    CqlSession session =
        cluster.connect(
            config ->
                config
                    .startProfile("other-rack")
                    .withString(WeightedOption.LOCAL_RACK, "rack2")
                    .endProfile());
    awaitConnected(session, 6);

    assertThat(policy(session, "other-rack")).isNotSameAs(policy(session));
    assertThat(execute(session).getRack()).isEqualTo("rack1");
    Node coordinator =
        session
            .execute(QUERY.setExecutionProfileName("other-rack"))
            .getExecutionInfo()
            .getCoordinator();
    assertThat(coordinator.getRack()).isEqualTo("rack2");
  }

  @Test
  void should_fail_over_to_the_other_datacenter_by_the_rules_of_the_stock_policy() {
    cluster = new SimulatedCluster(3, 3);
    CqlSession session =
        cluster.connect(
            config ->
                config.withInt(
                    DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 2));
    awaitConnected(session, 5);

    List<Node> local = drain(policy(session).newQueryPlan(QUERY, session));
    List<Node> any =
        drain(
            policy(session)
                .newQueryPlan(QUERY.setConsistencyLevel(ConsistencyLevel.QUORUM), session));

    assertThat(local).hasSize(3).allMatch(node -> "dc1".equals(node.getDatacenter()));
    assertThat(any).hasSize(5);
    assertThat(any.subList(0, 3)).allMatch(node -> "dc1".equals(node.getDatacenter()));
    assertThat(any.subList(3, 5)).allMatch(node -> "dc2".equals(node.getDatacenter()));
  }

  @Test
  void should_plan_for_control_connections_without_session_or_request() {
    CqlSession session = connect(6);
    List<Node> plan = drain(policy(session).newQueryPlan(null, null));
    assertThat(plan).hasSize(6).doesNotHaveDuplicates();
    assertThat(plan.subList(0, 2)).allMatch(node -> "rack1".equals(node.getRack()));
  }

  @Test
  void should_use_the_stock_order_when_the_plan_breaks_and_switch_off_after_repeats() {
    CqlSession session = connect(3);
    AtomicBoolean broken = new AtomicBoolean(true);
    AtomicInteger attempts = new AtomicInteger();
    WeightedLeastLoadedPolicy policy =
        new WeightedLeastLoadedPolicy(session.getContext(), "default") {
          @Override
          protected Queue<Node> maybeAddDcFailover(Request request, Queue<Node> plan) {
            if (plan instanceof WeightedQueryPlan) {
              attempts.incrementAndGet();
              if (broken.get()) {
                throw new NoSuchMethodError("another version of the driver");
              }
            }
            return super.maybeAddDcFailover(request, plan);
          }
        };
    policy.init(session.getMetadata().getNodes(), (node, distance) -> {});

    for (int i = 0; i < PolicySwitch.FAULTS_ALLOWED + 5; i++) {
      assertThat(drain(policy.newQueryPlan(QUERY, session))).hasSize(3);
    }
    assertThat(attempts).hasValue(PolicySwitch.FAULTS_ALLOWED);
    assertThat(policy.control().getFaults()).isEqualTo(PolicySwitch.FAULTS_ALLOWED);
    assertThat(policy.control().getLastFault()).contains("another version of the driver");
    assertThat(policy.control().isEnabled()).isFalse();

    broken.set(false);
    policy.control().setEnabled(true);
    assertThat(drain(policy.newQueryPlan(QUERY, session))).hasSize(3);
    assertThat(attempts).hasValue(PolicySwitch.FAULTS_ALLOWED + 1);
    policy.close();
  }

  @Test
  void should_be_off_with_the_stock_order_when_it_cannot_learn_of_the_nodes() {
    CqlSession session = connect(3);
    WeightedLeastLoadedPolicy policy =
        new WeightedLeastLoadedPolicy(session.getContext(), "default") {
          @Override
          protected NodeSet getLiveNodes() {
            throw new NoSuchMethodError("another version of the driver");
          }
        };
    policy.init(session.getMetadata().getNodes(), (node, distance) -> {});

    assertThat(policy.control().isEnabled()).isFalse();
    assertThat(drain(policy.newQueryPlan(QUERY, session))).hasSize(3);
    policy.close();
  }

  @Test
  void should_look_for_lost_answers_again_when_that_failed_once() {
    CqlSession session = connect(3);
    AtomicInteger looks = new AtomicInteger();
    WeightedLeastLoadedPolicy policy =
        new WeightedLeastLoadedPolicy(session.getContext(), "default") {
          @Override
          void lookForLostAnswers() {
            if (looks.incrementAndGet() == 1) {
              throw new NoSuchMethodError("another version of the driver");
            }
          }
        };
    policy.init(session.getMetadata().getNodes(), (node, distance) -> {});
    await(() -> looks.get() > 1);
    assertThat(policy.control().getFaults()).isEqualTo(1);
    policy.close();
  }

  @Test
  void should_be_seen_and_switched_by_jmx_while_the_session_is_open() throws JMException {
    CqlSession session = connect(3);
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name =
        new ObjectName(
            "io.curtail.driver:type=WeightedLeastLoaded,session=\""
                + session.getName()
                + "\",profile=\"default\"");

    assertThat(server.getAttribute(name, "LocalDatacenter")).isEqualTo("dc1");
    assertThat((CompositeData[]) server.getAttribute(name, "Nodes"))
        .hasSize(3)
        .allMatch(node -> node.get("failing").equals(false));
    server.setAttribute(name, new Attribute("Enabled", false));
    assertThat(policy(session).newQueryPlan(QUERY, session))
        .hasSize(3)
        .isNotInstanceOf(WeightedQueryPlan.class);
    server.setAttribute(name, new Attribute("Enabled", true));
    assertThat(policy(session).newQueryPlan(QUERY, session))
        .hasSize(3)
        .isInstanceOf(WeightedQueryPlan.class);

    session.close();
    assertThat(server.isRegistered(name)).isFalse();
  }

  @Test
  void should_treat_all_racks_alike_when_no_live_node_has_the_local_one() {
    cluster = new SimulatedCluster(6);
    CqlSession session =
        cluster.connect(config -> config.withString(WeightedOption.LOCAL_RACK, "rack-of-nobody"));
    awaitConnected(session, 6);
    Map<String, Integer> racks = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      racks.merge(execute(session).getRack(), 1, Integer::sum);
    }
    assertThat(racks).hasSize(3);
    assertThat(racks.values()).allMatch(count -> count > 60);
  }

  @Test
  void should_refuse_a_weight_of_zero_with_the_name_of_the_option() {
    cluster = new SimulatedCluster(1);
    assertThatThrownBy(() -> cluster.connect(c -> c.withDouble(WeightedOption.NON_RACK, 0)))
        .hasStackTraceContaining(
            "basic.load-balancing-policy.weighted.non-rack is 0.0, but must be from 1 to 1024");
  }

  @Test
  void should_take_the_datacenter_of_the_contact_point_when_none_is_set() {
    cluster = new SimulatedCluster(2, 2);
    CqlSession session =
        cluster.connect(c -> c.without(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER));
    assertThat(policy(session).control().getLocalDatacenter()).isEqualTo("dc1");
  }

  @Test
  void should_ask_for_the_datacenter_when_the_contact_points_are_of_two() {
    cluster = new SimulatedCluster(1, 1);
    assertThatThrownBy(
            () ->
                cluster.connect(
                    config ->
                        config
                            .without(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER)
                            .withStringList(
                                DefaultDriverOption.CONTACT_POINTS,
                                List.of(cluster.address(1, 0)))))
        .hasStackTraceContaining("please set the local DC explicitly");
  }

  @Test
  void should_publish_metrics_in_the_drivers_registry_while_a_node_is_live() {
    cluster = new SimulatedCluster(3);
    CqlSession session =
        cluster.connect(
            config ->
                config
                    .withBoolean(WeightedOption.METRICS, true)
                    .withStringList(
                        DefaultDriverOption.METRICS_NODE_ENABLED, List.of("pool.in-flight")));
    awaitConnected(session, 3);
    for (int i = 0; i < 10; i++) {
      execute(session);
    }
    var gauges = session.getMetrics().orElseThrow().getRegistry().getGauges();
    String name =
        gauges.keySet().stream()
            .filter(
                n ->
                    n.endsWith("load-balancing.first-choices")
                        && (double) gauges.get(n).getValue() >= 10)
            .findFirst()
            .orElseThrow();
    assertThat(name).contains(".nodes.");
    assertThat(gauges.keySet().stream().filter(n -> n.contains("load-balancing")))
        .as("seven a node, two of the session")
        .hasSize(23);

    session.close();
    assertThat(gauges.keySet()).isNotEmpty();
    assertThat(session.getMetrics().orElseThrow().getRegistry().getGauges().keySet())
        .noneMatch(n -> n.contains("load-balancing"));
  }

  @Test
  void should_tell_the_server_its_name_and_settings() {
    cluster = new SimulatedCluster(1);
    CqlSession session = cluster.connect();
    Map<?, ?> settings =
        (Map<?, ?>) policy(session).getStartupConfiguration().get("WeightedLeastLoadedPolicy");
    assertThat(settings.get("localDc")).isEqualTo("dc1");
    assertThat(settings.get("localRack")).isEqualTo("rack1");
  }

  private static void standingClock(ProgrammaticDriverConfigLoaderBuilder config) {
    config.withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, StandingClockPolicy.class);
  }

  private static Node execute(CqlSession session) {
    return session.execute(QUERY).getExecutionInfo().getCoordinator();
  }

  private CqlSession connect(int nodes) {
    cluster = new SimulatedCluster(nodes);
    CqlSession session = cluster.connect();
    awaitConnected(session, nodes);
    return session;
  }

  private void awaitConnected(CqlSession session, int nodes) {
    cluster.nodes().prime(when("SELECT v FROM t").then(noRows()));
    SimulatedCluster.awaitConnected(session, nodes);
  }
}
