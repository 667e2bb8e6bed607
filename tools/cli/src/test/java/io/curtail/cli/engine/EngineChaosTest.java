/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.curtail.cli.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Four real nodes, two of them with the engine, to which a few operations and faults happen. */
class EngineChaosTest {
  private final Terminal terminal = new Terminal();

  @Test
  void should_print_the_same_plan_when_the_seed_is_the_same() {
    assertThat(terminal.run("engine chaos --print --seed 7 --runs 2")).isZero();
    String first = terminal.out();
    assertThat(first).contains("seed 7: ", "seed 8: ", "  40. after ");
    assertThat(terminal.run("engine chaos --print --seed 7 --runs 2")).isZero();
    assertThat(terminal.out()).isEqualTo(first);
  }

  @Test
  void should_tell_of_each_run_when_one_cannot_be_run(@TempDir Path directory) throws Exception {
    Path file = Files.createFile(directory.resolve("no-directory"));
    int code =
        terminal.run("engine chaos --seed 7 --runs 2 --json --directory " + file.resolve("chaos"));
    JsonNode results = terminal.json().get("results");
    assertThat(code).isOne();
    assertThat(results.get("seed 7").get("failure").asText()).contains("no-directory");
    assertThat(results.get("seed 8").get("failure").asText()).contains("no-directory");
  }

  /** Begins nothing after a minute: with the starts and the last comparison, about 90 s. */
  @Test
  void should_have_all_that_was_answered_when_nodes_die_and_tables_move(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
    int code =
        terminal.run(
            "engine chaos --seed 51 --operations 5 --seconds 60 --json --directory "
                + directory.resolve("chaos"));
    JsonNode result = terminal.json().get("results").get("seed 51");
    assertThat(result.get("violations")).as(terminal.err()).isEmpty();
    assertThat(code).isZero();
    assertThat(result.get("comparedAtEnd").asBoolean()).isTrue();
    assertThat(result.get("answered").asLong()).isPositive();
    assertThat(result.get("operations")).isNotEmpty();
    assertThat(result.get("checks").asLong()).isPositive();
  }
}
