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
import java.util.stream.Stream;
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
    Path none = Files.createDirectories(folder.resolve("none"));
    assertThat(javas(homes, none).get("state").asText()).isEqualTo("ok");
    Files.delete(folder.resolve("21/bin/java"));
    JsonNode without = javas(homes, none);
    assertThat(without.get("state").asText()).isEqualTo("limited");
    assertThat(without.get("found").asText()).contains("21").doesNotContain("11", "17");
    assertThat(without.get("mend").asText()).contains("CURTAIL_JAVA_HOMES");
    assertThat(javas(List.of(), folder).get("found").asText()).isEqualTo("no Java 21 for compat");
  }

  /** In these homes, and in a folder of them, and nowhere else. */
  private static JsonNode javas(List<String> homes, Path folder) throws Exception {
    Result doctor =
        run(
            Map.of(
                "CURTAIL_JAVA_HOMES",
                String.join(":", homes),
                "CURTAIL_JVM_FOLDER",
                folder.toString(),
                "JAVA_HOME",
                ""),
            "doctor",
            "--json");
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
    "'compat --driver ,', --driver needs a release",
    "compat --out /proc/none, cannot write to the folder /proc/none"
  })
  void should_say_what_is_wrong_before_it_builds(String command, String message) throws Exception {
    Result refused = run(Map.of(), command.split(" "));
    assertThat(refused.exitCode).isEqualTo(2);
    assertThat(refused.output.strip())
        .startsWith("curtail " + command.substring(0, command.indexOf(' ')) + ": " + message)
        .hasLineCount(1);
  }

  @Test
  void should_say_what_is_wrong_also_where_a_program_is_missing(@TempDir Path programs)
      throws Exception {
    for (String program : List.of("bash", "dirname", "readlink", "sed", "cat", "realpath")) {
      Files.createSymbolicLink(programs.resolve(program), program(program));
    }
    for (String program : List.of("java", "javac")) {
      Path inHome = Path.of(System.getProperty("java.home"), "bin", program);
      Files.createSymbolicLink(programs.resolve(program), inHome);
    }
    Files.createSymbolicLink(programs.resolve("mvn"), program("bash")); // nobody starts it
    Map<String, String> environment = Map.of("PATH", programs.toString(), "JAVA_HOME", "");
    assertThat(run(environment, "dist", "--sign", "--twice").output)
        .startsWith("curtail dist: --twice compares what is not signed");
    assertThat(run(environment, "dist").output).startsWith("curtail dist: unzip is missing");
  }

  private static Path program(String name) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  /** The launcher asks, too, how much that is. */
  @Test
  void should_say_what_a_control_group_leaves_of_the_memory(@TempDir Path root) throws Exception {
    write(root, "proc/meminfo", "MemTotal: 64000000 kB\nMemAvailable:   32768000 kB\n");
    assertThat(availableMebibytes(root)).isEqualTo("32000");
    Path group = root.resolve("sys/fs/cgroup");
    write(group, "memory.max", "max\n");
    assertThat(availableMebibytes(root)).isEqualTo("32000");
    write(group, "memory.max", (8000L << 20) + "\n");
    write(group, "memory.current", (3000L << 20) + "\n");
    write(group, "memory.stat", "anon 7\nactive_file 1048576\ninactive_file 1048576\n");
    assertThat(availableMebibytes(root)).isEqualTo("5002");
  }

  private static void write(Path folder, String file, String content) throws Exception {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }

  private static String availableMebibytes(Path root) throws Exception {
    String script = ". ../../packaging/memory.sh; available_mebibytes \"$0\"";
    return started(Map.of(), List.of("bash", "-c", script, root.toString())).output.strip();
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
    return started(environment, command);
  }

  private static Result started(Map<String, String> environment, List<String> command)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }
}
