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

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.driver.Nodes.Loaded;
import io.curtail.selection.weighted.StartingRamp;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WeightedPlannerTest {
  private static final int DRAWS = 4000;

  private long now;
  private int clockReads;

  private final WeightedPlanner planner =
      new WeightedPlanner(
          new WeightedSettings(
              DriverConfigLoader.programmaticBuilder()
                  .build()
                  .getInitialConfig()
                  .getDefaultProfile()),
          () -> {
            clockReads++;
            return now;
          });

  @Property
  void should_return_each_live_node_once_whatever_its_state(
      @ForAll @IntRange(min = 1, max = 40) int size,
      @ForAll @Size(max = 12) List<@IntRange(max = 60) Integer> replicaIndexes,
      @ForAll @Size(value = 40) List<@IntRange(max = 200) Integer> loads,
      @ForAll boolean fixedOrder) {
    List<Loaded> nodes = idle(size);
    for (int i = 0; i < size; i++) {
      nodes.get(i).withInFlight(loads.get(i));
      if (loads.get(i) % 5 == 0) {
        fail(nodes.get(i));
      }
    }
    Set<Node> replicas = new LinkedHashSet<>();
    for (int index : replicaIndexes) {
      replicas.add(index < size ? nodes.get(index).node : Nodes.unconnected(index));
    }

    List<Node> plan = drain(planner.plan(local(nodes), replicas, Map.of(), null, fixedOrder));

    assertThat(plan).doesNotHaveDuplicates();
    assertThat(plan).containsExactlyInAnyOrderElementsOf(nodesOf(nodes));
  }

  @Property
  void should_score_every_live_replica_when_there_are_more_than_the_plan_size(
      @ForAll @IntRange(min = 9, max = 20) int replicaCount) {
    List<Loaded> nodes = idle(40);
    Set<Node> replicas = new LinkedHashSet<>(nodesOf(nodes.subList(0, replicaCount)));

    List<Node> plan = drain(planner.plan(local(nodes), replicas, Map.of(), null, false));

    assertThat(plan.subList(0, replicaCount)).containsExactlyInAnyOrderElementsOf(replicas);
  }

  /** As of a keyspace with three replicas in each of four data centres. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void should_score_no_more_nodes_for_replicas_of_other_data_centres(boolean fixedOrder) {
    List<Loaded> nodes = idle(24);
    Set<Node> replicas = replicas(nodes, 1, 2, 3);
    for (int i = 100; i < 109; i++) {
      replicas.add(Nodes.unconnected(i));
    }

    WeightedQueryPlan plan = planner.plan(local(nodes), replicas, Map.of(), null, fixedOrder);

    assertThat(plan.scoredCount()).isEqualTo(8);
    assertThat(drain(plan)).startsWith(nodes.get(3).node).hasSize(24);
  }

  @Test
  void should_prefer_the_replica_of_the_local_rack_when_all_are_idle() {
    List<Loaded> nodes = idle(12);
    Set<Node> replicas = replicas(nodes, 1, 2, 3);

    for (int i = 0; i < 100; i++) {
      List<Node> plan = drain(planner.plan(local(nodes), replicas, Map.of(), null, false));
      assertThat(plan.get(0)).isSameAs(nodes.get(3).node);
      assertThat(plan.subList(1, 3))
          .containsExactlyInAnyOrder(nodes.get(1).node, nodes.get(2).node);
    }
  }

  @Test
  void should_leave_the_rack_when_its_replica_has_over_four_times_the_load() {
    List<Loaded> nodes = idle(12);
    Set<Node> replicas = replicas(nodes, 1, 2, 3);

    nodes.get(3).withInFlight(2);
    assertThat(first(nodes, replicas)).isSameAs(nodes.get(3));
    nodes.get(3).withInFlight(4);
    assertThat(first(nodes, replicas)).isIn(nodes.get(1), nodes.get(2));
  }

  @Test
  void should_use_another_node_of_the_rack_when_all_replicas_are_loaded() {
    List<Loaded> nodes = idle(12);
    for (int replica : new int[] {1, 2, 3}) {
      nodes.get(replica).withInFlight(12);
    }
    nodes.get(3).withInFlight(20);

    Loaded first = first(nodes, replicas(nodes, 1, 2, 3));

    assertThat(first.inLocalRack).isTrue();
    assertThat(first).isNotSameAs(nodes.get(3));
  }

  @Test
  void should_break_ties_at_random_when_replicas_are_as_good() {
    List<Loaded> nodes = idle(12);
    Set<Node> replicas = replicas(nodes, 1, 2, 4);
    int[] counts = new int[12];
    for (int i = 0; i < DRAWS; i++) {
      counts[nodes.indexOf(first(nodes, replicas))]++;
    }
    for (int replica : new int[] {1, 2, 4}) {
      assertThat(counts[replica]).isBetween(DRAWS / 3 - 200, DRAWS / 3 + 200);
    }
  }

  @Test
  void should_split_the_load_of_an_avoided_replica_evenly_among_the_others() {
    List<Loaded> nodes = idle(12);
    nodes.get(2).withInFlight(50);
    Set<Node> replicas = replicas(nodes, 1, 2, 4);
    int firstOfOthers = 0;
    for (int i = 0; i < DRAWS; i++) {
      if (first(nodes, replicas) == nodes.get(1)) {
        firstOfOthers++;
      }
    }
    assertThat(firstOfOthers).isBetween(DRAWS / 2 - 200, DRAWS / 2 + 200);
  }

  @Test
  void should_spread_over_all_nodes_of_the_rack_when_the_replicas_are_unknown() {
    List<Loaded> nodes = idle(192);
    int[] counts = new int[192];
    int draws = 64 * 200;
    for (int i = 0; i < draws; i++) {
      counts[nodes.indexOf(first(nodes, Set.of()))]++;
    }
    for (int i = 0; i < 192; i += 3) {
      assertThat(counts[i]).as("node %d", i).isBetween(100, 320);
    }
  }

  @Property
  void should_put_a_failing_replica_after_the_others_at_any_number_in_flight(
      @ForAll @IntRange(max = 100_000) int inFlight) {
    List<Loaded> nodes = idle(12);
    nodes.forEach(node -> node.withInFlight(inFlight));
    fail(nodes.get(3).withInFlight(0));

    List<Node> plan =
        drain(planner.plan(local(nodes), replicas(nodes, 1, 2, 3), Map.of(), null, false));

    assertThat(plan.indexOf(nodes.get(3).node)).isEqualTo(7);
  }

  @Test
  void should_try_a_starting_node_more_often_as_its_ramp_goes_on() {
    List<Loaded> nodes = idle(3);
    long second = 1_000_000_000L;
    Loaded starting = new Loaded(nodes.get(0).node, true, new StartingRamp(0, 30 * second, 0));
    nodes.set(0, starting);
    Set<Node> replicas = replicas(nodes, 0, 1, 2);

    now = 0;
    assertThat(share(nodes, replicas, starting)).isZero();
    now = 15 * second;
    assertThat(share(nodes, replicas, starting)).isBetween(0.45, 0.55);
    now = 31 * second;
    assertThat(share(nodes, replicas, starting)).isEqualTo(1);
  }

  @Test
  void should_keep_the_order_of_the_replicas_with_the_local_rack_first_when_it_is_fixed() {
    List<Loaded> nodes = idle(12);
    nodes.get(1).withInFlight(3);
    nodes.get(3).withInFlight(9);
    List<Node> plan =
        drain(planner.plan(local(nodes), replicas(nodes, 1, 5, 3), Map.of(), null, true));

    assertThat(plan.subList(0, 3))
        .containsExactly(nodes.get(3).node, nodes.get(1).node, nodes.get(5).node);
  }

  @Test
  void should_move_only_unhealthy_replicas_when_the_order_is_fixed() {
    List<Loaded> nodes = idle(12);
    fail(nodes.get(3));
    List<Node> plan =
        drain(planner.plan(local(nodes), replicas(nodes, 3, 1, 5), Map.of(), null, true));

    assertThat(plan.subList(0, 3))
        .containsExactly(nodes.get(1).node, nodes.get(5).node, nodes.get(3).node);
  }

  @Property
  void should_keep_the_fixed_order_of_the_replicas_at_any_number_in_flight(
      @ForAll @Size(value = 12) List<@IntRange(max = 100_000) Integer> inFlight) {
    List<Loaded> nodes = idle(12);
    for (int i = 0; i < nodes.size(); i++) {
      nodes.get(i).withInFlight(inFlight.get(i));
    }
    List<Node> plan =
        drain(planner.plan(local(nodes), replicas(nodes, 1, 5, 3), Map.of(), null, true));

    assertThat(plan.subList(0, 3))
        .containsExactly(nodes.get(3).node, nodes.get(1).node, nodes.get(5).node);
  }

  @Test
  void should_not_read_the_clock_when_nothing_is_wrong() {
    List<Loaded> nodes = idle(12);
    nodes.forEach(node -> node.withInFlight(9));
    planner.plan(local(nodes), replicas(nodes, 1, 2, 3), Map.of(), null, false);
    assertThat(clockReads).isZero();

    nodes.forEach(node -> node.withInFlight(10));
    planner.plan(local(nodes), replicas(nodes, 1, 2, 3), Map.of(), null, false);
    assertThat(clockReads).isEqualTo(1);
  }

  private double share(List<Loaded> nodes, Set<Node> replicas, Loaded of) {
    int count = 0;
    for (int i = 0; i < DRAWS; i++) {
      if (first(nodes, replicas) == of) {
        count++;
      }
    }
    return (double) count / DRAWS;
  }

  private void fail(Loaded node) {
    for (int i = 0; i < 5; i++) {
      node.health.failed(now);
    }
  }

  private Loaded first(List<Loaded> nodes, Set<Node> replicas) {
    return (Loaded) planner.plan(local(nodes), replicas, Map.of(), null, false).first();
  }
}
