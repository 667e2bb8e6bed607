/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplainCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void should_say_in_one_line_that_nobody_answers() {
    assertThat(run("explain", "127.0.0.1", "--port", "1")).isEqualTo(1);
    assertThat(err.toString().strip())
        .startsWith("curtail: no Cassandra node answers at 127.0.0.1:1")
        .doesNotContain("Exception")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "--port 0, '--port must be from 1 to 65,535, not 0'",
    "--decisions 999, '--decisions must be from 0 to 256, not 999'",
    "--password=secret, '--password: say whose with --username'",
    "--driver-config pom.xml --password=secret, '--password: say whose with --username'",
    "--driver-config /none, 'no such file: /none'"
  })
  void should_say_what_is_wrong_in_one_line(String option, String message) {
    assertThat(run(("explain 127.0.0.1 " + option).split(" ", -1))).isEqualTo(2);
    assertThat(err.toString().strip()).isEqualTo("curtail: " + message);
  }

  @Test
  void should_take_the_configuration_of_an_application_with_all_of_curtail_driver() {
    String file = "../../examples/spring-boot/src/main/resources/cassandra.conf";
    assertThat(run("explain", "127.0.0.1", "-p", "1", "--driver-config", file)).isEqualTo(1);
    assertThat(err.toString()).startsWith("curtail: no Cassandra node answers at 127.0.0.1:1");
  }

  @Test
  void should_leave_the_node_to_its_operand_when_the_password_is_asked_for() {
    assertThat(run("explain", "--password", "127.0.0.1")).isEqualTo(2);
    assertThat(err.toString()).startsWith("curtail: --password: say whose with --username");
  }

  @Test
  void should_put_the_best_replica_first_and_say_why_a_mode_is_not_in_force() {
    Explanation explanation =
        new Explanation(
            "10.0.0.1:9042",
            Map.of("mode", "rank", "policy", "c3"),
            Map.of(
                "mode",
                "off",
                "problem",
                "dynamic_snitch is on",
                "coordinators",
                "3.0",
                "passing",
                "on",
                "given_back",
                "17"),
            List.of(
                new Explanation.Replica(
                    "10.0.0.2:7000",
                    false,
                    true,
                    true,
                    false,
                    null,
                    1,
                    0.5,
                    2,
                    0,
                    3,
                    4,
                    5,
                    6,
                    7,
                    81,
                    92)),
            List.of(
                new Explanation.Decision(
                    Instant.EPOCH,
                    "rank",
                    "a",
                    "b",
                    "b",
                    "b score 1, a score 2",
                    "lowest score",
                    "to b +0.1 ms, passed on to a +0.9 ms")));
    assertThat(explanation.toText())
        .contains("The mode that is set (rank) is not in force: dynamic_snitch is on")
        .contains("no feedback")
        .containsPattern("gave back +passed to")
        .containsPattern("81 +92")
        .contains("Passing on is on.")
        .contains("gave 17 back")
        .contains("stock order first a, Curtail's b, chosen b")
        .contains("(1 + (outstanding x 3.0 + Q) / threads)^b x S + penalty")
        .contains("b is 3, and 1 while a replica is far slower than another")
        .contains("unless\nits score is worse by more than badness_threshold")
        .contains("it went: to b +0.1 ms, passed on to a +0.9 ms");
    assertThat(io.curtail.report.Json.of(explanation)).contains("\"serviceMillis\"");
  }

  private int run(String... command) {
    return Curtail.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(command);
  }
}
