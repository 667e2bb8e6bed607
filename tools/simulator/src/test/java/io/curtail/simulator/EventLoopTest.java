/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class EventLoopTest {
  @Property(tries = 200)
  void should_happen_in_order_of_time_and_then_of_scheduling(
      @ForAll @Size(max = 500) List<@IntRange(min = 0, max = 50) Integer> times) {
    EventLoop loop = new EventLoop();
    List<Integer> happened = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      loop.at(times.get(i), (event, subject) -> happened.add(event), i, null);
    }
    while (loop.step()) {
      assertThat(loop.nowNanos()).isBetween(0L, 50L);
    }
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      expected.add(i);
    }
    expected.sort(Comparator.comparing(times::get));
    assertThat(happened).isEqualTo(expected);
  }
}
