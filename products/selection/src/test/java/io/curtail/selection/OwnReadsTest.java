/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** What a coordinator knows of itself as a replica. */
class OwnReadsTest {
  private static final long MILLI = 1_000_000;

  private int waiting;
  private final ReplicaLoad load = new ReplicaLoad(LoadSettings.PAPER);
  private final OwnReads reads = new OwnReads(nanos -> new Feedback(waiting, 4, 4, nanos), 0);

  @Test
  void should_take_reads_for_one_answer_with_the_wait_for_a_thread() {
    waiting = 8;
    reads.sample(load, 10, 20 * MILLI, 10 * MILLI);
    assertThat(load.responseTimeNanos()).isEqualTo(2.0 * MILLI + 2.0 * MILLI * 8 / 4);
    assertThat(load.serviceTimeNanos()).isEqualTo(2.0 * MILLI);
    assertThat(load.outstanding()).isZero();
  }

  @Test
  void should_say_nothing_before_a_read() {
    reads.sample(load, 0, 0, 10 * MILLI);
    reads.refresh(load, 20 * MILLI);
    assertThat(load.hasResponded()).isFalse();
    assertThat(load.hasFeedback()).isFalse();
  }

  @Test
  void should_look_at_the_queue_again_when_the_last_look_is_old() {
    reads.sample(load, 1, MILLI, 10 * MILLI);
    waiting = 40;
    reads.refresh(load, 10 * MILLI + 200_000);
    assertThat(load.lastWaiting()).isZero();
    reads.refresh(load, 10 * MILLI + 200_001);
    assertThat(load.lastWaiting()).isEqualTo(40);
  }

  @Test
  void should_know_when_reads_are_slow_and_when_that_is_usual() {
    long now = 0;
    for (int i = 0; i < 1_000; i++) {
      reads.sample(load, 10, 10 * MILLI, now += 10 * MILLI);
    }
    assertThat(reads.areSlow()).isFalse();
    assertThat(reads.meanNanos()).isCloseTo(MILLI, within(1.0));
    for (int i = 0; i < 100; i++) {
      reads.sample(load, 10, 40 * MILLI, now += 10 * MILLI);
    }
    assertThat(reads.areSlow()).isTrue();
    assertThat(reads.recentNanos()).isCloseTo(4.0 * MILLI, within(0.01 * MILLI));
    for (int i = 0; i < 10_000; i++) {
      reads.sample(load, 10, 40 * MILLI, now += 10 * MILLI);
    }
    assertThat(reads.areSlow()).isFalse();
  }
}
