/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.selection.weighted.HealthSettings;
import io.curtail.selection.weighted.ReplicaHealth;
import io.curtail.selection.weighted.StartingRamp;
import io.curtail.selection.weighted.WeightedLeastLoaded;
import io.curtail.selection.weighted.Weights;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.FloatRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LeastDelayTest {
  private static final float FURTHEST = 1024f * 1024f;
  private static final StartingRamp STARTING = new StartingRamp(0, 1000, 0);

  private final LeastDelay formula = new LeastDelay(new Weights(1, 1, 1024, 1), 1000, 0.25);
  private final ReplicaHealth healthy = new ReplicaHealth(HealthSettings.DEFAULT);

  @Property
  void should_put_a_failing_replica_behind_every_other(
      @ForAll @FloatRange(min = 1, max = 1e12f) float slowness,
      @ForAll @FloatRange(min = 0.01f, max = 1) float doubt,
      @ForAll @IntRange(max = 1_000_000) int outstanding,
      @ForAll @FloatRange(min = 1, max = FURTHEST) float distance,
      @ForAll int random) {
    ReplicaHealth failing = failing();
    int last =
        WeightedLeastLoaded.key(
            formula.score(1, 1, 0, 1, failing, StartingRamp.NONE, 0, random), random);
    int other =
        WeightedLeastLoaded.key(
            formula.score(slowness, doubt, outstanding, distance, healthy, STARTING, 0, random),
            ~random);
    assertThat(last).isGreaterThan(other);
    assertThat(formula.score(1, 1, outstanding, FURTHEST, failing, STARTING, 0, random)).isFinite();
    assertThat(other).isPositive();
  }

  /** In an overload all may fail: then the near one must not get all the load. */
  @Property
  void should_prefer_the_less_loaded_of_two_that_fail(@ForAll int random, @ForAll int other) {
    ReplicaHealth failing = failing();
    float near = formula.score(1, 1, 100, 1, failing, StartingRamp.NONE, 0, random);
    float far = formula.score(1, 1, 0, 4, failing, StartingRamp.NONE, 0, other);
    assertThat(far).isLessThan(near);
    float idle = formula.score(1, 1, 0, 1, failing, StartingRamp.NONE, 0, random);
    assertThat(idle).isLessThan(far);
  }

  private static ReplicaHealth failing() {
    ReplicaHealth failing = new ReplicaHealth(HealthSettings.DEFAULT);
    for (int i = 0; i < 3; i++) {
      failing.failed(0);
    }
    return failing;
  }

  @Property
  void should_prefer_an_idle_replica_to_one_with_a_request_outstanding(
      @ForAll int random, @ForAll int other) {
    assertThat(score(1, 0, 1, random)).isLessThan(score(1, 1, 1, other));
  }

  @Property
  void should_leave_a_slow_replica_idle_while_hundreds_are_outstanding_elsewhere(
      @ForAll @IntRange(max = 400) int outstanding, @ForAll int random, @ForAll int other) {
    assertThat(score(1, outstanding, 1, random)).isLessThan(score(50, 0, 1, other));
  }

  @Property
  void should_take_replicas_for_equally_quick_that_differ_by_no_more_than_the_doubt(
      @ForAll @FloatRange(min = 0.01f, max = 1) float doubt,
      @ForAll @FloatRange(min = 0, max = 1) float share,
      @ForAll @IntRange(max = 1000) int outstanding,
      @ForAll int random) {
    float alike = doubted(1 + share * doubt, doubt, outstanding, random);
    assertThat(alike).isEqualTo(doubted(1, doubt, outstanding, random));
    assertThat(doubted((1 + doubt) * 1.05f, doubt, outstanding, random)).isGreaterThan(alike);
  }

  /** A difference of half that hundreds of answers agree on is no chance. */
  @Property
  void should_leave_a_replica_sooner_the_more_is_known(@ForAll int random, @ForAll int other) {
    assertThat(doubted(1.5f, 1, 3, random)).isLessThan(doubted(1, 1, 4, other));
    assertThat(doubted(1.5f, 0.1f, 2, random)).isGreaterThan(doubted(1, 0.1f, 3, other));
    assertThat(doubted(2.5f, 1, 1, random)).isLessThan(doubted(1, 1, 4, other));
    assertThat(doubted(2.5f, 0.1f, 1, random)).isGreaterThan(doubted(1, 0.1f, 10, other));
  }

  @Property
  void should_take_replicas_for_equally_quick_up_to_twice_the_quickest_if_little_is_known(
      @ForAll @FloatRange(min = 1, max = 2) float slowness,
      @ForAll @IntRange(max = 1000) int outstanding,
      @ForAll int random) {
    assertThat(score(slowness, outstanding, 1, random)).isEqualTo(score(1, outstanding, 1, random));
    assertThat(score(2.1f, outstanding, 1, random)).isGreaterThan(score(1, outstanding, 1, random));
  }

  @Property
  void should_prefer_the_rack_until_it_is_slower_than_the_way_is_far(
      @ForAll @FloatRange(min = 1, max = 6) float slowness, @ForAll int random, @ForAll int other) {
    assertThat(score(slowness, 0, 1, random)).isLessThan(score(1, 0, 4, other));
    assertThat(score(8 * slowness, 0, 1, random)).isGreaterThan(score(1, 0, 4, other));
  }

  @Test
  void should_let_only_the_share_of_requests_probe() {
    int probes = 0;
    for (int i = 0; i < 1 << 16; i++) {
      probes += formula.mayProbe(i << 16) ? 1 : 0;
    }
    assertThat(probes).isEqualTo(1 << 14);
  }

  @Test
  void should_probe_what_never_answered_wherever_it_is() {
    ReplicaDelay unknown = new ReplicaDelay();
    assertThat(unknown.isUnknown()).isTrue();
    assertThat(formula.claimProbe(1, 4, unknown, healthy, StartingRamp.NONE, 2000)).isTrue();
    assertThat(formula.claimProbe(1, 4, unknown, healthy, StartingRamp.NONE, 2000)).isFalse();
    unknown.answered(1);
    assertThat(unknown.isUnknown()).isFalse();
    assertThat(formula.claimProbe(1, 4, unknown, healthy, StartingRamp.NONE, 9000)).isFalse();
  }

  @Test
  void should_probe_only_what_would_come_first_if_it_were_quick() {
    ReplicaDelay silent = new ReplicaDelay();
    silent.sent(0);
    silent.answered(1);
    assertThat(formula.claimProbe(3.9f, 4, silent, healthy, StartingRamp.NONE, 2000)).isFalse();
    assertThat(formula.claimProbe(4.1f, 4, silent, healthy, StartingRamp.NONE, 2000)).isTrue();
    assertThat(formula.claimProbe(4.1f, 4, silent, healthy, StartingRamp.NONE, 2000)).isFalse();
  }

  /** What it answered last may have been chance, or long ago. */
  @Test
  void should_probe_what_would_not_come_first_after_sixty_intervals_of_silence() {
    ReplicaDelay far = new ReplicaDelay();
    far.sent(0);
    far.answered(1);
    assertThat(formula.claimProbe(1, 4, far, healthy, StartingRamp.NONE, 60_000)).isFalse();
    assertThat(formula.claimProbe(1, 4, far, healthy, StartingRamp.NONE, 60_001)).isTrue();
    assertThat(formula.claimProbe(1, 4, far, healthy, StartingRamp.NONE, 120_000)).isFalse();
    assertThat(formula.claimProbe(1, 4, far, healthy, StartingRamp.NONE, 120_001)).isTrue();
  }

  @Test
  void should_refuse_probes_out_of_their_range() {
    assertThatThrownBy(() -> new LeastDelay(Weights.NETFLIX, 0, 0.5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LeastDelay(Weights.NETFLIX, 1, 1.5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private float score(float slowness, int outstanding, float distance, int random) {
    return formula.score(slowness, 1, outstanding, distance, healthy, StartingRamp.NONE, 0, random);
  }

  private float doubted(float slowness, float doubt, int outstanding, int random) {
    return formula.score(slowness, doubt, outstanding, 1, healthy, StartingRamp.NONE, 0, random);
  }
}
