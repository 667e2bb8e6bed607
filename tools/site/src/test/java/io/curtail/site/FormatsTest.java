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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Figures are the same for every user: a format with a decimal point or groups of thousands names
 * its locale. Where it does not, half of Europe reads and a test compares {@code 12,5}.
 */
class FormatsTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
  private static final String LITERAL = "(?:\"\"\"[\\s\\S]*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\")";

  /** A literal, or several in brackets, that formats itself. */
  private static final Pattern FORMATTED =
      Pattern.compile(
          "(" + LITERAL + "|\\((?:" + LITERAL + "|[^()\"]++)*+\\))\\s*+\\.formatted\\(");

  /** A literal, or several, as the first argument, where the locale would be. */
  private static final Pattern FORMAT =
      Pattern.compile("(?:format|printf)\\(\\s*+((?:" + LITERAL + "[\\s+]*+)+)");

  private static final Pattern OF_A_LOCALE = Pattern.compile("%[-+0 #]*\\d*[.,]");

  @Test
  void should_name_their_locale_when_they_have_a_point_or_thousands() throws IOException {
    List<String> found = new ArrayList<>();
    for (String group : List.of("products", "tools", "testing", "examples")) {
      try (Stream<Path> files = Files.walk(PROJECT.resolve(group))) {
        for (Path file : files.filter(FormatsTest::isSource).toList()) {
          for (String format : withoutLocale(Files.readString(file))) {
            found.add(PROJECT.relativize(file) + ": " + format);
          }
        }
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void should_be_found_in_each_way_to_write_them() {
    assertThat(withoutLocale("f(\"a %.1f\".formatted(x)); g(\"%s %.1f\" + y)"))
        .containsExactly("\"a %.1f\"");
    assertThat(withoutLocale("(\"%d\"\n + \" %+,d\")\n .formatted(x)")).hasSize(1);
    assertThat(withoutLocale("\"\"\"\n a \"b\" %-6.0f\n \"\"\"\n  .formatted(x)")).hasSize(1);
    assertThat(withoutLocale("String.format(\n \"%s\" + \"%,d\", x)")).hasSize(1);
    assertThat(withoutLocale("out.printf(\"%.2f\", x)")).hasSize(1);
    assertThat(withoutLocale("String.format(Locale.ROOT, \"%,d\", x)")).isEmpty();
    assertThat(withoutLocale("\"%d %%, %s.\".formatted(x)")).isEmpty();
  }

  private static List<String> withoutLocale(String source) {
    return Stream.of(FORMATTED, FORMAT)
        .flatMap(pattern -> pattern.matcher(source).results())
        .map(result -> result.group(1))
        .filter(format -> OF_A_LOCALE.matcher(format.replace("%%", "")).find())
        .toList();
  }

  private static boolean isSource(Path file) {
    String path = PROJECT.relativize(file).toString();
    return path.endsWith(".java") && !path.contains("/target/");
  }
}
