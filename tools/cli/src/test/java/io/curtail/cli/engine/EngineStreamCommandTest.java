/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.lab.engine.StreamedMove;
import io.curtail.lab.engine.StreamedMove.Reads;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineStreamCommandTest {
  @Test
  void should_show_speed_disk_and_reads_of_a_move_in_a_row() {
    StreamedMove move =
        new StreamedMove(
            "rocksdb",
            "leave",
            360_000_000,
            35,
            7,
            62,
            49,
            364_000_000,
            265_000_000,
            new Reads(4_500, 0, 1.8, 11),
            new Reads(2_200, 3, 3.3, 22));
    assertThat(EngineStreamCommand.text(List.of(move)).lines().toList().get(2))
        .matches(
            "rocksdb +leaves +343 MiB +35 s +7 s +62 s +49 MiB +347 MiB +253 MiB +1.8 ms +3.3 ms"
                + " +11 ms +22 ms +3 of 2,200");
  }
}
