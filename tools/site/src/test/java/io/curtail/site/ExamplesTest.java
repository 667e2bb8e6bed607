/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the pages show of an example is what is in it. */
class ExamplesTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path SOURCES = PROJECT.resolve("examples/spring-boot/src/main");
  private static final Pattern BLOCK = Pattern.compile("(?s)```(\\w+)\\n(.*?)```");

  @Test
  void should_show_the_files_of_the_spring_boot_example() throws IOException {
    String page = Files.readString(PROJECT.resolve("docs/driver/spring-boot.md"));
    assertThat(block(page, "properties")).isEqualTo(read("resources/application.properties"));
    assertThat(block(page, "hocon")).isEqualTo(read("resources/cassandra.conf"));
    assertThat(read("java/example/Application.java")).contains(block(page, "java"));
  }

  private static String block(String page, String language) {
    Matcher block = BLOCK.matcher(page);
    while (block.find()) {
      if (block.group(1).equals(language)) {
        return block.group(2);
      }
    }
    throw new AssertionError("no block of " + language);
  }

  private static String read(String file) throws IOException {
    return Files.readString(SOURCES.resolve(file));
  }
}
