/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a mounted disk goes with the process that mounted it; who may mount none is told so. */
class SmallDiskTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir private Path folder;

  /** Mounts a disk, says so, and never ends by itself. */
  static final class Victim {
    private Victim() {}

    public static void main(String[] arguments) throws Exception {
      try (SmallDisk disk = SmallDisk.mount(Path.of(arguments[0]), 1)) {
        System.out.println("mounted " + disk.directory());
        Thread.sleep(TimeUnit.MINUTES.toMillis(5));
      }
    }
  }

  @Test
  void should_be_unmounted_when_its_process_is_killed() throws Exception {
    String refusal = SmallDisk.refusal();
    if (refusal != null) {
      assertThat(refusal).contains("which root may do");
      return;
    }
    Path directory = folder.resolve("it's-mounted");
    Process victim =
        new ProcessBuilder(ChildJvm.command(Victim.class, directory.toString()))
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = victim.inputReader()) {
      assertThat(output.readLine()).isEqualTo("mounted " + directory);
      assertThat(isMounted(directory)).isTrue();
    } finally {
      victim.destroyForcibly().waitFor();
    }
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (isMounted(directory) && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(isMounted(directory)).isFalse();
  }

  @Test
  void should_be_unmounted_when_it_is_closed() throws IOException {
    if (SmallDisk.refusal() != null) {
      return; // as is told above
    }
    Path directory = folder.resolve("disk");
    try (SmallDisk disk = SmallDisk.mount(directory, 1)) {
      assertThat(isMounted(disk.directory())).isTrue();
    }
    assertThat(isMounted(directory)).isFalse();
  }

  private static boolean isMounted(Path directory) throws IOException {
    return Files.readString(Path.of("/proc/mounts")).contains(" " + directory + " ");
  }
}
