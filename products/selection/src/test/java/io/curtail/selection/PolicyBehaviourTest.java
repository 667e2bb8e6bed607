/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PolicyBehaviourTest {
  private static final long MILLI = 1_000_000;

  @Test
  void should_name_all_policies_when_asked_for_an_unknown_one() {
    assertThatThrownBy(() -> Policies.named("c4"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'c4'")
        .hasMessageContaining("curtail")
        .hasMessageContaining("least-outstanding");
  }

  @Test
  void should_break_ties_evenly() {
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    ReplicaLoad[] loads = loads("least-outstanding");
    RankingPolicy policy = Policies.named("least-outstanding").newRanking(PolicySettings.DEFAULTS);
    int[] first = new int[3];
    for (int i = 0; i < 30_000; i++) {
      rank(policy, candidates, 0, loads);
      for (int j = 0; j < 3; j++) {
        first[j] += candidates.get(0) == loads[j] ? 1 : 0;
      }
    }
    for (int count : first) {
      assertThat((double) count).isCloseTo(10_000, within(400.0));
    }
  }

  @Test
  void should_break_ties_in_order_when_told_so() {
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    ReplicaLoad[] loads = loads("least-outstanding");
    loads[0].onSent();
    rank(
        Policies.named("least-outstanding")
            .newRanking(PolicySettings.DEFAULTS.withTiesInOrder(true)),
        candidates,
        0,
        loads);
    assertThat(candidates.get(0)).isSameAs(loads[1]);
    assertThat(candidates.get(1)).isSameAs(loads[2]);
  }

  @Test
  void should_take_turns() {
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    ReplicaLoad[] loads = loads("round-robin");
    RankingPolicy policy = Policies.named("round-robin").newRanking(PolicySettings.DEFAULTS);
    for (int i = 0; i < 9; i++) {
      rank(policy, candidates, 0, loads);
      assertThat(candidates.get(0)).isSameAs(loads[i % 3]);
    }
  }

  @Test
  void should_leave_the_rings_order_only_beyond_the_badness_threshold() {
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    ReplicaLoad[] loads = loads("dynamic-snitch");
    answer(loads[0], 19 * MILLI);
    answer(loads[1], 10 * MILLI);
    answer(loads[2], 10 * MILLI);
    RankingPolicy stock = Policies.named("dynamic-snitch").newRanking(PolicySettings.DEFAULTS);
    RankingPolicy eager =
        Policies.named("dynamic-snitch")
            .newRanking(PolicySettings.DEFAULTS.withBadnessThreshold(0));
    rank(stock, candidates, 99 * MILLI, loads);
    assertThat(candidates.get(0)).isSameAs(loads[0]);
    rank(stock, candidates, 100 * MILLI, loads);
    assertThat(candidates.get(0)).isSameAs(loads[0]);
    rank(eager, candidates, 100 * MILLI, loads);
    assertThat(candidates.get(2)).isSameAs(loads[0]);
    answer(loads[0], 90 * MILLI);
    answer(loads[0], 90 * MILLI);
    rank(stock, candidates, 200 * MILLI, loads);
    assertThat(candidates.get(2)).isSameAs(loads[0]);
  }

  @Test
  void should_move_an_unhealthy_minority_back_as_the_driver_does() {
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    ReplicaLoad[] loads = loads("driver-default");
    for (int i = 0; i < 10; i++) {
      loads[1].onSent();
    }
    RankingPolicy policy = Policies.named("driver-default").newRanking(PolicySettings.DEFAULTS);
    for (int i = 0; i < 100; i++) {
      rank(policy, candidates, 1_000 * MILLI, loads);
      assertThat(candidates.get(2)).isSameAs(loads[1]);
    }
  }

  @Test
  void should_keep_to_the_own_rack_until_it_is_loaded_four_times_as_much() {
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    NamedPolicy named = Policies.named("weighted-least-loaded");
    ReplicaLoad near = new ReplicaLoad(named.loadSettings(), 1);
    ReplicaLoad far = new ReplicaLoad(named.loadSettings(), 4);
    RankingPolicy policy = named.newRanking(PolicySettings.DEFAULTS);
    for (int i = 0; i < 3; i++) {
      rank(policy, candidates, 0, near, far);
      assertThat(candidates.get(0)).isSameAs(near);
      near.onSent();
    }
    near.onSent();
    rank(policy, candidates, 0, near, far);
    assertThat(candidates.get(0)).isSameAs(far);
  }

  @Test
  void should_rank_a_failing_replica_last_by_weighted_least_loaded_however_loaded_others_are() {
    ReplicaLoad[] loads = loads("weighted-least-loaded");
    for (int i = 0; i < 3; i++) {
      loads[1].onSent();
      loads[1].onFailure(MILLI, MILLI, MILLI);
    }
    for (int i = 0; i < 1_000; i++) {
      loads[0].onSent();
      loads[2].onSent();
    }
    RankingPolicy policy =
        Policies.named("weighted-least-loaded").newRanking(PolicySettings.DEFAULTS);
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    rank(policy, candidates, MILLI, loads);
    assertThat(candidates.get(2)).isSameAs(loads[1]);
  }

  @Test
  void should_leave_a_replica_that_owes_an_answer_by_least_delay() {
    ReplicaLoad[] loads = loads("adaptive");
    RankingPolicy policy = Policies.named("adaptive").newRanking(PolicySettings.DEFAULTS);
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    rank(policy, candidates, MILLI, loads);
    ReplicaLoad silent = candidates.get(0);
    silent.onSent();
    for (int i = 2; i < 100; i++) {
      rank(policy, candidates, (1 + 100 * i) * MILLI, loads);
      assertThat(candidates.get(0)).isNotSameAs(silent);
      candidates.get(0).onSent();
      candidates.get(0).onResponse(MILLI, null, (2 + 100 * i) * MILLI);
    }
  }

  @Test
  void should_prefer_the_fastest_cold_replica_and_shun_hot_ones() {
    PrequalPolicy policy = new PrequalPolicy();
    for (int i = 0; i < 160; i++) {
      policy.onProbe(new Feedback(i % 10, 0, 4, MILLI));
    }
    ReplicaLoad[] loads = loads("prequal");
    loads[0].onFeedback(new Feedback(30, 4, 4, MILLI / 100), 0);
    loads[1].onFeedback(new Feedback(1, 3, 4, 3 * MILLI), 0);
    loads[2].onFeedback(new Feedback(2, 3, 4, 2 * MILLI), 0);
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    rank(policy, candidates, MILLI, loads);
    assertThat(candidates.get(0)).isSameAs(loads[2]);
    assertThat(candidates.get(1)).isSameAs(loads[1]);
    assertThat(candidates.get(2)).isSameAs(loads[0]);
  }

  private static ReplicaLoad[] loads(String policy) {
    LoadSettings settings = Policies.named(policy).loadSettings();
    return new ReplicaLoad[] {
      new ReplicaLoad(settings), new ReplicaLoad(settings), new ReplicaLoad(settings)
    };
  }

  private static void answer(ReplicaLoad load, long elapsed) {
    load.onSent();
    load.onResponse(elapsed, null, MILLI);
  }

  private static void rank(
      RankingPolicy policy, Candidates candidates, long now, ReplicaLoad... loads) {
    candidates.start(now);
    for (ReplicaLoad load : loads) {
      candidates.add(load);
    }
    policy.rank(candidates);
  }
}
