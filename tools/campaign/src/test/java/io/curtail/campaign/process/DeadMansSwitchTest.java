/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadMansSwitchTest {
  @TempDir private Path directory;

  /** The program whose death is watched: it arms a switch, says so, and sleeps. */
  static final class Victim {
    private Victim() {}

    public static void main(String[] commands) throws Exception {
      DeadMansSwitch deadMansSwitch = new DeadMansSwitch();
      for (String command : commands) {
        deadMansSwitch.add(command);
      }
      System.out.println("armed");
      Thread.sleep(300_000);
      deadMansSwitch.close();
    }
  }

  @Test
  void should_run_every_command_when_the_process_is_killed() throws Exception {
    Path first = directory.resolve("it's first");
    Path second = directory.resolve("second");
    Process victim =
        new ProcessBuilder(
                ChildJvm.command(
                    Victim.class,
                    "touch " + DeadMansSwitch.quoted(first),
                    "false",
                    "touch " + second))
            .redirectErrorStream(true)
            .start();
    assertThat(victim.inputReader().readLine()).isEqualTo("armed");
    victim.destroyForcibly();
    await(() -> second.toFile().exists());
    assertThat(first).exists();
  }

  @Test
  void should_run_nothing_when_closed() throws IOException, InterruptedException {
    Path file = directory.resolve("file");
    try (DeadMansSwitch deadMansSwitch = new DeadMansSwitch()) {
      deadMansSwitch.add("touch " + file);
    }
    Thread.sleep(300);
    assertThat(file).doesNotExist();
  }
}
