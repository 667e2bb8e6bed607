/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.lab.soak.SoakResult.NodeAtRest;
import io.curtail.lab.soak.SoakResult.Round;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SoakResultTest {
  private static final long MEBIBYTE = 1 << 20;

  @Test
  void should_be_flat_when_values_only_vary() {
    assertThat(soak(9, i -> node(60 + i % 2, 120 + i % 3, 0, 0)).violations()).isEmpty();
  }

  @Test
  void should_allow_what_settles_in_the_first_third() {
    assertThat(soak(9, i -> node(i < 3 ? 40 : 60, i < 3 ? 90 : 120, 0, 0)).violations()).isEmpty();
  }

  @Test
  void should_see_a_heap_that_grows() {
    assertThat(soak(9, i -> node(60 + 3 * i, 120, 0, 0)).violations())
        .containsExactly("node 1: heap grew by 12.5 %");
  }

  @Test
  void should_see_threads_that_grow() {
    assertThat(soak(9, i -> node(60, 120 + 2 * i, 0, 0)).violations())
        .containsExactly("node 1: 6 threads more, since the beginning {worker=16}");
  }

  @Test
  void should_allow_workers_that_cassandra_keeps() {
    assertThat(soak(9, i -> node(60, new TreeMap<>(Map.of("SharedPool", 30 + 5 * i)))).violations())
        .isEmpty();
  }

  @Test
  void should_see_a_read_that_is_outstanding_for_ever() {
    assertThat(soak(6, i -> node(60, 120, i == 4 ? 1 : 0, 0)).violations())
        .containsExactly("node 1: 1 reads outstanding at rest after 100 s");
  }

  @Test
  void should_see_exceptions_in_hooks() {
    assertThat(soak(6, i -> node(60, 120, 0, i)).violations())
        .containsExactly("node 1: 5 exceptions in hooks");
  }

  @Test
  void should_not_judge_when_it_was_too_short() {
    assertThat(soak(5, i -> node(60, 120, 0, 0)).violations())
        .containsExactly("only 5 rounds: too short to tell, take at least 6");
  }

  private static NodeAtRest node(int mebibytes, int threads, int outstanding, int errors) {
    SortedMap<String, Integer> pools = new TreeMap<>(Map.of("worker", threads, "ReadStage", 1));
    return new NodeAtRest("node 1", mebibytes * MEBIBYTE, pools, outstanding, errors);
  }

  private static NodeAtRest node(int mebibytes, SortedMap<String, Integer> threads) {
    return new NodeAtRest("node 1", mebibytes * MEBIBYTE, threads, 0, 0);
  }

  private static SoakResult soak(int rounds, IntFunction<NodeAtRest> node) {
    return new SoakResult(
        IntStream.range(0, rounds)
            .mapToObj(
                i -> new Round(20.0 * (i + 1), "", 100, Map.of(), 1, 2, 3, List.of(node.apply(i))))
            .toList());
  }
}
