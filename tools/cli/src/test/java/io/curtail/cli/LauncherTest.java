/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script with a tree, a Maven and a Java of this test's own: what it builds, and when. */
class LauncherTest {
  private static final String JARS = "tools/cli/target/curtail-cli-";

  @TempDir private Path directory;
  private Path tree;
  private Path source;
  private String classPath = "";

  @BeforeEach
  void makeTree() throws IOException {
    tree = Files.createDirectories(directory.resolve("a tree"));
    Files.copy(Path.of("../../curtail"), tree.resolve("curtail"));
    tree.resolve("curtail").toFile().setExecutable(true);
    Files.writeString(tree.resolve("pom.xml"), "<project>\n  <version>2.0</version>\n</project>\n");
    for (String part : new String[] {"products/one", "testing/one", "tools/cli"}) {
      Files.createDirectories(tree.resolve(part).resolve("target"));
    }
    source = tree.resolve("products/one/src/main/java/One.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "");
    program(
        "java",
        "case \"$*\" in *properties*) echo ' java.specification.version = 17' ;; "
            + "*) echo \"ran $*\" ;; esac");
    program("javac", "");
    maven("");
  }

  private void program(String name, String script) throws IOException {
    Path program = Files.createDirectories(directory.resolve("bin")).resolve(name);
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    program.toFile().setExecutable(true);
  }

  /** One that builds, and does something besides. */
  private void maven(String besides) throws IOException {
    program("mvn", "echo >>\"" + directory + "/builds\"; : >" + JARS + "2.0.jar; " + besides);
  }

  private int builds() throws IOException {
    Path builds = directory.resolve("builds");
    return Files.exists(builds) ? Files.readAllLines(builds).size() : 0;
  }

  private String run(int code) throws Exception {
    return run(code, "--version");
  }

  /** Returns what it prints. */
  private String run(int code, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", tree.resolve("curtail").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder launcher = new ProcessBuilder(command).redirectErrorStream(true);
    launcher.environment().remove("JAVA_HOME");
    launcher.environment().put("CURTAIL_CLASS_PATH", classPath);
    launcher.environment().put("TMPDIR", directory.toString());
    launcher.environment().put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
    Process process = launcher.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isEqualTo(code);
    return printed;
  }

  @Test
  void should_build_once_and_again_when_a_source_is_newer() throws Exception {
    assertThat(run(0)).contains("building").contains("ran ").contains(JARS + "2.0.jar:");
    assertThat(run(0)).doesNotContain("building");
    assertThat(builds()).isEqualTo(1);
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
    run(0);
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void should_add_the_users_jars_behind_its_own() throws Exception {
    assertThat(run(0)).contains("/lib/* io.curtail.cli.Curtail");
    classPath = "mine.jar:another.jar";
    assertThat(run(0)).contains("/lib/*:mine.jar:another.jar io.curtail.cli.Curtail");
  }

  /** Maven may have read it already. */
  @Test
  void should_build_again_what_was_saved_while_it_built() throws Exception {
    maven("sleep 0.1; touch products/one/src/main/java/One.java");
    run(0);
    maven("");
    run(0);
    run(0);
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void should_build_again_when_a_source_is_gone() throws Exception {
    run(0);
    Files.delete(source);
    Files.setLastModifiedTime(source.getParent(), FileTime.from(Instant.now().plusSeconds(5)));
    run(0);
    assertThat(builds()).isEqualTo(2);
  }

  /** Nodes take what they find, and the old version sorts behind or before the new one. */
  @Test
  void should_leave_no_jar_of_another_version() throws Exception {
    Path old = tree.resolve("products/one/target/curtail-one-2.0-SNAPSHOT.jar");
    Files.writeString(old, "");
    Path other = Files.writeString(tree.resolve("products/one/target/curtail-one-1.0.jar"), "");
    Path ours = Files.writeString(tree.resolve("products/one/target/curtail-one-2.0.jar"), "");
    run(0);
    assertThat(other).doesNotExist();
    assertThat(old).doesNotExist();
    assertThat(ours).exists();
  }

  /** What {@code test} needs besides, where so much memory is free. */
  private void prepareTests(int mebibytes) throws IOException {
    Path summary = Files.createDirectories(tree.resolve("testing")).resolve("summary");
    Files.writeString(summary, "#!/bin/sh\ncat\n");
    summary.toFile().setExecutable(true);
    Path memory = Files.createDirectories(tree.resolve("packaging")).resolve("memory.sh");
    Files.writeString(memory, "available_mebibytes() { echo " + mebibytes + "; }\n");
  }

  /** Less than the machine has, where a control group limits it. */
  @ParameterizedTest
  @CsvSource({"7812, false, false", "7813, true, false", "15625, true, true"})
  void should_test_side_by_side_when_memory_is_free(int mebibytes, boolean modules, boolean classes)
      throws Exception {
    prepareTests(mebibytes);
    maven("echo \"with $*\"");
    String printed = run(0, "test");
    assertThat(printed).contains("with -B").contains(" verify");
    assertThat(printed.contains(" -T 2 ")).isEqualTo(modules);
    assertThat(printed.contains(" -Dtests.side.by.side=2 ")).isEqualTo(classes);
  }

  @Test
  void should_test_no_jar_of_another_version() throws Exception {
    prepareTests(0);
    Path other = Files.writeString(tree.resolve("products/one/target/curtail-one-1.0.jar"), "");
    maven("ls products/one/target");
    assertThat(run(0, "test")).doesNotContain("curtail-one-1.0.jar");
    assertThat(other).doesNotExist();
  }

  @Test
  void should_keep_what_compat_found_before_when_the_build_fails() throws Exception {
    Path packaging = Files.createDirectories(tree.resolve("packaging"));
    for (String file : new String[] {"compat", "node.sh"}) {
      Files.copy(Path.of("../../packaging").resolve(file), packaging.resolve(file));
      packaging.resolve(file).toFile().setExecutable(true);
    }
    Path found = Files.createDirectories(directory.resolve("out")).resolve("compat.json");
    Files.writeString(found, "good");
    maven("exit 137");
    assertThat(run(1, "compat", "--out", found.getParent().toString()))
        .contains("the build failed");
    assertThat(found).hasContent("good");
    assertThat(found.getParent().toFile().list()).containsExactly("compat.json");
  }

  /** As of one that was killed for memory. */
  @Test
  void should_say_that_the_build_failed_when_maven_says_nothing() throws Exception {
    maven("exit 137");
    assertThat(run(1)).contains("the build failed; all of it: " + tree.resolve(".curtail"));
    maven("");
    assertThat(run(0)).contains("ran ");
  }
}
