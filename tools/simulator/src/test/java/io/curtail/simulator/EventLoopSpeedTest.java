/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventLoopSpeedTest {
  /** The one that is always first would pay for a machine that becomes faster, or gain. */
  @Test
  void should_have_each_first_in_every_second_turn() {
    List<String> order = new ArrayList<>();
    List<EventLoopSpeed.Turn> turns =
        EventLoopSpeed.run(
            3,
            seed -> {
              order.add("loop " + seed);
              return 2;
            },
            seed -> {
              order.add("queue " + seed);
              return 1;
            });
    assertThat(order)
        .containsExactly(
            "loop -2",
            "queue -2",
            "queue -1",
            "loop -1", // they warm up
            "loop 0",
            "queue 0",
            "queue 1",
            "loop 1",
            "loop 2",
            "queue 2");
    assertThat(turns).hasSize(3).containsOnly(new EventLoopSpeed.Turn(2, 1));
  }

  @Test
  void should_measure_both() {
    assertThat(new EventLoopSpeed(10, 1_000).run(2))
        .hasSize(2)
        .allMatch(turn -> turn.eventsPerSecond() > 0)
        .allMatch(turn -> turn.priorityQueueEventsPerSecond() > 0);
  }
}
