/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who reads a name of a file knows which class is meant. */
class NamesTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
  private static final String SUFFIX = ".java";

  /** Seen and left: each is the word for it where it stands. */
  private static final Set<String> TWINS = Set.of("Client", "Progress", "package-info");

  @Test
  void should_stand_for_one_class_of_main_code() throws IOException {
    Map<String, Set<String>> twins = classes();
    assertThat(twins).containsKeys("Plugin", "Blocks", "Waiting"); // of each group of modules
    twins.values().removeIf(classes -> classes.size() == 1);
    twins.keySet().removeAll(TWINS);
    assertThat(twins).isEmpty();
  }

  /**
   * By their names without a package. What stands once for each release of Cassandra is one class:
   * a jar has one of them.
   */
  private static Map<String, Set<String>> classes() throws IOException {
    Map<String, Set<String>> classes = new TreeMap<>();
    for (String group : List.of("products", "tools", "testing")) {
      for (Path sources : sources(PROJECT.resolve(group))) {
        try (Stream<Path> files = Files.walk(sources)) {
          files
              .map(file -> sources.relativize(file).toString())
              .filter(file -> file.endsWith(SUFFIX))
              .map(file -> file.substring(0, file.length() - SUFFIX.length()))
              .forEach(
                  name ->
                      classes
                          .computeIfAbsent(
                              name.substring(name.lastIndexOf('/') + 1), key -> new TreeSet<>())
                          .add(name));
        }
      }
    }
    return classes;
  }

  /** The roots of main code, such as {@code src/main/java} and {@code src/main/cassandra-6.0}. */
  private static List<Path> sources(Path group) throws IOException {
    try (Stream<Path> roots = Files.find(group, 4, (path, is) -> is.isDirectory())) {
      return roots.filter(root -> root.getParent().endsWith("src/main")).toList();
    }
  }
}
