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
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.cql.DefaultPrepareRequest;
import io.curtail.driver.Nodes.Loaded;
import io.curtail.selection.NamedPolicy;
import io.curtail.selection.Policies;
import io.curtail.selection.PolicySettings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RankedPlannerTest {
  private static final long MILLISECOND = 1_000_000;
  private static final int PLANS = 5_000; // of which a hundredth may be probes

  private long now = 1000 * MILLISECOND;

  @Property(tries = 20)
  void should_return_each_live_node_once_by_any_ranking(
      @ForAll @IntRange(min = 1, max = 30) int size,
      @ForAll @Size(max = 5) Set<@IntRange(max = 40) Integer> replicaIndexes,
      @ForAll @Size(30) List<@IntRange(max = 60) Integer> states,
      @ForAll boolean fixedOrder) {
    for (String ranking : rankings().toArray(String[]::new)) {
      Planner planner = planner(ranking);
      List<Loaded> nodes = nodes(planner, size);
      for (int i = 0; i < size; i++) {
        Loaded node = nodes.get(i).withInFlight(states.get(i));
        if (states.get(i) % 4 == 0) {
          fail(node);
        } else if (states.get(i) % 3 == 0) {
          answer(node, states.get(i));
        }
      }
      Set<Node> replicas = new LinkedHashSet<>();
      for (int index : replicaIndexes) {
        replicas.add(index < size ? nodes.get(index).node : Nodes.unconnected(index));
      }

      List<Node> plan = drain(planner.plan(local(nodes), replicas, Map.of(), null, fixedOrder));

      assertThat(plan).as(ranking).containsExactlyInAnyOrderElementsOf(nodesOf(nodes));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"c3-without-rate-control", "curtail", "adaptive-replica-selection"})
  void should_rank_the_slow_replica_last_of_the_replicas(String ranking) {
    Planner planner = planner(ranking);
    List<Loaded> nodes = withSlowSecond(planner);

    List<Node> plan =
        drain(planner.plan(local(nodes), replicas(nodes, 1, 2, 3), Map.of(), null, false));

    assertThat(plan.subList(0, 2)).containsExactlyInAnyOrder(nodes.get(2).node, nodes.get(3).node);
    assertThat(plan.get(2)).isEqualTo(nodes.get(1).node);
  }

  @ParameterizedTest
  @ValueSource(strings = {"c3-without-rate-control", "c3-per-slot", "adaptive-replica-selection"})
  void should_ask_a_replica_again_once_a_second(String ranking) {
    Planner planner = planner(ranking);
    List<Loaded> nodes = withSlowSecond(planner);
    Loaded left = nodes.get(1);
    assertThat(timesFirst(planner, nodes, left)).isZero();
    for (int second = 0; second < 3; second++) {
      now += 1000 * MILLISECOND;
      List.of(nodes.get(2), nodes.get(3)).forEach(node -> answer(node, 1));
      assertThat(timesFirst(planner, nodes, left)).isEqualTo(1);
    }
  }

  @Test
  void should_use_a_replica_that_answers_quickly_again() {
    Planner planner = planner("c3-per-slot");
    List<Loaded> nodes = withSlowSecond(planner);
    Loaded left = nodes.get(1);
    now += 1000 * MILLISECOND;
    List.of(left, nodes.get(2), nodes.get(3)).forEach(node -> answer(node, 1));
    nodes.get(2).withInFlight(2);
    nodes.get(3).withInFlight(2);
    assertThat(timesFirst(planner, nodes, left)).isEqualTo(PLANS);
  }

  @Test
  void should_not_ask_a_replica_again_that_owes_an_answer() {
    Planner planner = planner("c3-per-slot");
    List<Loaded> nodes = withSlowSecond(planner);
    Loaded left = nodes.get(1);
    left.withInFlight(1);
    now += 5000 * MILLISECOND;
    assertThat(timesFirst(planner, nodes, left)).isZero();
  }

  /** Requests of another policy are always in flight there, and are answered. */
  @Test
  void should_ask_a_replica_again_that_answers_others() {
    Planner planner = planner("c3-per-slot");
    List<Loaded> nodes = withSlowSecond(planner);
    Loaded left = nodes.get(1);
    left.withInFlight(1);
    now += 5000 * MILLISECOND;
    left.heard(now - MILLISECOND);
    assertThat(timesFirst(planner, nodes, left)).isEqualTo(1);
  }

  /** It would be shown as stalled until it answers another request. */
  @Test
  void should_begin_no_wait_for_the_answer_to_a_preparation() {
    Planner planner = planner("c3-per-slot");
    List<Loaded> nodes = nodes(planner, 1);
    planner
        .plan(local(nodes), Set.of(), Map.of(), new DefaultPrepareRequest("SELECT v"), false)
        .poll();
    nodes.get(0).withInFlight(1);
    now += 5000 * MILLISECOND;
    assertThat(nodes.get(0).isStalled(now)).isFalse();
  }

  private List<Loaded> withSlowSecond(Planner planner) {
    List<Loaded> nodes = nodes(planner, 12);
    nodes.forEach(node -> answer(node, node == nodes.get(1) ? 1000 : 1));
    return nodes;
  }

  /** Of many plans for the same three replicas, of which none is sent. */
  private static int timesFirst(Planner planner, List<Loaded> nodes, Loaded which) {
    int first = 0;
    for (int i = 0; i < PLANS; i++) {
      WeightedQueryPlan plan =
          planner.plan(local(nodes), replicas(nodes, 1, 2, 3), Map.of(), null, false);
      first += plan.first() == which ? 1 : 0;
    }
    return first;
  }

  @ParameterizedTest
  @MethodSource("rankings")
  void should_prefer_any_other_node_to_failing_replicas(String ranking) {
    Planner planner = planner(ranking);
    List<Loaded> nodes = nodes(planner, 12);
    Set<Node> replicas = replicas(nodes, 1, 2);
    fail(nodes.get(1));
    fail(nodes.get(2));

    List<Node> plan = drain(planner.plan(local(nodes), replicas, Map.of(), null, false));

    assertThat(plan.subList(0, 6)).doesNotContainAnyElementsOf(replicas);
  }

  @Test
  void should_refuse_a_policy_that_would_be_another_in_a_driver() {
    assertThatThrownBy(() -> planner("prequal"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(AdaptiveOption.RANKING.getPath())
        .hasMessageContaining("messages of its own")
        .hasMessageContaining("c3-without-rate-control");
  }

  @ParameterizedTest
  @CsvSource({"c3, c3-without-rate-control", "round-robin-rate-controlled, round-robin"})
  void should_say_what_does_the_same_when_a_policy_holds_requests_back(String name, String alone) {
    assertThatThrownBy(() -> planner(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(AdaptiveOption.RANKING.getPath())
        .hasMessageContaining("holds requests back")
        .hasMessageContaining("set this to " + alone + ", ")
        .hasMessageContaining("advanced.throttler.class to io.curtail.driver.AdaptiveThrottler")
        .hasMessageContaining("advanced.throttler.adaptive.rate-control to cubic");
    PolicySettings settings = PolicySettings.builder().build();
    assertThat(Rankings.named(alone).newRanking(settings))
        .hasSameClassAs(Policies.named(name).newRanking(settings));
  }

  @Test
  void should_know_for_each_policy_that_holds_requests_back_what_does_the_same() {
    assertThat(Policies.all().values().stream().filter(each -> !each.rateControl().equals("none")))
        .extracting(NamedPolicy::name)
        .containsExactlyInAnyOrder("c3", "round-robin-rate-controlled");
  }

  @Test
  void should_refuse_copies_by_a_ranking_that_knows_no_delays() {
    assertThatThrownBy(() -> planner("curtail").startHedging(null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(AdaptiveOption.RANKING.getPath() + " = adaptive");
  }

  /** All that a driver can run but AdaptivePolicy's own. */
  static Stream<String> rankings() {
    return Policies.all().keySet().stream()
        .filter(name -> !name.equals(Rankings.ADAPTIVE) && canRun(name));
  }

  private static boolean canRun(String name) {
    try {
      return Rankings.named(name) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private Planner planner(String ranking) {
    DriverExecutionProfile profile =
        DriverConfigLoader.programmaticBuilder()
            .withString(AdaptiveOption.RANKING, ranking)
            .build()
            .getInitialConfig()
            .getDefaultProfile();
    return PolicyKind.ADAPTIVE.planner(profile, new WeightedSettings(profile), () -> now);
  }

  private static List<Loaded> nodes(Planner planner, int count) {
    List<Loaded> nodes = idle(count);
    nodes.forEach(planner::follow);
    return nodes;
  }

  private void answer(Loaded node, long milliseconds) {
    node.load.onSent();
    node.load.onResponse(milliseconds * MILLISECOND, null, now);
  }

  private void fail(Loaded node) {
    for (int i = 0; i < 5; i++) {
      node.health.failed(now);
    }
  }
}
