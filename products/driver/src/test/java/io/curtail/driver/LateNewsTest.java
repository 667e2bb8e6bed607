/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.driver.Nodes.drain;
import static io.curtail.driver.SimulatedCluster.policy;
import static io.curtail.driver.SimulatedCluster.rack;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.loadbalancing.nodeset.NodeSet;
import com.datastax.oss.driver.internal.core.loadbalancing.nodeset.SingleDcNodeSet;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import com.datastax.oss.driver.internal.core.metadata.TopologyEvent;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the driver tells of nodes is over when it comes: that one came up is told by another thread,
 * after a look at its peers, than that it went.
 */
class LateNewsTest {
  private SimulatedCluster cluster;
  private CqlSession session;
  private Node node;

  @BeforeEach
  void connect() {
    cluster = new SimulatedCluster(3);
    session =
        cluster.connect(
            config ->
                config.withDuration(
                    DefaultDriverOption.METADATA_TOPOLOGY_WINDOW, Duration.ofMillis(1)));
    SimulatedCluster.awaitConnected(session, 3);
    node = rack(session, "rack2").get(0);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void should_leave_out_a_node_that_went_down_before_it_is_told_that_it_came_up() {
    fire(TopologyEvent.forceDown(address()));
    await(() -> policy(session).tracked(node) == null);

    policy(session).onUp(node);

    assertIsInNoPlan(policy(session));
  }

  @Test
  void should_leave_out_a_node_that_was_removed_before_it_is_told_that_it_came_up() {
    fire(TopologyEvent.suggestRemoved(address()));
    await(() -> policy(session).tracked(node) == null);

    policy(session).onUp(node);

    assertIsInNoPlan(policy(session));
  }

  @Test
  void should_leave_out_a_node_that_goes_down_while_it_is_told_that_it_came_up() {
    AtomicBoolean goes = new AtomicBoolean();
    WeightedLeastLoadedPolicy told =
        new WeightedLeastLoadedPolicy(session.getContext(), "default") {
          @Override
          protected NodeDistance computeNodeDistance(Node other) {
            if (goes.get()) {
              fire(TopologyEvent.forceDown(address()));
              await(() -> node.getState() == NodeState.FORCED_DOWN);
              onDown(node);
            }
            return super.computeNodeDistance(other);
          }
        };
    told.init(session.getMetadata().getNodes(), (other, distance) -> {});
    told.onDown(node);
    goes.set(true);

    told.onUp(node);

    assertIsInNoPlan(told);
    told.close();
  }

  /** The driver then gives the node that it knows the other's host id, and tells that it is up. */
  @Test
  void should_plan_a_node_that_another_has_replaced_at_its_address() throws Exception {
    policy(session).onDown(node);
    learn("hostId", UUID.randomUUID());

    policy(session).onUp(node);

    assertThat(drain(policy(session).newQueryPlan(null, session))).contains(node);
  }

  /** As a pod does: when its peers announced the address, the driver knew no node of that. */
  @Test
  void should_take_a_node_that_comes_back_at_another_address_for_one_that_restarted()
      throws Exception {
    policy(session).onDown(node);
    learn("broadcastAddress", new InetSocketAddress(elsewhere(), 7000));

    policy(session).onUp(node);

    assertThat(policy(session).tracked(node).ramp.isOver()).isFalse();
  }

  /** Where its connections end by their time-out alone, it has the address before. */
  @Test
  void should_know_that_a_node_restarted_which_had_another_address_before_it_was_told_down()
      throws Exception {
    learn("broadcastAddress", new InetSocketAddress(elsewhere(), 7000));
    policy(session).onDown(node);

    policy(session).onUp(node);

    assertThat(policy(session).tracked(node).ramp.isOver()).isFalse();
  }

  private static InetAddress elsewhere() throws UnknownHostException {
    return InetAddress.getByName("192.0.2.1");
  }

  /** As the driver does when it reads the peers again. */
  private void learn(String what, Object value) throws ReflectiveOperationException {
    Field known = DefaultNode.class.getDeclaredField(what);
    known.setAccessible(true);
    known.set(node, value);
  }

  /** As when it is told in time. */
  @Test
  void should_plan_a_node_that_is_there_when_it_is_told_that_it_came_up() {
    policy(session).onDown(node);
    assertIsInNoPlan(policy(session));
    policy(session).onUp(node);
    assertThat(drain(policy(session).newQueryPlan(null, session))).contains(node);
  }

  /**
   * Where the live nodes are a copy, as of a data centre that had none: the driver's are a view.
   */
  @Test
  void should_keep_a_node_that_comes_up_while_the_policy_is_switched_on() throws Exception {
    AtomicReference<Thread> telling = new AtomicReference<>();
    WeightedLeastLoadedPolicy told =
        new WeightedLeastLoadedPolicy(session.getContext(), "default") {
          private final AtomicBoolean isRead = new AtomicBoolean(true);

          @Override
          void setEnabled(boolean enabled) {
            isRead.set(!enabled);
            super.setEnabled(enabled);
          }

          @Override
          protected NodeSet getLiveNodes() {
            if (!isRead.compareAndSet(false, true)) {
              return super.getLiveNodes();
            }
            NodeSet asRead = new SingleDcNodeSet("dc1");
            super.getLiveNodes().dc("dc1").forEach(asRead::add);
            Thread other = new Thread(() -> onUp(node));
            telling.set(other);
            other.start();
            await(() -> !other.isAlive() || other.getState() == Thread.State.BLOCKED);
            return asRead;
          }
        };
    told.init(session.getMetadata().getNodes(), (other, distance) -> {});
    told.onDown(node);
    told.control().setEnabled(false);

    told.control().setEnabled(true);
    telling.get().join();

    assertThat(told.tracked(node)).isNotNull();
    told.close();
  }

  /** Neither of the policy nor of the driver's own that stands in for it. */
  private void assertIsInNoPlan(WeightedLeastLoadedPolicy policy) {
    assertThat(drain(policy.newQueryPlan(null, session))).hasSize(2).doesNotContain(node);
    policy.control().setEnabled(false);
    assertThat(policy.newQueryPlan(null, session)).hasSize(2).doesNotContain(node);
    policy.control().setEnabled(true);
  }

  private InetSocketAddress address() {
    return node.getBroadcastRpcAddress().orElseThrow();
  }

  private void fire(TopologyEvent event) {
    ((InternalDriverContext) session.getContext()).getEventBus().fire(event);
  }
}
