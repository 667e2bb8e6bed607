/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcLogTest {
  private static final String LINES =
      """
      [0.010s] Using G1
      [2.345s] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 51M->9M(1024M) 5.123ms
      [3.000s] GC(1) Concurrent Mark Cycle
      [3.100s] GC(1) Pause Remark 20M->20M(1024M) 1.500ms
      [3.150s] GC(1) Pause Cleanup 30M->25M(1024M) 0.020ms
      [3.200s] GC(1) Concurrent Mark Cycle 200.000ms
      """;

  @Test
  void should_sum_pauses_and_leave_out_what_ran_beside_the_application() {
    GcLog.Pauses pauses = GcLog.pauses(LINES);
    assertThat(pauses.count()).isEqualTo(3);
    assertThat(pauses.nanos()).isEqualTo(6_643_000);
    assertThat(pauses.longestNanos()).isEqualTo(5_123_000);
    assertThat(pauses.freedBytes()).isEqualTo(47L << 20);
  }

  @Test
  void should_count_only_what_was_added_when_read_between_two_positions(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("gc.log");
    GcLog log = new GcLog(file);
    assertThat(log.position()).isZero();
    Files.writeString(file, LINES);
    long middle = log.position();
    Files.writeString(file, LINES + LINES);
    assertThat(log.between(middle, log.position())).isEqualTo(GcLog.pauses(LINES));
    assertThat(log.between(middle, middle).count()).isZero();
  }

  @Test
  void should_add_up_the_pauses_of_nodes_and_keep_the_longest() {
    GcLog.Pauses one = new GcLog.Pauses(2, 30, 20, 100);
    GcLog.Pauses other = new GcLog.Pauses(1, 5, 5, 10);
    assertThat(one.plus(other)).isEqualTo(new GcLog.Pauses(3, 35, 20, 110));
    assertThat(GcLog.Pauses.NONE.plus(one)).isEqualTo(one);
  }
}
