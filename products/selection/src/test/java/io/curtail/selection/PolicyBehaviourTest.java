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
  void should_say_why_no_host_runs_a_rival_of_the_simulator() {
    assertThatThrownBy(() -> Policies.named("netclone"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("simulator only")
        .hasMessageContaining("drop clones");
  }

  @Test
  void should_see_what_is_below_a_millisecond_or_rare_only_by_p90_in_microseconds() {
    for (String name : new String[] {"dynamic-snitch", "dynamic-snitch-p90"}) {
      boolean sees = name.endsWith("p90");
      ReplicaLoad[] loads = loads(name);
      for (int i = 0; i < 20; i++) {
        answer(loads[0], (i < 15 ? 4 : 900) * MILLI / 10); // slow at times
        answer(loads[1], 9 * MILLI / 10);
        answer(loads[2], 5 * MILLI / 10);
      }
      RankingPolicy policy =
          Policies.named(name).newRanking(PolicySettings.builder().badnessThreshold(0).build());
      Candidates candidates = new Candidates(RandomSource.seeded(7));
      rank(policy, candidates, 200 * MILLI, loads);
      assertThat(candidates.get(0)).isSameAs(sees ? loads[2] : loads[0]);
      assertThat(candidates.get(2)).isSameAs(sees ? loads[0] : loads[2]);
    }
  }

  @Test
  void should_expect_of_tars_what_the_queue_of_a_fresh_report_has_become() {
    ReplicaLoad load = new ReplicaLoad(Policies.named("tars").loadSettings());
    for (int i = 1; i <= 2; i++) {
      load.onSent();
      load.onResponse(20 * MILLI, new Feedback(9, 1, 1, 4 * MILLI), 10L * i * MILLI);
    }
    // Two clients, an answer each in 10 ms: 0.2 reads a ms come and 0.25 are served. In 20 ms the
    // queue of 9 is one of 8, so q = 9; from 100 ms on it is not believed, and q = 1.
    assertThat(tarsMillis(load, 40)).isCloseTo(20 - 4 + 9 * 9 * 9 * 4.0, within(1e-6));
    assertThat(tarsMillis(load, 119)).isCloseTo(16 + Math.pow(10 - 0.05 * 99, 3) * 4, within(1e-6));
    assertThat(tarsMillis(load, 120)).isCloseTo(20, within(1e-6));
    load.onSent();
    assertThat(tarsMillis(load, 120)).isCloseTo(16 + 3 * 3 * 3 * 4.0, within(1e-6));
  }

  private static double tarsMillis(ReplicaLoad load, long atMillis) {
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    rank(new TarsPolicy(2), candidates, atMillis * MILLI, load);
    return candidates.score(0) / MILLI;
  }

  @Test
  void should_try_by_tars_a_silent_replica_that_was_passed_over_too_often() {
    ReplicaLoad[] loads = loads("tars");
    for (ReplicaLoad load : loads) {
      load.onSent();
      load.onResponse(20 * MILLI, new Feedback(0, 1, 4, 4 * MILLI), MILLI);
    }
    loads[2].onSent();
    RankingPolicy policy = new TarsPolicy(150);
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    for (int i = 0; i < TarsPolicy.MOST_PASSED_OVER; i++) {
      rank(policy, candidates, 500 * MILLI, loads);
      assertThat(candidates.get(2)).isSameAs(loads[2]);
    }
    for (ReplicaLoad load : new ReplicaLoad[] {loads[0], loads[1]}) {
      load.onFeedback(new Feedback(0, 1, 4, 4 * MILLI), 490 * MILLI);
    }
    rank(policy, candidates, 500 * MILLI, loads);
    assertThat(candidates.get(0)).isSameAs(loads[2]);
  }

  @Test
  void should_rank_by_c3_however_old_the_answers_of_four_replicas_are() {
    for (String name : new String[] {"c3", "c3-per-slot"}) {
      NamedPolicy named = Policies.named(name);
      ReplicaLoad[] loads = new ReplicaLoad[4];
      for (int i = 0; i < loads.length; i++) {
        loads[i] = new ReplicaLoad(named.loadSettings());
        loads[i].onSent();
        long answeredAt = i == 0 ? MILLI : 100_000 * MILLI; // the best one long ago
        loads[i].onResponse((10 + i) * MILLI, new Feedback(0, 1, 4, MILLI), answeredAt);
      }
      Candidates candidates = new Candidates(RandomSource.seeded(7));
      rank(named.newRanking(PolicySettings.DEFAULTS), candidates, 100_000 * MILLI, loads);
      for (int place = 0; place < loads.length; place++) {
        assertThat(candidates.get(place)).isSameAs(loads[place]);
      }
    }
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
            .newRanking(PolicySettings.builder().tiesInOrder(true).build()),
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
            .newRanking(PolicySettings.builder().badnessThreshold(0).build());
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
  void should_prefer_a_near_replica_until_it_is_twice_as_slow_by_least_delay() {
    assertThat(isNearFirst(15)).isTrue();
    assertThat(isNearFirst(26)).isFalse();
  }

  /** Whether a replica that takes so many tenths of what two far ones take comes first. */
  private static boolean isNearFirst(int tenths) {
    LoadSettings settings = Policies.named("adaptive").loadSettings();
    ReplicaLoad near = new ReplicaLoad(settings, 1);
    ReplicaLoad[] loads = {near, new ReplicaLoad(settings, 4), new ReplicaLoad(settings, 4)};
    answer(near, tenths * MILLI / 10);
    answer(loads[1], MILLI);
    answer(loads[2], MILLI);
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    RankingPolicy policy = Policies.named("adaptive").newRanking(PolicySettings.DEFAULTS);
    rank(policy, candidates, MILLI, loads);
    return candidates.get(0) == near;
  }

  /** By the answer that it gave before it failed, the near one would look ten times slower. */
  @Test
  void should_not_measure_others_by_a_replica_that_fails_by_least_delay() {
    LoadSettings settings = Policies.named("adaptive").loadSettings();
    ReplicaLoad near = new ReplicaLoad(settings, 1);
    ReplicaLoad[] loads = {near, new ReplicaLoad(settings, 4), new ReplicaLoad(settings, 4)};
    for (ReplicaLoad load : loads) {
      DelayMemory.of(load).delay().sent(MILLI);
    }
    answer(near, 10 * MILLI);
    answer(loads[1], MILLI);
    answer(loads[2], 10 * MILLI);
    for (int i = 0; i < 3; i++) {
      loads[1].onSent();
      loads[1].onFailure(1, 1, MILLI);
    }
    Candidates candidates = new Candidates(RandomSource.seeded(7));
    RankingPolicy policy = Policies.named("adaptive").newRanking(PolicySettings.DEFAULTS);
    for (int i = 0; i < 100; i++) {
      rank(policy, candidates, MILLI, loads);
      assertThat(candidates.get(0)).isSameAs(near);
      assertThat(candidates.get(2)).isSameAs(loads[1]);
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
