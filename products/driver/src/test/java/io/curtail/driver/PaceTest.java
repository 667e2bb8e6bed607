/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.driver.Nodes.local;
import static io.curtail.driver.Nodes.replicas;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverOption;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.driver.Nodes.Loaded;
import io.curtail.selection.weighted.StartingRamp;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final int LIMIT = 4;

  private final List<Loaded> nodes = Nodes.idle(5);
  private final LocalNodes local = local(nodes);
  private final Set<Node> replicas = replicas(nodes, 0, 1);
  private long nowNanos;
  private Pace pace = new Pace(settings("none"), new ThrottlerBacklog(0), () -> nowNanos);

  @Test
  void should_take_the_best_replica_that_has_room() {
    assertThat(admitted(replicas, false, 2, 0, 1)).isSameAs(nodes.get(0));
    nodes.get(0).withInFlight(LIMIT);
    assertThat(admitted(replicas, false, 2, 0, 1)).isSameAs(nodes.get(1));
    nodes.get(1).withInFlight(LIMIT);
    assertThat(admitted(replicas, false, 2, 0, 1))
        .as("a node that would forward to them does not help")
        .isNull();
    assertThat(mayHaveRoom(replicas, true)).isFalse();
  }

  @Test
  void should_take_any_node_when_no_replica_is_known_or_live() {
    nodes.get(2).withInFlight(LIMIT);
    Set<Node> elsewhere = Set.of(Nodes.unconnected(9));
    for (Set<Node> unknown : List.of(Set.<Node>of(), elsewhere)) {
      assertThat(mayHaveRoom(unknown, false)).isTrue();
      assertThat(admitted(unknown, false, 2, 3, 4)).isSameAs(nodes.get(3));
    }
  }

  @Test
  void should_wait_for_the_first_node_when_the_order_is_fixed() {
    nodes.get(0).withInFlight(LIMIT);
    assertThat(admitted(replicas, true, 0, 1, 2)).isNull();
    nodes.get(0).withInFlight(LIMIT - 1);
    assertThat(admitted(replicas, true, 0, 1, 2)).isSameAs(nodes.get(0));
  }

  /** It has room because it refuses, and what it refuses goes to the others without a wait. */
  @Test
  void should_not_take_a_node_that_fails_for_one_with_room_unless_all_fail() {
    Set<Node> three = replicas(nodes, 0, 1, 2);
    nodes.get(0).withInFlight(LIMIT);
    nodes.get(1).withInFlight(LIMIT);
    fail(2);
    assertThat(mayHaveRoom(three, true)).isFalse();
    assertThat(admitted(three, false, 0, 1, 2)).isNull();
    fail(0);
    fail(1);
    assertThat(mayHaveRoom(three, true)).isTrue();
    assertThat(admitted(three, false, 0, 1, 2)).isSameAs(nodes.get(2));
    nodes.get(1).withInFlight(0);
    assertThat(admitted(three, false, 0, 1, 2)).isSameAs(nodes.get(1));
  }

  /** The driver would pass it over, and send to the next one. */
  @Test
  void should_not_take_a_node_without_a_connection_for_one_with_room_unless_none_has_one() {
    nodes.get(0).isConnected = false;
    assertThat(admitted(replicas, false, 0, 1)).isSameAs(nodes.get(1));
    assertThat(admitted(replicas, true, 0, 1)).isSameAs(nodes.get(1));
    assertThat(admitted(Set.of(), false, 0, 1)).isSameAs(nodes.get(1));
    nodes.get(1).withInFlight(LIMIT);
    assertThat(mayHaveRoom(replicas, true)).isFalse();
    assertThat(admitted(replicas, false, 0, 1, 2)).isNull();
    assertThat(admitted(replicas, true, 0, 1, 2)).isNull();
    nodes.get(1).withInFlight(0).isConnected = false;
    assertThat(mayHaveRoom(replicas, false)).isTrue();
    assertThat(admitted(replicas, false, 0, 1)).isSameAs(nodes.get(0));
    assertThat(admitted(replicas, true, 0, 1)).isSameAs(nodes.get(0));
  }

  /** The driver would find no id for a request there, and send to a node that is no replica. */
  @Test
  void should_not_take_a_node_whose_connections_carry_what_they_can() {
    nodes.get(0).isFull = true;
    assertThat(admitted(replicas, false, 0, 1)).isSameAs(nodes.get(1));
    nodes.get(1).isFull = true;
    assertThat(admitted(replicas, false, 0, 1, 2)).isNull();
    assertThat(mayHaveRoom(replicas, true)).isFalse();
  }

  /** As one that lost its connections for a moment: what waits for it is before what comes then. */
  @Test
  void should_know_who_waits_for_a_node_that_came_back() {
    nodes.forEach(pace::follow);
    pace.beginWait(local, replicas(nodes, 0));
    Loaded back = new Loaded(nodes.get(0).node, true, StartingRamp.NONE);
    pace.follow(back);
    assertThat(back.waiting).hasValue(1);
  }

  private void fail(int node) {
    for (int i = 0; i < 5; i++) {
      nodes.get(node).health.failed(nowNanos);
    }
    assertThat(nodes.get(node).health.isFailing(nowNanos)).isTrue();
  }

  @Test
  void should_keep_a_node_for_those_that_wait_for_it() {
    AtomicInteger[] counts = pace.beginWait(local, replicas);
    assertThat(mayHaveRoom(replicas, false)).isFalse();
    assertThat(mayHaveRoom(replicas, true)).isTrue();
    Set<Node> overlapping = replicas(nodes, 1, 2);
    assertThat(admitted(overlapping, false, 1, 2, 3)).isSameAs(nodes.get(2));
    assertThat(mayHaveRoom(Set.of(), false)).isTrue();
    AtomicInteger[] forAny = pace.beginWait(local, Set.of());
    assertThat(mayHaveRoom(Set.of(), false)).isFalse();
    for (AtomicInteger count : counts) {
      count.decrementAndGet();
    }
    forAny[0].decrementAndGet();
    assertThat(mayHaveRoom(replicas, false)).isTrue();
    assertThat(mayHaveRoom(Set.of(), false)).isTrue();
  }

  @Test
  void should_pass_a_burst_and_then_the_rate_when_one_is_set() {
    pace = new Pace(settings("cubic"), new ThrottlerBacklog(0), () -> nowNanos);
    nodes.forEach(pace::follow);
    for (int i = 0; i < 20; i++) {
      assertThat(admitted(replicas, false, 0, 1)).isNotNull();
    }
    assertThat(admitted(replicas, false, 0, 1)).isNull();
    assertThat(mayHaveRoom(replicas, true)).isFalse();
    nowNanos += 2_000_000;
    assertThat(mayHaveRoom(replicas, true)).isTrue();
    assertThat(admitted(replicas, false, 0, 1)).isSameAs(nodes.get(0));
    assertThat(admitted(replicas, false, 0, 1)).isSameAs(nodes.get(1));
    assertThat(admitted(replicas, false, 0, 1)).isNull();
  }

  @Test
  void should_count_a_second_attempt_as_debt() {
    pace = new Pace(settings("cubic"), new ThrottlerBacklog(0), () -> nowNanos);
    nodes.forEach(pace::follow);
    for (int i = 0; i < 10; i++) {
      WeightedQueryPlan plan = plan(0, 1);
      plan.poll();
      plan.poll();
    }
    assertThat(admitted(replicas(nodes, 1), false, 1)).isNull();
    assertThat(admitted(replicas(nodes, 0), false, 0)).isSameAs(nodes.get(0));
  }

  @Test
  void should_name_the_option_that_is_out_of_range() {
    assertRefused(ThrottlerOption.RATE_CONTROL, "gradient", "none, cubic, aimd");
    assertRefused(ThrottlerOption.MAX_IN_FLIGHT, "0", "from 1 to 32768");
    assertRefused(DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, "-1", "at least 0");
  }

  private static void assertRefused(DriverOption option, String value, String allowed) {
    assertThatThrownBy(() -> settings(option, value))
        .hasMessageContaining(option.getPath())
        .hasMessageContaining(allowed);
  }

  private static ThrottlerSettings settings(String rateControl) {
    return settings(ThrottlerOption.RATE_CONTROL, rateControl);
  }

  private static ThrottlerSettings settings(DriverOption option, String value) {
    return new ThrottlerSettings(
        DriverConfigLoader.programmaticBuilder()
            .withInt(ThrottlerOption.MAX_IN_FLIGHT, LIMIT)
            .withString(option, value)
            .build()
            .getInitialConfig()
            .getDefaultProfile());
  }

  private boolean mayHaveRoom(Set<Node> of, boolean waited) {
    return pace.mayHaveRoom(local, of, Map.of(), waited);
  }

  /** Null if the request has to wait. */
  private TrackedNode admitted(Set<Node> of, boolean fixedOrder, int... order) {
    WeightedQueryPlan plan = plan(order);
    return pace.admit(plan, of, fixedOrder, Map.of(), false) ? plan.first() : null;
  }

  private WeightedQueryPlan plan(int... order) {
    TrackedNode[] scored = new TrackedNode[order.length];
    for (int i = 0; i < order.length; i++) {
      scored[i] = nodes.get(order[i]);
    }
    return new WeightedQueryPlan(scored, local, 0);
  }
}
