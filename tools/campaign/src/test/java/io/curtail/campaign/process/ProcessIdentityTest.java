/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
  @Test
  void should_end_a_process_by_a_signal() throws Exception {
    Process process = new ProcessBuilder("sleep", "600").start();
    ProcessIdentity identity = ProcessIdentity.of(process.pid());
    identity.signal("KILL");
    assertThat(identity.awaitEnd(Duration.ofMinutes(3))).isTrue();
  }

  /** Almost every process ends between a look at it and its signal: a program must be started. */
  @Test
  void should_not_fail_if_a_process_ends_while_it_is_signalled() throws Exception {
    for (int i = 0; i < 20; i++) {
      Process process = new ProcessBuilder("sleep", "0.05").start();
      ProcessIdentity identity = ProcessIdentity.of(process.pid());
      while (identity.isAlive()) {
        identity.signal("CONT");
      }
    }
  }

  @Test
  void should_say_so_if_a_process_that_lives_cannot_be_signalled() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      ProcessIdentity identity = ProcessIdentity.of(process.pid());
      assertThatThrownBy(() -> identity.signal("NOSUCH")).isInstanceOf(IOException.class);
    } finally {
      process.destroyForcibly();
    }
  }
}
