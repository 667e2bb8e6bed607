/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What the commands say when nothing runs; with real nodes they are tested where the lab is. */
class LabCommandTest {
  @TempDir private Path home;
  private String formerHome;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void useEmptyHome() {
    formerHome = System.getProperty("curtail.home");
    System.setProperty("curtail.home", home.toString());
  }

  @AfterEach
  void restoreHome() {
    if (formerHome == null) {
      System.clearProperty("curtail.home");
    } else {
      System.setProperty("curtail.home", formerHome);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "lab start --nodes 13, 2, 'curtail: nodes: must be 1 to 12, not 13'",
    "lab start --nodes 2 --zones 3, 2, 'curtail: zones: 3 need at least as many nodes, not 2'",
    "lab start --heap 10, 2, 'curtail: heap: must be 192 to 16384 MiB, not 10'",
    "lab start --class-path /none.jar, 2, 'curtail: class path: no such file: /none.jar'",
    "lab run soak zones, 2, 'curtail: scenario: soak runs alone'",
    "lab run zones --memory 4000, 2, 'curtail: --table, --heap, --off-heap and --memory are for'",
    "'lab run soak --mix A,B', 2, 'curtail: --mix: a soak takes one'",
    "lab run engine-vs-stock --table none, 2, 'curtail: table: rows, emp or small, not \"none\"'",
    "lab run small-faults-server, 2, 'curtail: small-faults-server: needs --network NAMESPACES, or'",
    "lab run c3-vs-snitch --server rnk, 2, 'curtail: server: one of stock, off, observe, rank, rank+'",
    "'lab run fluctuation --server rank,foo=1', 2, 'curtail: server: there is no setting ''foo'''",
    "'lab run fluctuation --server rank,decay_ms=soon', 2, 'curtail: server: decay_ms: must be a wh'",
    "'lab run soak --server rank,policy=best', 2, 'curtail: server: '",
    "'lab run c3-vs-snitch --server stock,speculative_retry=99p', 2, 'curtail: server: the arms of '",
    "'lab run soak --server rank,speculative_retry=99p', 2, 'curtail: server: the arms of '",
    "'lab run zones --policy adaptive,adaptive.foo=1', 2, 'curtail: policy: no such option: adaptive.'",
    "lab run small-faults --delay 0, 2, 'curtail: delay: more than 0 ms, each'",
    "lab run zones --interval 50, 2, 'curtail: --interval is not for zones (see curtail lab run'",
    "lab run small-faults zones --pause 2/3, 2, 'curtail: --pause is not for small-faults, zones'",
    "lab run fluctuation --delay 1, 2, 'curtail: --delay is not for fluctuation'",
    "lab run small-faults --server rank, 2, 'curtail: --server is not for small-faults'",
    "lab stop nothing, 1, 'curtail: no lab in '",
    "lab zones nothing, 1, 'curtail: no lab in '",
    "lab status nothing, 1, 'curtail: no lab in '"
  })
  void should_say_what_is_wrong_in_one_line(String command, int exit, String message) {
    assertThat(run(command)).isEqualTo(exit);
    assertThat(err.toString().strip()).startsWith(message).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void should_name_an_option_that_does_not_exist() {
    assertThat(run("lab start --bogus")).isEqualTo(2);
    assertThat(err.toString()).contains("Unknown option: '--bogus'");
  }

  @Test
  void should_tell_people_and_machines_that_no_lab_runs() {
    assertThat(run("lab status")).isZero();
    assertThat(out.toString().strip()).isEqualTo("No lab runs; start one with: curtail lab start");
    out.getBuffer().setLength(0);
    assertThat(run("lab status --json")).isZero();
    assertThat(out.toString().replaceAll("\\s", "")).isEqualTo("[]");
  }

  private int run(String command) {
    CommandLine commandLine =
        Curtail.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return commandLine.execute(command.split(" ", -1));
  }
}
