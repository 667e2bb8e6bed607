/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.driver.Nodes.drain;
import static io.curtail.driver.Nodes.idle;
import static io.curtail.driver.Nodes.local;
import static io.curtail.driver.Nodes.replicas;
import static io.curtail.driver.Nodes.sameRack;
import static io.curtail.driver.SimulatedClient.MILLISECOND;
import static io.curtail.driver.SimulatedClient.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.driver.Nodes.Loaded;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which nodes a plan of AdaptivePolicy looks at, and when at more. */
class AdaptiveCandidatesTest {
  private static final long NOW = SECOND;

  private final Planner planner = AdaptivePlannerTest.planner(() -> NOW);

  @Test
  void should_ask_each_node_of_the_rack_and_no_other_when_replicas_are_unknown() {
    List<Loaded> nodes = answering(24);
    assertThat(firsts(nodes, Set.of())).containsExactlyInAnyOrderElementsOf(inRack(nodes));
  }

  /** Few nodes are looked at, so none could be told from the others if those were all slow. */
  @Test
  void should_leave_a_rack_that_is_slow_when_replicas_are_unknown() {
    List<Loaded> nodes = idle(24);
    int[] milliseconds = nodes.stream().mapToInt(node -> node.inLocalRack ? 100 : 1).toArray();
    Nodes.answeredAfter(nodes, NOW, milliseconds);

    Set<Loaded> firsts = firsts(nodes, Set.of());

    assertThat(firsts).doesNotContainAnyElementsOf(inRack(nodes)).hasSize(16);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void should_look_at_more_nodes_when_the_first_ones_fail(boolean areReplicasKnown) {
    List<Loaded> nodes = idle(24);
    nodes.forEach(node -> Nodes.fail(node, NOW));
    Set<Node> replicas = areReplicasKnown ? replicas(nodes, 0, 1, 2) : Set.of();
    assertThat(planner.plan(local(nodes), replicas, Map.of(), null, false).scoredCount())
        .isEqualTo(8);
  }

  @Test
  void should_look_at_more_nodes_than_few_when_no_rack_tells_or_requests_wait_for_room() {
    assertThat(scored(sameRack(24))).isEqualTo(8);
    assertThat(scored(idle(24))).isEqualTo(4);
    planner.limit();
    assertThat(scored(idle(24))).isEqualTo(8);
  }

  private int scored(List<Loaded> nodes) {
    return planner.plan(local(nodes), Set.of(), Map.of(), null, false).scoredCount();
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 12, 30})
  void should_share_the_load_within_the_rack_when_replicas_are_unknown(int size) {
    List<Loaded> nodes = answering(size);
    Map<Node, Integer> firsts = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      Node first = planner.plan(local(nodes), Set.of(), Map.of(), null, false).first().node;
      firsts.merge(first, 1, Integer::sum);
    }
    int fair = 10_000 / inRack(nodes).size();
    assertThat(firsts.values())
        .hasSize(inRack(nodes).size())
        .allMatch(count -> count > 0.8 * fair && count < 1.25 * fair);
  }

  /** Each is beside each other one: else the neighbours of a slow one get all that it had. */
  @Test
  void should_share_what_a_slow_node_of_the_rack_had_among_all_when_replicas_are_unknown() {
    List<Loaded> nodes = answering(18);
    nodes.get(0).withInFlight(1000);
    Map<Node, Integer> firsts = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      Node first = planner.plan(local(nodes), Set.of(), Map.of(), null, false).first().node;
      firsts.merge(first, 1, Integer::sum);
    }
    int fair = 10_000 / 5;
    assertThat(firsts.values())
        .hasSize(5)
        .allMatch(count -> count > 0.8 * fair && count < 1.25 * fair);
  }

  /** Those of other data centres are among the replicas, too. */
  @Test
  void should_look_at_the_replicas_of_the_local_data_centre_only() {
    List<Loaded> nodes = idle(12);
    Set<Node> replicas = replicas(nodes, 1, 2, 3);
    for (int i = 100; i < 106; i++) {
      replicas.add(Nodes.unconnected(i));
    }
    WeightedQueryPlan plan = planner.plan(local(nodes), replicas, Map.of(), null, false);
    assertThat(plan.scoredCount()).isEqualTo(3);
    assertThat(drain(plan)).hasSize(12);
  }

  /** Only few are looked at, and a probe of one that is looked at must be sent. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void should_use_a_node_of_any_rack_again_when_replicas_are_unknown(int recovering) {
    SimulatedClient client = new SimulatedClient(idle(12), false);
    client.openLoop(SECOND / 5000, SECOND);
    int[] slow = {0, 3, 6, 9, 1};
    for (int node : slow) {
      client.answersAfter(node, 100 * MILLISECOND);
    }
    client.openLoop(SECOND / 5000, 10 * SECOND);
    client.answersAfter(recovering, MILLISECOND);
    client.openLoop(SECOND / 5000, 2 * SECOND);
    int[] before = client.sent();

    client.openLoop(SECOND / 5000, SECOND);

    assertThat(client.sentSince(before)[recovering]).isGreaterThan(300);
  }

  /** Of which all have answered, so that none is probed. */
  private static List<Loaded> answering(int count) {
    List<Loaded> nodes = idle(count);
    Nodes.answeredAfter(nodes, NOW, nodes.stream().mapToInt(node -> 1).toArray());
    return nodes;
  }

  private static List<Loaded> inRack(List<Loaded> nodes) {
    return nodes.stream().filter(node -> node.inLocalRack).collect(Collectors.toList());
  }

  private Set<Loaded> firsts(List<Loaded> nodes, Set<Node> replicas) {
    Set<Loaded> firsts = new LinkedHashSet<>();
    for (int i = 0; i < 1000; i++) {
      firsts.add((Loaded) planner.plan(local(nodes), replicas, Map.of(), null, false).first());
    }
    return firsts;
  }
}
