/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who reads a name of a class knows which one is meant. */
class NamesTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
  private static final String SUFFIX = ".java";
  private static final Pattern NESTED =
      Pattern.compile("^ +(?:[a-z]+ )*(?:class|record|interface|enum) (\\w+)", Pattern.MULTILINE);

  @Test
  void should_stand_for_one_class_of_main_code() throws IOException {
    Map<String, Set<String>> twins = new TreeMap<>();
    for (Path module : modules()) {
      for (Path sources : sources(module)) {
        for (Path file : files(sources)) {
          // One for each release of Cassandra is one class: a jar has one of them.
          String name = sources.relativize(file).toString();
          twins.computeIfAbsent(name(file), key -> new TreeSet<>()).add(name);
        }
      }
    }
    assertThat(twins).containsKeys("Plugin", "Blocks", "Waiting"); // of each group of modules
    twins.remove("package-info");
    twins.values().removeIf(classes -> classes.size() == 1);
    assertThat(twins).isEmpty();
  }

  @Test
  void should_not_stand_for_a_nested_class_too_in_the_module_of_one() throws IOException {
    List<String> twins = new ArrayList<>();
    int nested = 0;
    for (Path module : modules()) {
      List<Path> files = new ArrayList<>();
      for (Path sources : sources(module)) {
        files.addAll(files(sources));
      }
      Set<String> names = files.stream().map(NamesTest::name).collect(Collectors.toSet());
      for (Path file : files) {
        Matcher matcher = NESTED.matcher(Files.readString(file));
        for (; matcher.find(); nested++) {
          if (names.contains(matcher.group(1))) {
            twins.add(name(file) + "." + matcher.group(1));
          }
        }
      }
    }
    assertThat(nested).isGreaterThan(100);
    assertThat(twins).isEmpty();
  }

  private static List<Path> modules() throws IOException {
    List<Path> modules = new ArrayList<>();
    for (String group : List.of("products", "tools", "testing")) {
      try (Stream<Path> directories = Files.list(PROJECT.resolve(group))) {
        directories.filter(path -> Files.exists(path.resolve("src/main"))).forEach(modules::add);
      }
    }
    return modules;
  }

  /** The roots of main code, such as {@code src/main/java} and {@code src/main/cassandra-6.0}. */
  private static List<Path> sources(Path module) throws IOException {
    try (Stream<Path> roots = Files.list(module.resolve("src/main"))) {
      return roots.toList();
    }
  }

  private static List<Path> files(Path sources) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      return files.filter(file -> file.toString().endsWith(SUFFIX)).toList();
    }
  }

  private static String name(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - SUFFIX.length());
  }
}
