/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Undoes what this process did to the machine if it dies before it can, even by {@code kill -9}: a
 * shell in a session of its own collects commands from a pipe and runs them when the pipe closes.
 * The kernel closes it with this process, so nothing has to notice the death. Thread-safe.
 */
public final class DeadMansSwitch implements AutoCloseable {
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP QUIT
      todo=
      while IFS= read -r line; do
        case $line in
          disarm) exit 0 ;;
          *) todo="$todo
      $line" ;;
        esac
      done
      eval "$todo"
      """;

  private final Process shell;

  public DeadMansSwitch() throws IOException {
    shell =
        new ProcessBuilder("setsid", "sh", "-c", SCRIPT)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
  }

  /**
   * Adds a shell command, one line, run after those added before. A command that fails does not
   * keep the next one from running.
   */
  public synchronized void add(String command) throws IOException {
    send(command);
  }

  /** A path as one word of such a command. */
  public static String quoted(Path path) {
    return "'" + path.toString().replace("'", "'\\''") + "'";
  }

  /** Forgets all commands: what was done has been undone, or is meant to stay. */
  @Override
  public synchronized void close() {
    try {
      send("disarm");
      shell.getOutputStream().close();
      shell.waitFor(5, TimeUnit.SECONDS);
    } catch (IOException e) {
      // the shell is gone: nothing will be run
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(String line) throws IOException {
    OutputStream pipe = shell.getOutputStream();
    pipe.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    pipe.flush();
  }
}
