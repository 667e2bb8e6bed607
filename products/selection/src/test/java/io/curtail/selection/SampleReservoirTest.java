/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SampleReservoirTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final SampleReservoir reservoir = new SampleReservoir(100);

  private void answers(int count, long millis, long atNanos) {
    for (int i = 0; i < count; i++) {
      reservoir.onResponse(millis * MILLI, atNanos);
    }
  }

  @Test
  void should_follow_the_latest_few_when_older_ones_are_more() {
    answers(60, 10, 0);
    answers(6, 100, 6 * SECOND);
    // exp(0.75 * 6) = 90: six of them weigh nine times the sixty
    assertThat(reservoir.medianMillis(7 * SECOND)).isEqualTo(100);
  }

  @Test
  void should_count_samples_alike_when_they_are_of_the_same_second() {
    answers(3, 10, SECOND);
    answers(2, 100, 2 * SECOND - 1);
    assertThat(reservoir.medianMillis(3 * SECOND)).isEqualTo(10);
  }

  @Test
  void should_keep_the_newest_when_there_is_room_for_no_more() {
    answers(100, 10, 0);
    answers(100, 20, 100 * SECOND);
    assertThat(reservoir.medianMillis(101 * SECOND)).isEqualTo(20);
    answers(1, 30, 200 * SECOND);
    assertThat(reservoir.medianMillis(201 * SECOND)).isEqualTo(30);
  }

  @Test
  void should_score_zero_when_emptied_after_ten_minutes() {
    answers(10, 10, SECOND);
    assertThat(reservoir.medianMillis(2 * SECOND)).isEqualTo(10);
    assertThat(reservoir.medianMillis(601 * SECOND)).isZero();
  }
}
