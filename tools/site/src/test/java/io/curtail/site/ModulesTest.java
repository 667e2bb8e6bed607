/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of modules for who works on Curtail is that of the build. */
class ModulesTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();

  @Test
  void should_list_each_module_in_its_group_and_no_other() throws IOException {
    Set<String> listed = new TreeSet<>();
    String group = "";
    for (String line : Files.readAllLines(PROJECT.resolve("CONTRIBUTING.md"))) {
      if (line.startsWith("| **`")) {
        group = line.replaceFirst("^\\| \\*\\*`(\\w+/)`.*", "$1");
      } else if (line.isBlank()) {
        group = "";
      } else if (!group.isEmpty()) {
        for (String name : names(line.substring(1, line.indexOf('|', 1)))) {
          listed.add(group + name);
        }
      }
    }
    assertThat(listed).isEqualTo(modules());
  }

  private static Set<String> names(String cell) {
    return Pattern.compile("`([\\w-]+)`")
        .matcher(cell)
        .results()
        .map(name -> name.group(1))
        .collect(Collectors.toSet());
  }

  /** Every folder with a POM in one of the groups. */
  private static Set<String> modules() throws IOException {
    Set<String> modules = new TreeSet<>();
    for (String group : Set.of("products", "tools", "testing")) {
      try (Stream<Path> folders = Files.list(PROJECT.resolve(group))) {
        folders
            .filter(folder -> Files.exists(folder.resolve("pom.xml")))
            .forEach(folder -> modules.add(group + "/" + folder.getFileName()));
      }
    }
    return modules;
  }
}
