/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.curtail.cli.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the lab, each once, with one node: what they say, not what they measure. */
class LabOnRealNodesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  private final Terminal terminal = new Terminal();

  @Test
  void should_leave_a_lab_up_until_it_is_stopped() throws IOException {
    String directory = " --directory " + folder.resolve("lab");
    try {
      assertThat(terminal.run("lab start --nodes 1" + directory)).as(terminal.err()).isZero();
      String started = terminal.out();
      assertThat(started).contains("Stop it with:   curtail lab stop" + directory + "\n");
      JsonNode status = json("lab status --json" + directory);
      assertThat(status.at("/0/nodes")).hasSize(1);
      assertThat(started).contains("Contact points: " + status.at("/0/contactPoints/0").asText());
      assertThat(status.at("/0/nodes/0/state").asText()).isEqualToIgnoringCase("up");
      assertThat(terminal.run("lab zones" + directory)).isEqualTo(1);
      assertThat(terminal.err().strip())
          .startsWith("curtail: lab default has no latencies between its nodes: start it with")
          .hasLineCount(1);
    } finally {
      assertThat(terminal.run("lab stop" + directory)).as(terminal.err()).isZero();
    }
    assertThat(terminal.run("lab zones" + directory)).isEqualTo(1);
  }

  @Test
  void should_measure_a_scenario_and_write_its_report() throws IOException {
    int code =
        terminal.run(
            "lab run steady --nodes 1 --slow-motion 1000 --jit C1 --policy stock-basic --pairs 1"
                + " --seconds 2 --rows 50 --rate 20 --clients 1 --warm-up 1 --max-foreign-cpu 1 --seed 7"
                + " --figures --histograms --json --out "
                + folder);
    JsonNode report = terminal.json();
    assertThat(report.at("/conditions")).hasSize(2);
    // It is not where the machine was too busy for the rules of a run.
    boolean isValid = !report.findValuesAsText("valid").contains("false");
    assertThat(report.findValuesAsText("valid")).hasSize(2);
    assertThat(code).as(terminal.err()).isEqualTo(isValid ? 0 : 1);
    for (JsonNode condition : report.at("/conditions")) {
      assertThat(condition.at("/arms/0/arm").asText()).isEqualTo("stock-basic");
      assertThat(condition.at("/arms/0/requests").asLong()).isPositive();
    }
    assertThat(JSON.readTree(folder.resolve("report.json").toFile())).isEqualTo(report);
    assertThat(folder.resolve("report.html")).content().contains("<svg", "</html>");
    assertThat(folder.resolve("figures")).isNotEmptyDirectory();
    assertThat(folder.resolve("histograms")).isNotEmptyDirectory();
  }

  private JsonNode json(String command) throws IOException {
    assertThat(terminal.run(command)).as(terminal.err()).isZero();
    return terminal.json();
  }
}
