/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.curtail.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulateCommandTest {
  private static final String SMALL =
      "simulate run fluctuation --set intervalMillis=50 --set utilisation=0.45 --set clients=150"
          + " --set warmUpMillis=20 --requests 5000 --pairs 2 --policy c3,oracle --out ";

  @TempDir private Path folder;
  private final Terminal terminal = new Terminal();

  @ParameterizedTest
  @CsvSource({
    "simulate run nonsense, there is no experiment or file 'nonsense'",
    "simulate run fluctuation --policy c4, there is no policy 'c4'",
    "simulate run fluctuation --set utilisation=-0.1, utilisation must be above 0",
    "simulate run fluctuation --set utilisation=2.5, over twice the capacity",
    "'simulate run fluctuation --set clients=5,9', clients must be one value",
    "simulate run fluctuation --set rate=1, there is no parameter 'rate'",
    "simulate run fluctuation --set a..b=1, there is no parameter 'a..b'",
    "simulate run fluctuation --set zipf=x, 'curtail: zipf has type STRING rather than NUMBER'",
    "simulate run fluctuation --pairs 0, '--pairs must be from 1 to 1,000'",
    "simulate run fluctuation --requests -5, requests must be from 1",
    "simulate run fluctuation --requests 1000, requests must be over",
    "simulate run fluctuation --out /proc/none, cannot write into /proc/none",
    "simulate compare /none, there is no /none",
    "'simulate compare --policy c3,random', '--policy: one is compared'"
  })
  void should_say_what_is_wrong_in_one_line_and_exit_with_2(String command, String message) {
    assertThat(terminal.run(command)).isEqualTo(2);
    assertThat(terminal.err().strip()).contains(message).hasLineCount(1);
    assertThat(terminal.out()).isEmpty();
  }

  @Test
  void should_list_policies_experiments_and_parameters() throws IOException {
    assertThat(terminal.run("simulate list")).isZero();
    assertThat(terminal.out()).contains("curtail", "fluctuation", "utilisation");
    assertThat(terminal.run("simulate list --json")).isZero();
    JsonNode list = terminal.json();
    assertThat(list.get("policies").has("curtail")).isTrue();
    assertThat(list.get("experiments").findValuesAsText("name")).contains("fluctuation");
    assertThat(list.get("parameters").has("utilisation")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "adaptive | driver: adaptive.ranking = adaptive",
        "adaptive-hedged | driver: adaptive.ranking = adaptive,"
            + " speculative-execution-policy.class = AdaptiveSpeculativeExecution",
        "c3-per-slot | driver: adaptive.ranking = c3-per-slot;"
            + " node: policy = c3-per-slot, mode = rank",
        "c3 | driver: adaptive.ranking = c3-without-rate-control,"
            + " throttler.class = AdaptiveThrottler, adaptive.rate-control = cubic;"
            + " node: policy = c3, mode = rank+rate",
        "curtail | node: policy = curtail, mode = rank, passing = on, copies_percent = 3",
        "c3-per-slot-returned | node: policy = c3-per-slot, mode = rank, passing = on",
        "curtail-hedged | simulated only",
        "curtail-passed-on | simulated only",
        "netclone | simulated only",
        "prequal | simulated only",
        "oracle | simulated only"
      })
  void should_say_of_each_policy_how_it_is_installed(String policy, String how) throws IOException {
    terminal.run("simulate list");
    assertThat(terminal.out().lines())
        .anyMatch(line -> line.startsWith(policy + " ") && line.endsWith("  " + how));
    terminal.run("simulate list --json");
    JsonNode listed = terminal.json().get("policies").get(policy);
    assertThat(listed.get("description").asText()).isNotEmpty();
    assertThat(listed.get("installation").get("driver").isEmpty())
        .isEqualTo(!how.contains("driver:"));
    assertThat(listed.get("installation").get("node").isEmpty()).isEqualTo(!how.contains("node:"));
    for (Map.Entry<String, JsonNode> setting :
        listed.get("installation").get("node").properties()) {
      assertThat(how).contains(setting.getKey() + " = " + setting.getValue().asText());
    }
  }

  @Test
  void should_write_results_a_report_figures_and_logs() throws IOException {
    assertThat(terminal.run(SMALL + folder + " --figures --histograms")).isZero();
    assertThat(Files.readString(folder.resolve("results.json")))
        .contains("\"experiment\" : \"fluctuation\"", "\"p999Millis\"", "\"extraWork\"");
    assertThat(Files.readString(folder.resolve("report.html"))).contains("<svg", "</html>");
    assertThat(folder.resolve("run-4.hlog")).content().contains("[Histogram log format version");
    try (var figures = Files.list(folder.resolve("figures"))) {
      assertThat(figures).isNotEmpty();
    }
    assertThat(terminal.out()).contains("oracle", "p99.9");
  }

  @Test
  void should_compare_what_several_folders_hold() {
    Path other = folder.resolve("other");
    assertThat(terminal.run(SMALL + folder)).isZero();
    assertThat(terminal.run(SMALL.replace("c3,oracle", "least-outstanding") + other)).isZero();
    String compare = "simulate compare " + folder + " " + other + " --policy oracle --against ";
    assertThat(terminal.run(compare + "c3,least-outstanding")).isZero();
    assertThat(terminal.out()).contains("the best of c3, least-outstanding", "median cell");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[ no", "null", "[null]", "[{}]"})
  void should_say_in_one_line_that_a_file_has_no_results(String content) throws IOException {
    Files.writeString(folder.resolve("results.json"), content);
    assertThat(terminal.run("simulate compare " + folder)).isEqualTo(2);
    assertThat(terminal.err().strip())
        .contains("results.json has no results of 'simulate run': ")
        .hasLineCount(1);
  }

  @Test
  void should_run_a_cluster_that_a_file_describes() throws IOException {
    Path file = folder.resolve("mine.conf");
    Files.writeString(
        file,
        "servers = 6, clients = 4, requests = 3000, warmUpMillis = 10, policies = [c3, random]");
    assertThat(terminal.run("simulate run " + file + " --pairs 1 --out " + folder)).isZero();
    assertThat(terminal.out()).contains("mine.conf  random");
    assertThat(folder.resolve("results.json")).content().containsPattern("\"servers\" ?: ?6\\b");
    Files.writeString(file, "servers = many");
    assertThat(terminal.run("simulate run " + file + " --out " + folder)).isEqualTo(2);
  }
}
