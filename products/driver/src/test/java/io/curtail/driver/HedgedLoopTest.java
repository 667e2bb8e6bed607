/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.driver.HedgedLoop.MILLISECOND;
import static io.curtail.driver.HedgedLoop.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What second copies do for clients with few requests in flight, whose nodes take random times: so
 * few answers a second come from each that a node may look slow by chance.
 */
class HedgedLoopTest {
  private static final int CLIENTS = 3;
  private static final int IN_FLIGHT = 4;
  private static final double MOST_COPIES = 0.02;

  @ParameterizedTest
  @ValueSource(doubles = {1, 0.5})
  void should_leave_next_to_nobody_stuck_when_a_node_stands_still(double readShare) {
    int pauses = 50;
    try (HedgedLoop loop = new HedgedLoop(CLIENTS, IN_FLIGHT, readShare, true)) {
      loop.run(60 * SECOND);
      long before = loop.stuck();
      for (int i = 0; i < pauses; i++) {
        loop.pause(2 * SECOND);
        loop.run(5 * SECOND);
      }
      assertThat((double) (loop.stuck() - before) / pauses / CLIENTS).isLessThanOrEqualTo(0.1);
      assertThat((double) loop.copies() / loop.answered()).isLessThanOrEqualTo(MOST_COPIES);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 0.5})
  void should_lose_little_throughput_when_a_node_is_a_hundred_times_slower(double readShare) {
    assertThat(lost(readShare, true)).isLessThan(0.5 * lost(readShare, false));
  }

  private static double lost(double readShare, boolean copies) {
    try (HedgedLoop loop = new HedgedLoop(CLIENTS, IN_FLIGHT, readShare, copies)) {
      loop.run(60 * SECOND);
      double healthy = loop.run(60 * SECOND);
      loop.slowDown(2000 * MILLISECOND);
      loop.run(SECOND);
      return 1 - loop.run(60 * SECOND) / healthy;
    }
  }
}
