/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.cli.Terminal;
import java.io.IOException;
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

  @Test
  void should_show_the_others_when_one_lab_cannot_be_read(@TempDir Path home) throws IOException {
    LabStopCommandTest.lab(home, "broken", "{ \"name\" : ");
    LabStopCommandTest.lab(home, "sound", LabStopCommandTest.WITHOUT_NODES);
    System.setProperty("curtail.home", home.toString());
    try {
      assertThat(terminal.run("lab status")).isEqualTo(1);
    } finally {
      System.clearProperty("curtail.home");
    }
    assertThat(terminal.out()).startsWith("lab sound: Cassandra 5.0.9, loopback network");
    assertThat(terminal.err().strip())
        .startsWith("curtail: not known: broken: ")
        .contains("broken/lab.json tells of no lab: ")
        .hasLineCount(1);
  }
}
