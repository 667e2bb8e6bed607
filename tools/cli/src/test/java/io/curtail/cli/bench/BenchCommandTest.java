/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.curtail.benchmarks.Budget;
import io.curtail.benchmarks.Cells;
import io.curtail.cli.Terminal;
import io.curtail.report.Table;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * How fast anything is does not matter here: benchmarks so short that their numbers mean nothing.
 */
class BenchCommandTest {
  private static final String JMH_BESIDE_ANOTHER = "jmh.ignoreLock";

  private final Terminal terminal = new Terminal();

  @BeforeAll
  static void allowAnotherBenchmarkOnThisMachine() {
    System.setProperty(JMH_BESIDE_ANOTHER, "true");
  }

  @AfterAll
  static void restore() {
    System.clearProperty(JMH_BESIDE_ANOTHER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench events --pairs 3 --pending 100 --events 20000",
        "bench selection --policy curtail,c3 --iteration-millis 10",
        "bench plan --nodes 3 --threads 1 --pairs 1 --iteration-millis 10",
        "bench client --nodes 3 --pairs 1 --seconds 1"
      })
  void should_end_with_1_when_a_budget_is_not_kept_and_else_with_0(String command)
      throws IOException {
    if (command.startsWith("bench plan")) { // 18 cells; those of bench selection have their JVMs
      System.setProperty(Cells.FORKS, "0");
    }
    Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    int code;
    try {
      code = terminal.run(command + " --json");
    } finally {
      System.clearProperty(Cells.FORKS);
    }
    JsonNode results = terminal.json();
    assertThat(results.get("command").asText()).isEqualTo("curtail " + command + " --json");
    assertThat(Instant.parse(results.get("startedAt").asText())).isBetween(before, Instant.now());
    assertThat(results.get("seconds").asLong()).isNotNegative();
    assertThat(results.get("versions").get("java").asText()).isNotEmpty();
    assertThat(results.get("machine").get("system").asText()).isNotEmpty();
    assertThat(results.get("java").asText()).isNotEmpty();
    assertThat(results.get("processors").asInt()).isPositive();
    assertThat(results.get("budgets")).isNotEmpty();
    boolean kept = true;
    for (JsonNode budget : results.get("budgets")) {
      assertThat(budget.get("what").asText()).isNotEmpty();
      assertThat(budget.get("measured").isNumber()).isTrue();
      kept &= budget.get("measured").asDouble() <= budget.get("most").asDouble();
    }
    assertThat(results.get("withinBudget").asBoolean()).isEqualTo(kept);
    assertThat(code).isEqualTo(kept ? 0 : 1);
  }

  @Test
  void should_name_the_budget_that_is_not_kept_and_fail() {
    CommandLine command = new CommandLine(new OverBudget());
    assertThat(terminal.run(command)).isEqualTo(1);
    assertThat(terminal.out())
        .contains("12 ns")
        .contains("Over the budget: plan, CPU time over stock: 1.60, at most 1.50.")
        .doesNotContain("rank");
    assertThat(terminal.run(command, "--json")).isEqualTo(1);
    assertThat(terminal.err()).contains("Over the budget: plan");
  }

  @Command(name = "over-budget")
  private static final class OverBudget implements java.util.concurrent.Callable<Integer> {
    @Mixin private BenchOutput output;

    @Override
    public Integer call() {
      return output.print(
          Map.of("results", List.of()),
          new Table(1, "cost").row("12 ns"),
          List.of(
              new Budget("rank, CPU time over a plain sort", 9.9, 10),
              Budget.noBytes("rank", 0.01),
              new Budget("plan, CPU time over stock", 1.6, 1.5)));
    }
  }

  /** Not after minutes of measuring. */
  @ParameterizedTest
  @ValueSource(
      strings = {"plan", "selection", "client", "events", "engine", "absorb", "compaction"})
  void should_refuse_a_folder_that_cannot_be_written_before_it_measures(String benchmark) {
    assertThat(terminal.run("bench " + benchmark + " --out /proc/none")).isEqualTo(2);
    assertThat(terminal.err())
        .contains("--out: cannot write into /proc/none")
        .doesNotContain("About");
    assertThat(terminal.out()).isEmpty();
  }

  @Test
  void should_not_keep_a_budget_of_which_nothing_was_measured() {
    assertThat(new Budget("plan over stock", 0.0 / 0.0, 1).isKept()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "bench plan --nodes 2, '--nodes must be from 3 to 1,000, not 2'",
    "bench plan --threads 0, '--threads must be from 1 to 64, not 0'",
    "bench plan --iteration-millis 1, '--iteration-millis must be from 10 to 60,000, not 1'",
    "bench selection --policy c4, there is no policy 'c4'",
    "bench selection --iteration-millis 1, '--iteration-millis must be from 10 to 60,000, not 1'",
    "bench events --pairs 0, '--pairs must be from 1 to 1,000, not 0'",
    "bench events --pending 0, '--pending must be from 1 to 10,000,000, not 0'",
    "bench client --nodes 2, '--nodes must be from 3 to 400, not 2'",
    "bench client --seconds 0, '--seconds must be from 1 to 86,400, not 0'",
    "bench client --pairs many, Invalid value for option '--pairs'"
  })
  void should_say_what_is_wrong_in_one_line(String command, String message) {
    assertThat(terminal.run(command)).isEqualTo(2);
    assertThat(terminal.err().strip()).startsWith("curtail: ").contains(message).hasLineCount(1);
    assertThat(terminal.out()).isEmpty();
  }
}
