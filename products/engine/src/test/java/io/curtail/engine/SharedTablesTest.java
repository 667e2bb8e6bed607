/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tables of the node that all tests of a JVM share: two classes with a table of one name fail only
 * where they run in one JVM, which differs from run to run.
 */
class SharedTablesTest {
  private static final Pattern CREATED = Pattern.compile("CREATE TABLE twin\\.(\\w+)");

  /** A method whose first parameter is the name of the table that it makes. */
  private static final Pattern CREATOR =
      Pattern.compile("\\b(\\w+)\\(\\s*String \\w+[^{;]*\\{[^}]*CREATE TABLE twin\\.\"");

  @Test
  void should_have_names_of_their_own() throws IOException {
    Map<String, Set<String>> classes = new HashMap<>();
    for (Path file : sources()) {
      for (String table : tables(Files.readString(file))) {
        classes.computeIfAbsent(table, name -> new HashSet<>()).add(file.getFileName().toString());
      }
    }
    assertThat(classes).hasSizeGreaterThan(50).allSatisfy((table, of) -> assertThat(of).hasSize(1));
  }

  @Test
  void should_find_those_that_a_method_makes() {
    assertThat(
            tables(
                "void make(String t) { cql(\"CREATE TABLE twin.\" + t); } make(\"a\"); \"make b\";"
                    + " other(\"c\"); cql(\"CREATE TABLE twin.d (k int)\");"))
        .containsExactlyInAnyOrder("a", "d");
  }

  private static Set<String> tables(String source) {
    Set<String> tables = found(CREATED, source);
    for (String creator : found(CREATOR, source)) {
      tables.addAll(found(Pattern.compile("\\b" + creator + "\\(\\s*\"(\\w+)\"\\s*[,)]"), source));
    }
    return tables;
  }

  private static Set<String> found(Pattern pattern, String source) {
    return pattern
        .matcher(source)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("SharedTablesTest.java"))
          .collect(Collectors.toList());
    }
  }
}
