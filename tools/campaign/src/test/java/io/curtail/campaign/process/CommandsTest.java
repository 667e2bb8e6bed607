/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandsTest {
  @Test
  void should_return_what_a_command_printed_standard_error_included() throws Exception {
    assertThat(Commands.run("sh", "-c", "echo out; echo err >&2")).isEqualTo("out\nerr");
  }

  @Test
  void should_say_what_a_command_printed_that_fails() throws Exception {
    assertThatThrownBy(() -> Commands.run("sh", "-c", "echo no room; exit 3"))
        .isInstanceOf(IOException.class)
        .hasMessage("sh -c echo no room; exit 3: no room");
    assertThat(Commands.failure(List.of("sh", "-c", "echo no room; exit 3"))).hasValue("no room");
  }

  /** As a lab is that ends: what takes its network away is not to be killed. */
  @Test
  void should_run_a_command_to_its_end_though_interrupted() throws Exception {
    Thread.currentThread().interrupt();
    assertThat(Commands.run("sh", "-c", "sleep 0.1; echo done")).isEqualTo("done");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void should_end_a_command_that_hangs() {
    List<String> hangs = List.of("sleep", "100000.25");
    assertThatThrownBy(() -> Commands.run(Duration.ofMillis(50), hangs))
        .hasMessageEndingWith("did not end within 0 s");
    await(() -> ProcessHandle.current().children().noneMatch(CommandsTest::isSleeping));
  }

  private static boolean isSleeping(ProcessHandle child) {
    String[] arguments = child.info().arguments().orElse(new String[0]);
    return child.isAlive() && List.of(arguments).contains("100000.25");
  }
}
