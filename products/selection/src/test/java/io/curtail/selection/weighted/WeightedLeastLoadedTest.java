/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.weighted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.FloatRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WeightedLeastLoadedTest {
  private static final float FURTHEST = 1024f * 1024f;

  private final WeightedLeastLoaded formula = new WeightedLeastLoaded(Weights.NETFLIX);
  private final ReplicaHealth healthy = new ReplicaHealth(HealthSettings.DEFAULT);

  @Property
  void should_put_a_failing_replica_behind_every_other_at_any_load_and_distance(
      @ForAll @IntRange(max = 1_000_000) int outstanding,
      @ForAll @FloatRange(min = 1, max = FURTHEST) float distance,
      @ForAll boolean stalled,
      @ForAll int random) {
    ReplicaHealth failing = new ReplicaHealth(HealthSettings.DEFAULT);
    for (int i = 0; i < 3; i++) {
      failing.failed(0);
    }
    ReplicaHealth other = new ReplicaHealth(HealthSettings.DEFAULT);
    if (stalled) {
      other.isStalled(10, -200_000_000L);
    }

    assertThat(key(formula, 0, 1, failing, 0))
        .isGreaterThan(key(formula, outstanding, distance, other, random));
  }

  @Property
  void should_rank_by_the_product_of_load_and_distance(
      @ForAll @IntRange(max = 9) int load,
      @ForAll @IntRange(max = 9) int otherLoad,
      @ForAll @IntRange(min = 1, max = 48) int distance,
      @ForAll @IntRange(min = 1, max = 48) int otherDistance,
      @ForAll int random) {
    int product = (1 + load) * distance;
    int otherProduct = (1 + otherLoad) * otherDistance;
    if (product < otherProduct) {
      assertThat(key(formula, load, distance, healthy, random))
          .isLessThan(key(formula, otherLoad, otherDistance, healthy, ~random));
    }
  }

  @Test
  void should_multiply_what_applies_to_the_distance() {
    assertThat(Weights.NETFLIX.distance(true, true)).isEqualTo(1);
    assertThat(Weights.NETFLIX.distance(false, true)).isEqualTo(4);
    assertThat(Weights.NETFLIX.distance(true, false)).isEqualTo(12);
    assertThat(Weights.NETFLIX.distance(false, false)).isEqualTo(48);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.99, 1025, Double.NaN})
  void should_refuse_a_weight_out_of_its_range(double weight) {
    assertThatThrownBy(() -> new Weights(4, weight, 16, 64))
        .hasMessageContaining("from 1.0 to 1024.0, not " + weight);
  }

  private static int key(
      WeightedLeastLoaded formula, int load, float distance, ReplicaHealth health, int random) {
    return formula.key(load, distance, health, StartingRamp.NONE, 0, random);
  }
}
