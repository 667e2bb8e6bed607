/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.driver.Nodes.drain;
import static io.curtail.driver.Nodes.idle;
import static io.curtail.driver.Nodes.local;
import static io.curtail.driver.Nodes.nodesOf;
import static io.curtail.driver.Nodes.replicas;
import static io.curtail.driver.Nodes.sameRack;
import static io.curtail.driver.SimulatedClient.MILLISECOND;
import static io.curtail.driver.SimulatedClient.NEVER;
import static io.curtail.driver.SimulatedClient.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.cql.DefaultPrepareRequest;
import io.curtail.driver.Nodes.Loaded;
import io.curtail.selection.weighted.StartingRamp;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptivePlannerTest {
  private long now = SECOND;
  private final Planner planner = planner(() -> now);

  static Planner planner(LongSupplier clock) {
    DriverExecutionProfile defaults =
        DriverConfigLoader.programmaticBuilder().build().getInitialConfig().getDefaultProfile();
    return PolicyKind.ADAPTIVE.planner(defaults, new WeightedSettings(defaults), clock);
  }

  @Property
  void should_return_each_live_node_once_whatever_its_state(
      @ForAll @IntRange(min = 1, max = 40) int size,
      @ForAll @Size(max = 12) List<@IntRange(max = 60) Integer> replicaIndexes,
      @ForAll @Size(value = 40) List<@IntRange(max = 200) Integer> states,
      @ForAll boolean fixedOrder) {
    List<Loaded> nodes = idle(size);
    for (int i = 0; i < size; i++) {
      int state = states.get(i);
      Loaded node = nodes.get(i).withInFlight(state);
      node.delay.answered(state * MILLISECOND);
      if (state % 5 == 0) {
        fail(node);
      } else if (state % 3 == 0) {
        node.delay.sent(now - state * SECOND);
      }
    }
    Set<Node> replicas = new LinkedHashSet<>();
    for (int index : replicaIndexes) {
      replicas.add(index < size ? nodes.get(index).node : Nodes.unconnected(index));
    }

    List<Node> plan = drain(planner.plan(local(nodes), replicas, Map.of(), null, fixedOrder));

    assertThat(plan).containsExactlyInAnyOrderElementsOf(nodesOf(nodes));
  }

  /** The requests in flight at the onset are still answered at once, so as many may follow them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100, 400})
  void should_leave_a_node_that_gets_slow_after_a_few_requests(int inFlight) {
    SimulatedClient client = new SimulatedClient(sameRack(3));
    client.closedLoop(inFlight, SECOND);
    int usual = client.node(0).inFlight;
    client.answersAfter(0, 100 * MILLISECOND);
    int[] before = client.sent();

    client.closedLoop(inFlight, 900 * MILLISECOND);

    int[] sent = client.sentSince(before);
    assertThat(sent[0]).as("usual %d", usual).isLessThanOrEqualTo(5 + usual + usual / 4);
    assertThat(sent[1] + sent[2]).isGreaterThan(100);
  }

  /** Of few answers twice as long is chance, of hundreds it is not. */
  @Test
  void should_spare_a_node_that_is_twice_as_slow_once_hundreds_of_answers_say_so() {
    SimulatedClient client = new SimulatedClient(sameRack(3));
    client.closedLoop(12, SECOND);
    client.answersAfter(0, 2 * MILLISECOND);
    client.closedLoop(12, 200 * MILLISECOND);
    int[] before = client.sent();

    client.closedLoop(12, SECOND);

    int[] sent = client.sentSince(before);
    assertThat(sent[0]).isLessThan(Math.min(sent[1], sent[2]) / 3);
  }

  @ParameterizedTest
  @ValueSource(longs = {20, 100, 1000, 10_000, 100_000})
  void should_leave_a_node_that_pauses_after_a_few_requests_at_any_rate(long requestsPerSecond) {
    SimulatedClient client = new SimulatedClient(sameRack(3));
    long interval = SECOND / requestsPerSecond;
    client.openLoop(interval, 2 * SECOND);
    int usual = client.node(0).inFlight;
    client.pauseUntil(0, client.nowNanos() + 5 * SECOND);
    int[] before = client.sent();

    client.openLoop(interval, 4 * SECOND);

    assertThat(client.sentSince(before)[0]).isLessThanOrEqualTo(5 + usual);
  }

  @Test
  void should_use_a_node_again_within_about_a_second_of_its_pause() {
    SimulatedClient client = new SimulatedClient(sameRack(3));
    long interval = SECOND / 5000;
    client.openLoop(interval, SECOND);
    client.pauseUntil(0, client.nowNanos() + 2 * SECOND);
    client.openLoop(interval, 2 * SECOND);
    client.openLoop(interval, 1200 * MILLISECOND);
    int[] before = client.sent();

    client.openLoop(interval, SECOND);

    assertThat(client.sentSince(before)[0]).isGreaterThan(1000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void should_use_a_node_that_was_slow_within_about_a_second_of_its_recovery(
      boolean replicasAreKnown) {
    SimulatedClient client = new SimulatedClient(sameRack(3), replicasAreKnown);
    client.openLoop(SECOND / 5000, SECOND);
    client.answersAfter(0, 100 * MILLISECOND);
    client.openLoop(SECOND / 5000, 10 * SECOND);
    client.answersAfter(0, MILLISECOND);
    client.openLoop(SECOND / 5000, 1500 * MILLISECOND);
    int[] before = client.sent();

    client.openLoop(SECOND / 5000, SECOND);

    assertThat(client.sentSince(before)[0]).isGreaterThan(1000);
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 1000, 10_000})
  void should_bound_the_probes_of_a_slow_node(long requestsPerSecond) {
    SimulatedClient client = new SimulatedClient(sameRack(3));
    client.openLoop(SECOND / requestsPerSecond, SECOND);
    client.answersAfter(0, 200 * MILLISECOND);
    client.openLoop(SECOND / requestsPerSecond, SECOND);
    int[] before = client.sent();

    client.openLoop(SECOND / requestsPerSecond, 100 * SECOND);

    double onePercent = requestsPerSecond;
    double randomness = 6 * Math.sqrt(onePercent);
    assertThat(client.sentSince(before)[0])
        .isLessThanOrEqualTo((int) Math.min(101, onePercent + randomness));
  }

  @Test
  void should_probe_a_node_that_owes_an_answer_ever_more_seldom() {
    SimulatedClient client = new SimulatedClient(sameRack(3));
    client.openLoop(MILLISECOND, SECOND);
    client.answersAfter(0, NEVER);
    client.openLoop(MILLISECOND, SECOND);
    int[] before = client.sent();

    client.openLoop(MILLISECOND, 100 * SECOND);

    assertThat(client.sentSince(before)[0]).isBetween(1, 4);
  }

  @Test
  void should_share_the_load_when_nodes_are_as_good() {
    SimulatedClient client = new SimulatedClient(sameRack(3));
    client.openLoop(MILLISECOND / 5, 2 * SECOND);
    assertThat(Arrays.stream(client.sent())).allMatch(count -> count > 2500);
  }

  @Test
  void should_fall_back_to_the_least_loaded_when_all_are_slow() {
    SimulatedClient client = new SimulatedClient(sameRack(3));
    client.closedLoop(30, SECOND);
    for (int i = 0; i < 3; i++) {
      client.answersAfter(i, 100 * MILLISECOND);
    }
    client.closedLoop(30, 2 * SECOND);
    int[] before = client.sent();

    client.closedLoop(30, 10 * SECOND);

    assertThat(Arrays.stream(client.sentSince(before))).allMatch(count -> count > 500);
  }

  /** What is known of the one tells nothing if the other may be as slow. */
  @ParameterizedTest
  @CsvSource({"400, 400, 1", "400, 1, 2", "1, 400, 2", "1, 1, 2"})
  void should_tell_two_nodes_apart_only_if_both_are_known(int quick, int slow, int firsts) {
    List<Loaded> nodes = sameRack(2);
    answered(nodes.get(0), quick, 10 * MILLISECOND);
    answered(nodes.get(1), slow, 18 * MILLISECOND);
    firsts(nodes); // with the probes
    assertThat(firsts(nodes)).hasSize(firsts).contains(nodes.get(0));
  }

  private void answered(Loaded node, int times, long nanos) {
    for (int i = 0; i < times; i++) {
      node.delay.answered(nanos);
    }
  }

  @Test
  void should_stay_in_the_rack_until_it_is_twice_as_slow() {
    List<Loaded> nodes = idle(3);
    answeredAfter(nodes, 19, 10, 10);
    assertThat(firsts(nodes)).containsOnly(nodes.get(0));

    answeredAfter(nodes, 25, 10, 10);
    assertThat(firsts(nodes)).containsOnly(nodes.get(1), nodes.get(2));
  }

  /** A millisecond more at a node that needs half of one, after Xinda (NSDI 2025). */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void should_keep_the_throughput_when_the_near_node_gets_a_little_slow(int inFlight) {
    SimulatedClient client = new SimulatedClient(idle(3));
    client.closedLoop(40, SECOND);
    client.closedLoop(inFlight, 100 * MILLISECOND);
    client.answersAfter(0, 3 * MILLISECOND);
    client.closedLoop(inFlight, SECOND);
    int[] before = client.sent();

    client.closedLoop(inFlight, SECOND);

    assertThat(Arrays.stream(client.sentSince(before)).sum())
        .as("of %d that nodes in other racks would answer", 1000 * inFlight)
        .isGreaterThan(900 * inFlight);
  }

  @Test
  void should_ask_another_rack_once_a_minute_when_the_own_one_is_quick() {
    SimulatedClient client = new SimulatedClient(idle(3));
    client.openLoop(MILLISECOND * 2, 50 * SECOND);
    assertThat(client.sent()[1]).isEqualTo(1);
    assertThat(client.sent()[2]).isEqualTo(1);
    client.openLoop(MILLISECOND * 2, 50 * SECOND);
    assertThat(client.sent()[1]).isEqualTo(2);
    assertThat(client.sent()[2]).isEqualTo(2);
  }

  /** By their first answers, which were slow as the first ones often are, the own rack is quick. */
  @Test
  void should_leave_a_rack_that_got_slow_when_the_only_answers_of_others_were_slow() {
    SimulatedClient client = new SimulatedClient(idle(3));
    client.answersAfter(1, 30 * MILLISECOND);
    client.answersAfter(2, 30 * MILLISECOND);
    client.closedLoop(1, 2 * SECOND);
    client.answersAfter(1, MILLISECOND);
    client.answersAfter(2, MILLISECOND);
    client.answersAfter(0, 10 * MILLISECOND);
    client.closedLoop(1, 240 * SECOND);
    int[] before = client.sent();

    client.closedLoop(1, 60 * SECOND);

    int[] sent = client.sentSince(before);
    assertThat(sent[1] + sent[2]).isGreaterThan(10 * sent[0]);
  }

  /** It was never loaded so much that it had to ask those of other racks. */
  @Test
  void should_leave_the_only_node_of_the_rack_when_one_request_at_a_time_shows_that_it_is_slow() {
    SimulatedClient client = new SimulatedClient(idle(3));
    client.closedLoop(1, 2 * SECOND);
    client.answersAfter(0, 100 * MILLISECOND);
    client.closedLoop(1, SECOND);
    int[] before = client.sent();

    client.closedLoop(1, 10 * SECOND);

    int[] sent = client.sentSince(before);
    assertThat(sent[0]).isLessThanOrEqualTo(11);
    assertThat(sent[1] + sent[2]).isGreaterThan(5000);
  }

  @Property
  void should_put_a_failing_node_behind_all_others(
      @ForAll @IntRange(max = 100_000) int inFlight, @ForAll @IntRange(max = 100_000) int delay) {
    List<Loaded> nodes = idle(12);
    nodes.forEach(node -> node.withInFlight(inFlight));
    nodes.forEach(node -> node.delay.sent(now - delay * MILLISECOND));
    nodes.get(3).delay.answered(1);
    fail(nodes.get(3).withInFlight(0));

    List<Node> plan =
        drain(planner.plan(local(nodes), replicas(nodes, 1, 2, 3), Map.of(), null, false));

    assertThat(plan.indexOf(nodes.get(3).node)).as("last of the scored").isEqualTo(2);
  }

  /** A hot row: who is no replica answers other requests at once, and has nothing in flight. */
  @Property
  void should_not_have_requests_forwarded_to_replicas_that_are_loaded(
      @ForAll @IntRange(min = 1, max = 10_000) int inFlight,
      @ForAll @IntRange(min = 1, max = 10_000) int millis) {
    List<Loaded> nodes = idle(12);
    for (Loaded node : nodes) {
      node.delay.answered(MILLISECOND);
    }
    for (int replica = 1; replica <= 3; replica++) {
      nodes.get(replica).withInFlight(inFlight).delay.answered(millis * MILLISECOND);
    }

    Node first = planner.plan(local(nodes), replicas(nodes, 1, 2, 3), Map.of(), null, false).poll();

    assertThat(nodesOf(nodes.subList(1, 4))).contains(first);
  }

  @Test
  void should_have_requests_forwarded_when_all_replicas_fail() {
    List<Loaded> nodes = idle(12);
    nodes.subList(1, 4).forEach(this::fail);

    Node first = planner.plan(local(nodes), replicas(nodes, 1, 2, 3), Map.of(), null, false).poll();

    assertThat(nodesOf(nodes.subList(1, 4))).doesNotContain(first);
  }

  /** By the answers that it gave before it failed, the own rack would look ten times slower. */
  @Test
  void should_not_measure_others_by_a_node_that_fails() {
    List<Loaded> nodes = idle(3);
    answeredAfter(nodes, 10, 1, 10);
    fail(nodes.get(1));
    assertThat(firsts(nodes)).containsOnly(nodes.get(0));
  }

  /** Who never answered would look ten times quicker than the other. */
  @Test
  void should_not_take_a_node_that_never_answered_for_as_quick_as_one_that_fails() {
    List<Loaded> nodes = sameRack(3);
    answeredAfter(nodes, 10, 1);
    fail(nodes.get(1));
    nodes.get(2).delay.sent(now);
    nodes.get(2).withInFlight(1);
    assertThat(firsts(nodes)).containsOnly(nodes.get(0));
  }

  @Test
  void should_leave_a_loaded_replica_of_the_rack_when_all_fail() {
    List<Loaded> nodes = idle(3);
    nodes.forEach(this::fail);
    assertThat(firsts(nodes)).containsOnly(nodes.get(0));
    nodes.get(0).withInFlight(100);
    assertThat(firsts(nodes)).containsOnly(nodes.get(1), nodes.get(2));
  }

  @Test
  void should_not_take_quick_errors_for_quick_answers() {
    List<Loaded> nodes = sameRack(2);
    answeredAfter(nodes, 10, 10);
    assertThat(nodes.get(0).delay.responseTimeNanos(now)).isEqualTo(10 * MILLISECOND);
    nodes.get(0).delay.failed(1);
    now += SECOND;
    assertThat(nodes.get(0).delay.responseTimeNanos(now)).isEqualTo(10 * MILLISECOND);

    nodes.get(0).delay.failed(5 * SECOND);
    now += SECOND;
    assertThat(nodes.get(0).delay.responseTimeNanos(now)).isGreaterThan(4.9 * SECOND);
  }

  /** Nobody hears of the answer, so the node would seem to owe it until it answers another. */
  @Test
  void should_begin_no_wait_for_the_answer_to_a_preparation() {
    List<Loaded> nodes = sameRack(1);
    Node node =
        planner
            .plan(local(nodes), Set.of(), Map.of(), new DefaultPrepareRequest("SELECT v"), false)
            .poll();
    assertThat(node).isSameAs(nodes.get(0).node);
    now += 3600 * SECOND;
    assertThat(nodes.get(0).delay.overdueNanos(1, MILLISECOND, now)).isZero();
  }

  @Test
  void should_keep_the_order_of_the_replicas_when_it_is_fixed() {
    List<Loaded> nodes = idle(12);
    nodes.get(3).delay.answered(SECOND);
    nodes.get(1).withInFlight(100);
    nodes.get(1).delay.sent(now - 30 * SECOND);
    now += 20 * SECOND;
    for (int i = 0; i < 1000; i++) {
      List<Node> plan =
          drain(planner.plan(local(nodes), replicas(nodes, 1, 5, 3), Map.of(), null, true));
      assertThat(plan.subList(0, 3))
          .containsExactly(nodes.get(3).node, nodes.get(1).node, nodes.get(5).node);
    }
  }

  @Test
  void should_try_a_node_that_has_just_started_last_of_its_equals() {
    List<Loaded> nodes = sameRack(3);
    Loaded starting = new Loaded(nodes.get(0).node, true, new StartingRamp(now, 30 * SECOND, 0));
    nodes.set(0, starting);
    assertThat(firsts(nodes)).containsOnly(nodes.get(1), nodes.get(2));
  }

  @Test
  void should_remember_response_times_for_as_long_as_the_user_says() {
    DriverExecutionProfile lasting =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(AdaptiveOption.MEMORY, Duration.ofSeconds(1))
            .build()
            .getInitialConfig()
            .getDefaultProfile();
    Loaded node = sameRack(1).get(0);
    PolicyKind.ADAPTIVE.planner(lasting, new WeightedSettings(lasting), () -> now).follow(node);
    node.delay.answered(MILLISECOND);
    node.delay.responseTimeNanos(0);
    node.delay.answered(11 * MILLISECOND);
    assertThat(node.delay.responseTimeNanos(50 * MILLISECOND))
        .isBetween(1.4 * MILLISECOND, 1.6 * MILLISECOND);
  }

  @Test
  void should_name_the_option_when_it_is_out_of_its_range() {
    for (AdaptiveOption option : AdaptiveOption.values()) {
      DriverExecutionProfile profile =
          DriverConfigLoader.programmaticBuilder()
              .withDuration(AdaptiveOption.PROBE_INTERVAL, Duration.ofSeconds(1))
              .withDouble(AdaptiveOption.PROBE_SHARE, 0.01)
              .build()
              .getInitialConfig()
              .getDefaultProfile();
      DriverExecutionProfile wrong =
          option == AdaptiveOption.RANKING
              ? profile.withString(option, "c4")
              : option == AdaptiveOption.PROBE_SHARE
                  ? profile.withDouble(option, 1.5)
                  : profile.withDuration(option, Duration.ZERO);
      assertThatThrownBy(() -> new AdaptiveSettings(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(option.getPath());
    }
  }

  private Set<Loaded> firsts(List<Loaded> nodes) {
    Set<Node> replicas = new LinkedHashSet<>(nodesOf(nodes));
    Set<Loaded> firsts = new LinkedHashSet<>();
    for (int i = 0; i < 1000; i++) {
      firsts.add((Loaded) planner.plan(local(nodes), replicas, Map.of(), null, false).first());
    }
    return firsts;
  }

  private void answeredAfter(List<Loaded> nodes, int... milliseconds) {
    now += SECOND;
    Nodes.answeredAfter(nodes, now, milliseconds);
  }

  private void fail(Loaded node) {
    Nodes.fail(node, now);
  }
}
