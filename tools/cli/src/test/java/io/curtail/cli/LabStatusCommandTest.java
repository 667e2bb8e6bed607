/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabStatusCommandTest {
  private final Terminal terminal = new Terminal();

  @Test
  void should_tell_people_and_machines_that_no_lab_runs(@TempDir Path home) {
    System.setProperty("curtail.home", home.toString());
    try {
      assertThat(terminal.run("lab status")).isZero();
      assertThat(terminal.out().strip())
          .isEqualTo("No lab runs; start one with: curtail lab start");
      assertThat(terminal.run("lab status --json")).isZero();
      assertThat(terminal.out().replaceAll("\\s", "")).isEqualTo("[]");
    } finally {
      System.clearProperty("curtail.home");
    }
  }
}
