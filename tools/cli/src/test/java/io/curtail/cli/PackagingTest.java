/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands of the launcher that need no build: {@code doctor}, {@code dist}, {@code compat}.
 */
class PackagingTest {
  private record Result(int exitCode, String output) {}

  @Test
  void should_agree_with_its_exit_code_when_doctor_prints_json() throws Exception {
    Result doctor = run(Map.of(), "doctor", "--json");
    JsonNode report = new ObjectMapper().readTree(doctor.output);
    assertThat(report.get("ready").asBoolean()).isEqualTo(doctor.exitCode == 0);
    assertThat(state(report, "jdk")).isEqualTo("ok");
    assertThat(state(report, "maven")).isEqualTo("ok");
    for (JsonNode check : report.get("checks")) {
      assertThat(check.get("found").asText()).isNotEmpty();
      assertThat(check.get("mend").asText().isEmpty())
          .as(check.toString())
          .isEqualTo(check.get("state").asText().equals("ok"));
    }
  }

  @Test
  void should_say_how_to_get_a_jdk_when_there_is_none() throws Exception {
    Result doctor = run(Map.of("JAVA_HOME", "/no \"such\" directory"), "doctor", "--json");
    JsonNode report = new ObjectMapper().readTree(doctor.output);
    assertThat(doctor.exitCode).isEqualTo(1);
    assertThat(report.get("ready").asBoolean()).isFalse();
    assertThat(state(report, "jdk")).isEqualTo("missing");
    assertThat(report.findValuesAsText("mend")).anyMatch(mend -> mend.contains("openjdk-17"));
  }

  @Test
  void should_find_the_javas_of_compat_where_it_is_told_to_look(@TempDir Path folder)
      throws Exception {
    List<String> homes = new ArrayList<>();
    for (String release : List.of("11", "17", "21")) {
      Path java = folder.resolve(release).resolve("bin/java");
      Files.createDirectories(java.getParent());
      Files.writeString(
          java, "#!/bin/sh\necho '    java.specification.version = " + release + "' >&2\n");
      assertThat(java.toFile().setExecutable(true)).isTrue();
      homes.add(folder.resolve(release).toString());
    }
    assertThat(javas(homes).get("state").asText()).isEqualTo("ok");
    Files.delete(folder.resolve("21/bin/java"));
    JsonNode without = javas(homes);
    if (without.get("state").asText().equals("limited")) { // this machine may have one
      assertThat(without.get("found").asText()).contains("21").doesNotContain("11", "17");
      assertThat(without.get("mend").asText()).contains("CURTAIL_JAVA_HOMES");
    }
  }

  private static JsonNode javas(List<String> homes) throws Exception {
    Result doctor = run(Map.of("CURTAIL_JAVA_HOMES", String.join(":", homes)), "doctor", "--json");
    for (JsonNode check : new ObjectMapper().readTree(doctor.output).get("checks")) {
      if (check.get("check").asText().equals("javas")) {
        return check;
      }
    }
    throw new AssertionError("no check of javas");
  }

  @ParameterizedTest
  @ValueSource(strings = {"doctor", "dist", "compat"})
  void should_refuse_an_option_that_there_is_not(String command) throws Exception {
    Result refused = run(Map.of(), command, "--nonsense");
    assertThat(refused.exitCode).isEqualTo(2);
    assertThat(refused.output).contains("--nonsense");
    Result help = run(Map.of(), command, "--help");
    assertThat(help.exitCode).isZero();
    assertThat(help.output).startsWith("Usage: curtail " + command);
    assertThat(run(Map.of(), "help", command)).isEqualTo(help);
  }

  @ParameterizedTest
  @CsvSource({
    "dist --out, --out needs a directory",
    "dist --sign --twice, '--twice compares what is not signed'",
    "compat --out, --out needs a value",
    "compat --out /proc/none, cannot write to the folder /proc/none"
  })
  void should_say_what_is_wrong_before_it_builds(String command, String message) throws Exception {
    Result refused = run(Map.of(), command.split(" "));
    assertThat(refused.exitCode).isEqualTo(2);
    assertThat(refused.output.strip())
        .startsWith("curtail " + command.substring(0, command.indexOf(' ')) + ": " + message)
        .hasLineCount(1);
  }

  private static String state(JsonNode report, String name) {
    for (JsonNode check : report.get("checks")) {
      if (check.get("check").asText().equals(name)) {
        return check.get("state").asText();
      }
    }
    throw new AssertionError("no check " + name);
  }

  private static Result run(Map<String, String> environment, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("../../curtail"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }
}
