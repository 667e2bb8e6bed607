/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnsTest {
  private static final List<String> ITEMS = List.of("a", "b", "c");

  @Test
  void should_reverse_the_order_of_every_second_turn() {
    assertThat(Turns.order(ITEMS, 0)).containsExactly("a", "b", "c");
    assertThat(Turns.order(ITEMS, 1)).containsExactly("c", "b", "a");
    assertThat(Turns.order(ITEMS, 2)).containsExactly("a", "b", "c");
    assertThat(Turns.order(ITEMS, -1)).containsExactly("c", "b", "a"); // while they warm up
  }

  @Test
  void should_draw_an_order_for_each_pair_of_turns_and_reverse_it_in_the_second() {
    Set<List<String>> drawn = new HashSet<>();
    for (int turn = 0; turn < 100; turn += 2) {
      List<String> first = Turns.order(ITEMS, turn, 7);
      assertThat(first).containsExactlyInAnyOrderElementsOf(ITEMS);
      assertThat(Turns.order(first, 1)).isEqualTo(Turns.order(ITEMS, turn + 1, 7));
      assertThat(Turns.order(ITEMS, turn, 7)).isEqualTo(first);
      drawn.add(first);
    }
    assertThat(drawn).hasSize(6);
  }

  /** Where numbers of items are powers of two, each was in its place for all seeds of users. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 8})
  void should_favour_no_item_whatever_the_seed(int size) {
    List<Integer> items = IntStream.range(0, size).boxed().toList();
    for (long seed : new long[] {1, 2, 7, 31}) {
      int[] last = new int[size];
      for (int turn = 0; turn < 2_000; turn += 2) {
        last[Turns.order(items, turn, seed).get(size - 1)]++;
      }
      // Of 1,000 turns, six standard deviations around an equal share.
      for (int times : last) {
        assertThat((double) times).isCloseTo(1_000.0 / size, within(95.0));
      }
    }
  }
}
