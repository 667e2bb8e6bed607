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

  private final SampleReservoir reservoir = new SampleReservoir(100, 0.5, MILLI);

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
    assertThat(reservoir.units(7 * SECOND)).isEqualTo(100);
  }

  @Test
  void should_count_samples_alike_when_they_are_of_the_same_second() {
    answers(3, 10, SECOND);
    answers(2, 100, 2 * SECOND - 1);
    assertThat(reservoir.units(3 * SECOND)).isEqualTo(10);
  }

  @Test
  void should_keep_the_newest_when_there_is_room_for_no_more() {
    answers(100, 10, 0);
    answers(100, 20, 100 * SECOND);
    assertThat(reservoir.units(101 * SECOND)).isEqualTo(20);
    answers(1, 30, 200 * SECOND);
    assertThat(reservoir.units(201 * SECOND)).isEqualTo(30);
  }

  @Test
  void should_tell_the_p90_in_microseconds_when_asked_for_that() {
    SampleReservoir p90 = new SampleReservoir(100, 0.9, 1_000);
    for (int i = 0; i < 20; i++) {
      p90.onResponse((i < 19 ? 400 : 9_000) * 1_000L, 0);
    }
    assertThat(p90.units(SECOND)).isEqualTo(400);
    p90.onResponse(9 * MILLI, 1);
    p90.onResponse(9 * MILLI, 1);
    assertThat(p90.units(2 * SECOND)).isEqualTo(9_000);
  }

  @Test
  void should_score_zero_when_emptied_after_ten_minutes() {
    answers(10, 10, SECOND);
    assertThat(reservoir.units(2 * SECOND)).isEqualTo(10);
    assertThat(reservoir.units(601 * SECOND)).isZero();
  }
}
