/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterSpecTest {
  private static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake(builder -> builder.nodes(0), "nodes: must be 1 to 12, not 0"),
        mistake(builder -> builder.nodes(13), "nodes: must be 1 to 12, not 13"),
        mistake(builder -> builder.zones(0), "zones: must be 1 to 3, not 0"),
        mistake(builder -> builder.zones(4), "zones: must be 1 to 3, not 4"),
        mistake(
            builder -> builder.nodes(2).zones(3), "zones: 3 need at least as many nodes, not 2"),
        mistake(builder -> builder.heapMebibytes(64), "heap: must be 192 to 16384 MiB, not 64"),
        mistake(builder -> builder.cassandraVersion("../x"), "cassandra-version: such as"),
        mistake(builder -> builder.name("a/b"), "name: letters, digits"));
  }

  private static Arguments mistake(UnaryOperator<ClusterSpecBuilder> change, String message) {
    return Arguments.of(change, message);
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void should_say_what_is_wrong_when_a_value_is_out_of_range(
      UnaryOperator<ClusterSpecBuilder> change, String message) {
    assertThatThrownBy(() -> change.apply(ClusterSpec.builder()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message)
        .message()
        .hasLineCount(1);
  }

  @Test
  void should_take_three_zones_or_as_many_as_nodes_when_none_is_given() {
    assertThat(spec(2).zones()).isEqualTo(2);
    assertThat(spec(7).zones()).isEqualTo(3);
  }

  @Test
  void should_refuse_what_the_machine_has_no_memory_for() {
    assertThatThrownBy(() -> Machine.requireMemory(spec(12), Duration.ZERO, () -> 3000))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "12 nodes with a heap of 384 MiB need about 8448 MiB of memory and 3000 MiB are free: take at most 4 nodes, or a smaller heap");
  }

  @Test
  void should_wait_in_tests_until_the_nodes_of_others_have_ended() throws IOException {
    Iterator<Long> available = List.of(3000L, 8447L, 8448L).iterator();
    Machine.requireMemory(spec(12), Duration.ofHours(1), available::next);
    assertThat(available).isExhausted();
  }

  @Test
  void should_refuse_what_the_disk_has_no_room_for() {
    assertThatThrownBy(() -> Machine.requireDisk(spec(12), 100))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("12 nodes need about 3072 MiB on disk and 100 MiB are free in");
  }

  private static ClusterSpec spec(int nodes) {
    return ClusterSpec.builder().nodes(nodes).directory(Path.of("/tmp/any")).build();
  }
}
