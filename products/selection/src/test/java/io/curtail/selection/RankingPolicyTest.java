/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every policy, and what holds for those that look at load. */
class RankingPolicyTest {
  private static final long MILLI = 1_000_000;

  @Property(tries = 300)
  void should_only_permute(
      @ForAll("policies") String name,
      @ForAll @IntRange(max = 12) int replicas,
      @ForAll long seed) {
    NamedPolicy named = Policies.named(name);
    RankingPolicy policy = named.newRanking(PolicySettings.DEFAULTS);
    RandomSource random = RandomSource.seeded(seed);
    List<ReplicaLoad> given = new ArrayList<>();
    for (int i = 0; i < replicas; i++) {
      given.add(randomLoad(named.loadSettings(), random));
    }
    Candidates candidates = new Candidates(random);
    for (int round = 0; round < 5; round++) {
      candidates.start((1_000 + round) * MILLI);
      given.forEach(candidates::add);
      if (replicas > 0) {
        policy.rank(candidates);
      }
      assertThat(ranked(candidates)).containsExactlyInAnyOrderElementsOf(given);
    }
  }

  private static ReplicaLoad randomLoad(LoadSettings settings, RandomSource random) {
    ReplicaLoad load = new ReplicaLoad(settings, 1 + random.nextInt(4));
    int sent = random.nextInt(12);
    for (int i = 0; i < sent; i++) {
      load.onSent();
    }
    for (int i = 0; i < random.nextInt(sent + 1); i++) {
      Feedback feedback =
          random.nextInt(3) == 0
              ? null
              : new Feedback(random.nextInt(50), 4, random.nextInt(5), random.nextInt(9) * MILLI);
      if (random.nextInt(5) == 0) {
        load.onFailure(random.nextInt(20) * MILLI, 100 * MILLI, i * MILLI);
      } else {
        load.onResponse(random.nextInt(20) * MILLI, feedback, i * MILLI);
      }
    }
    return load;
  }

  @Provide
  Arbitrary<String> policies() {
    return Arbitraries.of(Policies.all().keySet());
  }

  @Provide
  Arbitrary<String> policiesThatUseFeedback() {
    return Arbitraries.of("curtail", "c3", "c3-per-slot", "tars", "adaptive-replica-selection");
  }

  @Property(tries = 300)
  void should_never_rank_a_replica_better_for_a_longer_queue(
      @ForAll("policiesThatUseFeedback") String name,
      @ForAll @IntRange(max = 100) int waiting,
      @ForAll @IntRange(min = 1, max = 100) int more,
      @ForAll @IntRange(min = 1, max = 50) int serviceMillis) {
    Feedback less = new Feedback(waiting, 4, 4, serviceMillis * MILLI);
    Feedback longer = new Feedback(waiting + more, 4, 4, serviceMillis * MILLI);
    assertNeverBetter(name, answered(name, 60 * MILLI, longer), answered(name, 60 * MILLI, less));
  }

