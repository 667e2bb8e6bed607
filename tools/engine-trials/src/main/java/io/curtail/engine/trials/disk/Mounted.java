/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.disk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system that this process mounts. It is unmounted when this is closed, and also when the
 * process ends, even by SIGKILL: a shell in a session of its own waits at a pipe, which the kernel
 * closes with the process. Not thread-safe.
 */
final class Mounted implements AutoCloseable {
  private static final String SCRIPT =
      "trap '' INT TERM HUP QUIT; read -r disarmed || umount -l \"$1\"";

  private final Path directory;
  private final Process shell;

  /** Before it is mounted on that directory: a kill between the two leaves nothing behind. */
  Mounted(Path directory) throws IOException {
    this.directory = directory;
    shell =
        new ProcessBuilder("setsid", "sh", "-c", SCRIPT, "sh", directory.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
  }

  /** Unmounts it, as soon as nobody uses it any more. */
  @Override
  public void close() {
    try {
      SystemPrograms.run(List.of("umount", "--lazy", directory.toString()));
    } catch (IOException e) {
      System.err.println("still mounted: " + directory + ": " + e.getMessage());
    }
    try (OutputStream pipe = shell.getOutputStream()) {
      pipe.write('\n');
    } catch (IOException e) {
      // the shell is gone: nothing will be run
    }
  }
}
