/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {
  @TempDir private Path group;

  /** As in a container in which much was built: nearly all of its memory holds files. */
  @Test
  void should_count_what_files_hold_as_free() throws IOException {
    long gibibyte = 1L << 30;
    write("memory.max", 8 * gibibyte);
    write("memory.current", 8 * gibibyte - 1);
    Files.writeString(
        group.resolve("memory.stat"),
        "anon %d\ninactive_file %d\nactive_file %d\nunevictable 5\n"
            .formatted(2 * gibibyte, 4 * gibibyte, 2 * gibibyte));
    assertThat(left()).isEqualTo(6 * 1024);
    write("memory.stat", 0);
    assertThat(left()).isZero();
    Files.writeString(group.resolve("memory.max"), "max\n");
    assertThat(left()).isEqualTo(Long.MAX_VALUE);
  }

  private long left() {
    return Machine.left(group, "memory.max", "memory.current", "(in)?active_file");
  }

  private void write(String file, long value) throws IOException {
    Files.writeString(group.resolve(file), value + "\n");
  }
}
