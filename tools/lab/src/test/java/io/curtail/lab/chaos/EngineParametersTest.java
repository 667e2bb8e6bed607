/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineParametersTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 7, 8, -1, Long.MAX_VALUE})
  void should_move_in_the_background_on_one_of_two_when_two_nodes_have_the_engine(long seed) {
    assertThat(movers(seed)).hasSize(1);
    assertThat(EngineParameters.of(seed, movers(seed).get(0))).containsEntry("move_at_once", "0B");
  }

  @Test
  void should_move_in_the_background_on_another_node_when_the_seed_is_another() {
    TreeSet<Integer> all = new TreeSet<>();
    LongStream.range(0, 4).forEach(seed -> all.addAll(movers(seed)));
    assertThat(all).containsExactly(1, 3);
  }

  private static List<Integer> movers(long seed) {
    return IntStream.of(1, 3)
        .filter(node -> EngineParameters.movesInBackground(seed, node))
        .boxed()
        .toList();
  }
}
