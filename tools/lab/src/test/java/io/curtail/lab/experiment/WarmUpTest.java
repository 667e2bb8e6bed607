/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.lab.load.Mix;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two arms on one cluster and four on another, as in fluctuation. */
class WarmUpTest {
  private static final List<String> ARMS = List.of("s1", "s2", "c1", "c2", "c3", "c4");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 6, 7})
  void should_load_each_cluster_as_long(int slices) {
    List<WarmUp.Slice<String>> all = slices(slices, Mix.C);
    assertThat(all).filteredOn(slice -> cluster(slice.arm()) == 's').hasSize(slices);
    assertThat(all).filteredOn(slice -> cluster(slice.arm()) == 'c').hasSize(slices);
  }

  @Test
  void should_let_the_arms_of_a_cluster_take_turns() {
    assertThat(slices(5, Mix.C))
        .extracting(WarmUp.Slice::arm)
        .containsExactly("s1", "c1", "s2", "c2", "s1", "c3", "s2", "c4", "s1", "c1");
  }

  @Test
  void should_load_an_arm_with_one_mix_after_the_other() {
    assertThat(slices(8, Mix.C, Mix.A))
        .filteredOn(slice -> slice.arm().equals("s1"))
        .extracting(WarmUp.Slice::mix)
        .containsExactly(Mix.C, Mix.A, Mix.C, Mix.A);
  }

  @Test
  void should_go_on_until_compilers_are_done() throws Exception {
    Iterator<Double> shares = List.of(0.8, 0.3, 0.051, 0.05, 0.9).iterator();
    assertThat(WarmUp.rounds(10, shares::next)).isEqualTo(4);
    assertThat(shares.next()).isEqualTo(0.9);
  }

  @Test
  void should_end_where_compilers_never_are() throws Exception {
    assertThat(WarmUp.rounds(3, () -> 1)).isEqualTo(3);
    assertThat(WarmUp.rounds(0, () -> 1)).isZero();
  }

  private static List<WarmUp.Slice<String>> slices(int ofEach, Mix... mixes) {
    return WarmUp.slices(ARMS, WarmUpTest::cluster, List.of(mixes), ofEach);
  }

  private static Character cluster(String arm) {
    return arm.charAt(0);
  }
}
