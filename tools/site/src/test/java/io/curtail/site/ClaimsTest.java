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
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A gain or loss, written as ×0.5, stands in the section of the evidence that it links to: in a
 * table that of its row, or of the text before the table; elsewhere that of its own text.
 */
class ClaimsTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path EVIDENCE = PROJECT.resolve("docs/evidence");

  private static final Pattern LINK =
      Pattern.compile("\\[([^\\]]*)\\]\\(([^)#]*\\.md)(?:#([^)]+))?\\)");
  private static final Pattern FACTOR = Pattern.compile("×(\\d+(?:\\.\\d+)?)");
  private static final Pattern HEADING = Pattern.compile("(#+) .*");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "docs/driver/README.md",
        "docs/driver/adaptive.md",
        "docs/server/README.md",
        "docs/engine/README.md",
        "docs/evidence/README.md"
      })
  void should_find_each_factor_of_a_page_in_the_evidence_that_it_links_to(String page)
      throws IOException {
    assertThat(missing(PROJECT.resolve(page), Files.readString(PROJECT.resolve(page)))).isEmpty();
  }

  @Test
  void should_link_each_gain_that_the_first_table_claims() throws IOException {
    List<String> claims =
        Files.readAllLines(PROJECT.resolve("README.md")).stream()
            .filter(line -> line.startsWith("|") && FACTOR.matcher(line).find())
            .toList();
    assertThat(claims).hasSizeGreaterThan(5);
    assertThat(claims).allMatch(claim -> !evidence(PROJECT.resolve("README.md"), claim).isEmpty());
  }

  @Test
  void should_tell_a_factor_that_its_evidence_does_not_have() throws IOException {
    Path page = PROJECT.resolve("README.md");
    String zones = "(docs/evidence/driver.md#zones)";
    assertThat(missing(page, "| far | [×0.60]" + zones + " |")).isEmpty();
    assertThat(missing(page, "| far ×0.612 | [zones]" + zones + " |")).hasSize(1);
    assertThat(missing(page, "Not here: ×0.612, but [×0.60]" + zones)).isEmpty();
    assertThat(missing(page, "Here: [×0.612]" + zones)).hasSize(1);
    assertThat(missing(page, "Over two lines: [×0.612\nand more]" + zones)).hasSize(1);
    String table = "[all\nrows]" + zones + "\n\n| far | ×0.60 |\n| far | ×0.612 |";
    assertThat(missing(page, table)).hasSize(1);
  }

  private static List<String> missing(Path page, String text) throws IOException {
    List<String> missing = new ArrayList<>();
    List<MatchResult> before = List.of();
    for (String block : blocks(text)) {
      List<MatchResult> links = evidence(page, block);
      if (block.startsWith("|")) {
        StringBuilder sections = new StringBuilder();
        for (MatchResult link : links.isEmpty() ? before : links) {
          sections.append(section(page, link));
        }
        missing.addAll(missing(block, sections.toString()));
      } else {
        for (MatchResult link : links) {
          missing.addAll(missing(link.group(1), section(page, link)));
        }
        before = links;
      }
    }
    return missing;
  }

  /** The rows of tables, and what else stands together. */
  private static List<String> blocks(String text) {
    return Arrays.stream(text.split("\n\\s*\n|\n(?=\\|)"))
        .map(block -> block.replace('\n', ' '))
        .toList();
  }

  private static List<String> missing(String claim, String section) {
    return FACTOR
        .matcher(claim)
        .results()
        .map(factor -> factor.group(1))
        .filter(
            factor ->
                !Pattern.compile("(?<![\\d.])" + Pattern.quote(factor) + "(?!\\.?\\d)")
                    .matcher(section)
                    .find())
        .map(factor -> "×" + factor + " in: " + claim)
        .toList();
  }

  /** The links of the line to sections of the evidence. */
  private static List<MatchResult> evidence(Path page, String line) {
    return LINK.matcher(line)
        .results()
        .filter(link -> file(page, link).startsWith(EVIDENCE))
        .toList();
  }

  private static Path file(Path page, MatchResult link) {
    return page.resolveSibling(link.group(2)).normalize();
  }

  /** From the heading that the link names to the next of its rank; all if it names none. */
  private static String section(Path page, MatchResult link) throws IOException {
    StringBuilder section = new StringBuilder();
    int rank = 0;
    if (link.group(3) == null) {
      return Files.readString(file(page, link));
    }
    for (String line : Files.readAllLines(file(page, link))) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches() && (rank == 0 || heading.group(1).length() <= rank)) {
        Set<String> anchors = new MarkdownPage(Path.of("a.md"), line).anchors();
        rank = anchors.contains(link.group(3)) ? heading.group(1).length() : 0;
      }
      section.append(rank == 0 ? "" : line + "\n");
    }
    return section.toString();
  }
}
