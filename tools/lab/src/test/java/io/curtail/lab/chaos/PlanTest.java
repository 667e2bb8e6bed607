/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {
  private static final Set<Kind> ALL = EnumSet.allOf(Kind.class);

  @Test
  void should_be_the_same_however_far_it_is_followed_when_the_seed_is_the_same() {
    List<Step> steps = new Plan(3, 4, ALL).steps(50);
    assertThat(new Plan(3, 4, ALL).steps(20)).isEqualTo(steps.subList(0, 20));
    assertThat(new Plan(4, 4, ALL).steps(50)).isNotEqualTo(steps);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7})
  void should_do_only_what_the_cluster_can_do_and_all_of_it(int nodes) {
    TreeSet<Integer> members = new TreeSet<>();
    for (int node = 1; node <= nodes; node++) {
      members.add(node);
    }
    List<Step> steps = new Plan(nodes, nodes, ALL).steps(400);
    for (Step step : steps) {
      if (step.kind() == Kind.BOOTSTRAP) {
        assertThat(members).doesNotContain(step.node());
        members.add(step.node());
      } else {
        assertThat(members).as(step.toString()).contains(step.node());
      }
      Set<Integer> there = new TreeSet<>(members);
      by(step).ifPresent(there::add);
      step.strike().ifPresent(strike -> assertThat(there).contains(strike.node()));
      if (step.kind() == Kind.DECOMMISSION || step.kind() == Kind.REMOVE) {
        members.remove(step.node());
      } else if (step.kind() == Kind.REPLACE) {
        int by = by(step).orElseThrow();
        assertThat(members).doesNotContain(by);
        members.remove(step.node());
        members.add(by);
      }
      assertThat(members).hasSizeBetween(nodes - 1, nodes);
    }
    assertThat(steps.stream().map(Step::kind).collect(Collectors.toSet())).isEqualTo(ALL);
  }

  @Test
  void should_fill_disks_of_nodes_with_the_engine_only() {
    assertThat(new Plan(1, 4, ALL).steps(400))
        .filteredOn(step -> step.kind() == Kind.FULL_DISK)
        .isNotEmpty()
        .allMatch(step -> Plan.hasEngine(step.node()));
  }

  @Test
  void should_begin_a_move_a_repair_an_index_or_a_kill_on_some_full_disks() {
    Set<String> begun =
        new Plan(1, 4, ALL)
            .steps(1_000).stream()
                .filter(step -> step.kind() == Kind.FULL_DISK)
                .map(step -> step.what().replaceFirst(" .* to (rocksdb|default)", ""))
                .collect(Collectors.toSet());
    assertThat(begun)
        .containsExactlyInAnyOrder("", "killed", "move", "move, killed", "repair", "index");
  }

  @Test
  void should_leave_out_what_is_not_asked_for() {
    Set<Kind> few = EnumSet.of(Kind.KILL, Kind.MOVE);
    assertThat(new Plan(1, 4, few).steps(100)).allMatch(step -> few.contains(step.kind()));
  }

  @Test
  void should_kill_only_once_rows_stream_when_nodes_join_leave_or_rebuild() {
    List<Step> kills =
        new Plan(1, 4, ALL)
            .steps(4_000).stream()
                .filter(step -> step.kind().strikes == Kind.Strikes.STREAMS)
                .filter(step -> step.strike().filter(Step.Strike::kills).isPresent())
                .toList();
    assertThat(kills.stream().map(Step::kind).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(
            Kind.DECOMMISSION, Kind.BOOTSTRAP, Kind.REPLACE, Kind.MOVE_TOKEN, Kind.REBUILD);
    for (Step step : kills) {
      assertThat(step.strike().orElseThrow().streaming()).isEqualTo(by(step).orElse(step.node()));
    }
    assertThat(kills)
        .anyMatch(step -> isStruckItself(step))
        .anyMatch(step -> !isStruckItself(step));
    assertThat(kills)
        .filteredOn(step -> step.kind() == Kind.REPLACE)
        .noneMatch(step -> step.strike().orElseThrow().node() == step.node());
    assertThat(kills.get(0).toString()).contains("is killed", "begins to stream");
  }

  private static boolean isStruckItself(Step step) {
    Step.Strike strike = step.strike().orElseThrow();
    return strike.node() == strike.streaming();
  }

  /** Who takes the part of another one. */
  private static Optional<Integer> by(Step step) {
    return step.kind() == Kind.REPLACE
        ? Optional.of(Integer.parseInt(step.what().replaceAll("\\D", "")))
        : Optional.empty();
  }
}