  @Property(tries = 300)
  void should_never_rank_a_replica_better_for_a_slower_service(
      @ForAll("policiesThatUseFeedback") String name,
      @ForAll @IntRange(max = 100) int waiting,
      @ForAll @IntRange(min = 1, max = 50) int serviceMillis,
      @ForAll @IntRange(min = 1, max = 50) int more) {
    Feedback fast = new Feedback(waiting, 4, 4, serviceMillis * MILLI);
    Feedback slow = new Feedback(waiting, 4, 4, (serviceMillis + more) * MILLI);
    assertNeverBetter(name, answered(name, 120 * MILLI, slow), answered(name, 120 * MILLI, fast));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"curtail", "c3", "c3-per-slot", "adaptive-replica-selection", "peak-ewma"})
  void should_never_rank_a_replica_better_for_a_slower_response(String name) {
    Feedback feedback = new Feedback(2, 4, 4, 2 * MILLI);
    assertNeverBetter(
        name, answered(name, 30 * MILLI, feedback), answered(name, 20 * MILLI, feedback));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "curtail",
        "c3",
        "c3-per-slot",
        "tars",
        "least-outstanding",
        "adaptive-replica-selection",
        "weighted-least-loaded",
        "adaptive"
      })
  void should_prefer_the_replica_with_fewer_outstanding_when_all_else_is_equal(String name) {
    Feedback feedback = new Feedback(4, 4, 4, 2 * MILLI);
    ReplicaLoad busy = answered(name, 20 * MILLI, feedback);
    busy.onSent();
    assertNeverBetter(name, busy, answered(name, 20 * MILLI, feedback));
  }

  @ParameterizedTest
  @ValueSource(strings = {"curtail", "c3", "c3-per-slot"})
  void should_not_be_attracted_by_a_replica_that_fails_fast(String name) {
    ReplicaLoad failing = new ReplicaLoad(Policies.named(name).loadSettings());
    failing.onSent();
    failing.onFailure(1_000, 2_000 * MILLI, 0);
    assertNeverBetter(name, failing, answered(name, 20 * MILLI, new Feedback(4, 4, 4, 2 * MILLI)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"curtail", "c3", "c3-per-slot"})
  void should_not_flood_a_replica_that_never_answered(String name) {
    RankingPolicy policy = Policies.named(name).newRanking(PolicySettings.DEFAULTS);
    ReplicaLoad[] loads = {
      answered(name, 20 * MILLI, new Feedback(4, 4, 4, 2 * MILLI)),
      answered(name, 30 * MILLI, new Feedback(4, 4, 4, 3 * MILLI)),
      new ReplicaLoad(Policies.named(name).loadSettings())
    };
    Candidates candidates = new Candidates(RandomSource.seeded(1));
    for (int i = 0; i < 100; i++) {
      rank(policy, candidates, MILLI, loads);
      candidates.get(0).onSent();
    }
    assertThat(loads[2].outstanding()).isBetween(1, 2);
    while (loads[2].outstanding() < 2) {
      loads[2].onSent();
    }
    rank(policy, candidates, MILLI, loads);
    assertThat(candidates.get(2)).isSameAs(loads[2]);
  }

  /** Or range reads would all go to whom they met first, where point reads are always under way. */
  @Test
  void should_try_a_replica_of_which_only_requests_of_another_kind_are_outstanding() {
    LoadSettings settings = Policies.named("c3-per-slot").loadSettings();
    ReplicaLoad[] ranges = new ReplicaLoad[3];
    for (int i = 0; i < ranges.length; i++) {
      ReplicaLoad points = new ReplicaLoad(settings);
      ranges[i] = new ReplicaLoad(settings, points);
      for (int sent = 0; sent < 5; sent++) {
        points.onSent();
      }
    }
    ranges[0].onSent();
    ranges[0].onResponse(20 * MILLI, new Feedback(0, 1, 4, 20 * MILLI), MILLI);
    RankingPolicy policy = Policies.named("c3-per-slot").newRanking(PolicySettings.DEFAULTS);
    Candidates candidates = new Candidates(RandomSource.seeded(1));
    Set<ReplicaLoad> first = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      rank(policy, candidates, 2 * MILLI, ranges);
      first.add(candidates.get(0));
    }
    assertThat(first).containsExactlyInAnyOrder(ranges);
  }

  /**
   * Per slot C3 needs a probe for that: a replica that is far slower is not worth a client's read.
   */
  @ParameterizedTest
  @ValueSource(strings = {"curtail", "c3"})
  void should_use_an_avoided_replica_again_when_what_is_known_of_it_is_old(String name) {
    RankingPolicy policy = Policies.named(name).newRanking(PolicySettings.DEFAULTS);
    ReplicaLoad avoided = answered(name, 100 * MILLI, new Feedback(200, 4, 4, 20 * MILLI));
    ReplicaLoad busy = answered(name, 20 * MILLI, new Feedback(4, 4, 4, 4 * MILLI));
    ReplicaLoad busier = answered(name, 22 * MILLI, new Feedback(5, 4, 4, 4 * MILLI));
    Candidates candidates = new Candidates(RandomSource.seeded(1));
    rank(policy, candidates, MILLI, avoided, busy, busier);
    assertThat(candidates.get(2)).isSameAs(avoided);
    long later = 100_000 * MILLI;
    for (int i = 0; i < 4; i++) {
      busy.onSent();
      busier.onSent();
    }
    rank(policy, candidates, later, avoided, busy, busier);
    assertThat(candidates.get(0)).isSameAs(avoided);
  }

  /** By the cube a read would go to a slow disk because each of the others has two already. */
  @Test
  void should_not_prefer_an_idle_replica_that_is_far_slower_than_a_busy_one_with_its_queue() {
    ReplicaLoad slow = answered("c3-per-slot", 420 * MILLI, new Feedback(0, 1, 4, 420 * MILLI));
    assertThat(leastLoaded(slow)).isNotSameAs(slow);
    ReplicaLoad slower = answered("c3-per-slot", 60 * MILLI, new Feedback(0, 1, 4, 60 * MILLI));
    assertThat(leastLoaded(slower)).as("threefold is no far").isSameAs(slower);
  }

  private static ReplicaLoad leastLoaded(ReplicaLoad idle) {
    Feedback feedback = new Feedback(0, 2, 4, 20 * MILLI);
    ReplicaLoad[] loads = {
      answered("c3-per-slot", 20 * MILLI, feedback),
      answered("c3-per-slot", 20 * MILLI, feedback),
      idle
    };
    for (int i = 0; i < 4; i++) {
      loads[i % 2].onSent();
    }
    Candidates candidates = new Candidates(RandomSource.seeded(1));
    PolicySettings settings = PolicySettings.builder().clients(6).build();
    rank(Policies.named("c3-per-slot").newRanking(settings), candidates, 2 * MILLI, loads);
    return candidates.get(0);
  }

  @Test
  void should_say_who_is_far_slower_than_another_behind_its_queue() {
    ReplicaLoad busy = answered("c3-per-slot", 20 * MILLI, new Feedback(4, 4, 4, 20 * MILLI));
    ReplicaLoad slow = answered("c3-per-slot", 161 * MILLI, new Feedback(0, 1, 4, 161 * MILLI));
    assertThat(slow.isFarSlowerThan(busy, MILLI)).isTrue();
    assertThat(busy.isFarSlowerThan(slow, MILLI)).isFalse();
    busy.onSent();
    assertThat(slow.isFarSlowerThan(busy, MILLI)).as("which has one more before it").isFalse();
    ReplicaLoad distant = answered("c3-per-slot", 900 * MILLI, new Feedback(0, 1, 4, 20 * MILLI));
    assertThat(distant.isFarSlowerThan(busy, MILLI)).as("only far away").isFalse();
    ReplicaLoad unknown = new ReplicaLoad(LoadSettings.PAPER);
    assertThat(unknown.isFarSlowerThan(busy, MILLI)).isFalse();
    assertThat(slow.isFarSlowerThan(unknown, MILLI)).isFalse();
  }

  /** It has a free slot for each read that another gives back, and fails that, too. */
  @Test
  void should_take_a_replica_that_fails_for_far_slower_until_that_is_long_ago() {
    ReplicaLoad busy = answered("c3-per-slot", 20 * MILLI, new Feedback(4, 4, 4, 20 * MILLI));
    ReplicaLoad failing = answered("c3-per-slot", MILLI, new Feedback(0, 0, 4, MILLI));
    failing.onSent();
    assertThat(failing.isFarSlowerThan(busy, 2 * MILLI)).isFalse();
    failing.onFailure(MILLI, 5_000 * MILLI, 2 * MILLI);
    assertThat(failing.isFarSlowerThan(busy, 2 * MILLI)).isTrue();
    assertThat(failing.isFarSlowerThan(busy, 60_000 * MILLI)).isFalse();
    busy.onSent();
    busy.onFailure(MILLI, 5_000 * MILLI, 2 * MILLI);
    assertThat(failing.isFarSlowerThan(busy, 2 * MILLI)).as("which fails as well").isFalse();
  }

  private static void assertNeverBetter(String name, ReplicaLoad worse, ReplicaLoad better) {
    RankingPolicy policy = Policies.named(name).newRanking(PolicySettings.DEFAULTS);
    ReplicaLoad other = answered(name, 25 * MILLI, new Feedback(5, 4, 4, 5 * MILLI));
    Candidates candidates = new Candidates(RandomSource.seeded(1));
    int worseFirst = 0;
    int draws = 60;
    for (int i = 0; i < draws; i++) {
      rank(policy, candidates, 2 * MILLI, worse, other, better);
      List<ReplicaLoad> order = ranked(candidates);
      worseFirst += order.indexOf(worse) < order.indexOf(better) ? 1 : 0;
    }
    // Ties are broken at random, and power of two draws at random: at most every other time.
    assertThat(worseFirst).isLessThanOrEqualTo(draws * 7 / 10);
  }

  private static ReplicaLoad answered(String name, long elapsed, Feedback feedback) {
    ReplicaLoad load = new ReplicaLoad(Policies.named(name).loadSettings());
    load.onSent();
    load.onResponse(elapsed, feedback, MILLI);
    return load;
  }

  private static void rank(
      RankingPolicy policy, Candidates candidates, long now, ReplicaLoad... loads) {
    candidates.start(now);
    for (ReplicaLoad load : loads) {
      candidates.add(load);
    }
    policy.rank(candidates);
  }

  private static List<ReplicaLoad> ranked(Candidates candidates) {
    List<ReplicaLoad> order = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      order.add(candidates.get(i));
    }
    return order;
  }
}
