/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each setting of a product stands in its page's table, with its default, and no other does. */
class SettingsTablesTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path DRIVER = Path.of("products/driver/src/main");
  private static final Path SERVER =
      Path.of("products/server/src/main/java/io/curtail/server/Knob.java");
  private static final Path DEFAULTS =
      Path.of("products/selection/src/main/java/io/curtail/selection/NodeDefaults.java");
  private static final Path ENGINE =
      Path.of("products/engine/src/main/java/io/curtail/engine/options/EngineOptions.java");

  /** A row of a table: a name, then its default. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w.-]+)` +\\| ([^|]*?) +\\|");

  @Test
  void should_find_each_option_of_the_driver_with_its_default() throws IOException {
    Map<String, String> options = new LinkedHashMap<>();
    for (String type : List.of("WeightedOption", "AdaptiveOption")) {
      Matcher paths =
          matcher(
              DRIVER.resolve("java/io/curtail/driver/" + type + ".java"),
              "\"basic\\.load-balancing-policy\\.([\\w.-]+)\"");
      while (paths.find()) {
        options.put(paths.group(1), "none");
      }
    }
    Matcher lines =
        matcher(
            DRIVER.resolve("resources/reference.conf"),
            "(?m)^ {4}(?<section>\\w+) \\{$|^ {6}(?<name>[\\w-]+) = (?<value>.+)$");
    String section = "";
    while (lines.find()) {
      if (lines.group("section") != null) {
        section = lines.group("section");
      } else {
        options.put(section + "." + lines.group("name"), lines.group("value"));
      }
    }
    assertThat(options).hasSizeGreaterThan(10);
    assertThat(table("docs/driver/configure.md")).isEqualTo(options);
  }

  @Test
  void should_find_each_setting_of_the_server_with_its_default() throws IOException {
    Map<String, String> settings = new LinkedHashMap<>();
    Map<String, String> defaults = new LinkedHashMap<>();
    Matcher constants = matcher(DEFAULTS, "(\\w+) = \"?([^\";]+)\"?;");
    while (constants.find()) {
      defaults.put(constants.group(1), constants.group(2));
    }
    Matcher knobs =
        matcher(
            SERVER,
            "[A-Z]\\(\\s*\"(\\w+)\",\\s*(?:\"([^\"]*)\"|[\\w.]*\\(?NodeDefaults\\.(\\w+)\\)?),");
    while (knobs.find()) {
      String value = knobs.group(2) == null ? defaults.get(knobs.group(3)) : knobs.group(2);
      settings.put(knobs.group(1), value.isEmpty() ? "required" : value);
    }
    assertThat(settings).hasSizeGreaterThan(10);
    assertThat(table("docs/server/configure.md")).isEqualTo(settings);
  }

  @Test
  void should_find_each_parameter_of_the_engine_with_the_default_that_is_a_literal()
      throws IOException {
    Map<String, String> table = table("docs/engine/configure.md");
    Map<String, String> parameters = new LinkedHashMap<>();
    Matcher reads =
        matcher(ENGINE, "\\bin\\.\\w+\\(\\s*\"(\\w+)\"(?:,\\s*\"?([\\w/]+)\"?\\s*[,)])?");
    while (reads.find()) {
      String name = reads.group(1);
      String literal = reads.group(2);
      boolean known = literal != null && literal.matches("\\d+\\w*(/s)?|true|false");
      parameters.putIfAbsent(name, known ? literal : table.get(name));
    }
    assertThat(parameters).hasSizeGreaterThan(10);
    assertThat(table).isEqualTo(parameters);
  }

  private static Matcher matcher(Path file, String pattern) throws IOException {
    return Pattern.compile(pattern).matcher(Files.readString(PROJECT.resolve(file)));
  }

  /** The first table of the page whose second column is headed "default". */
  private static Map<String, String> table(String page) throws IOException {
    String text = Files.readString(PROJECT.resolve(page));
    int start = text.indexOf("| default |");
    String table = text.substring(start, text.indexOf("\n\n", start));
    Map<String, String> rows = new LinkedHashMap<>();
    Matcher row = ROW.matcher(table);
    while (row.find()) {
      rows.put(row.group(1), row.group(2).replace("`", ""));
    }
    return rows;
  }
}
