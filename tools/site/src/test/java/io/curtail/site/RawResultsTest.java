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
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What only a raw file tells, and its page repeats, is what the raw file tells. */
class RawResultsTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path EVIDENCE = PROJECT.resolve("docs/evidence");
  private static final Path PLANS = EVIDENCE.resolve("2026-11-30-bench-plan.json");

  private static final String USUAL_PROCESSOR = "AMD EPYC";
  private static final Pattern PROCESSOR = Pattern.compile("\"processor\"\\s*:\\s*\"([^\"]+)\"");
  private static final Pattern RAW = Pattern.compile("\\]\\(([\\w.-]+\\.json)\\)");

  /** Between paragraphs, items and rows. */
  private static final Pattern BREAK = Pattern.compile("\n\\s*\n|\n(?=[|-])");

  @Test
  void should_name_the_processor_where_a_raw_file_has_another_than_the_usual_one()
      throws IOException {
    List<String> unnamed = new ArrayList<>();
    int found = 0;
    for (Path page : pages()) {
      for (String block : BREAK.splitAsStream(Files.readString(page)).toList()) {
        for (String processor : processors(block)) {
          found++;
          if (!processor.equals(USUAL_PROCESSOR) && !words(block).contains(processor)) {
            unnamed.add(page.getFileName() + ": nothing of an " + processor + " in: " + block);
          }
        }
      }
    }
    assertThat(unnamed).isEmpty();
    assertThat(found).isGreaterThan(40);
    assertThat(read("docs/evidence/README.md")).contains(USUAL_PROCESSOR);
  }

  @Test
  void should_give_what_a_plan_costs_by_the_number_of_nodes() throws IOException {
    assertThat(read("README.md"))
        .contains("[" + plans(12) + "](docs/evidence/driver.md#what-a-plan-costs)");
    assertThat(read("docs/evidence/driver.md"))
        .contains(plans(12) + " at 12 nodes; at 384 nodes " + plans(384) + " of stock's at 12");
  }

  /** Of all raw files that the text links to, as people name them. */
  private static List<String> processors(String text) throws IOException {
    List<String> processors = new ArrayList<>();
    for (MatchResult link : RAW.matcher(text).results().toList()) {
      PROCESSOR
          .matcher(Files.readString(EVIDENCE.resolve(link.group(1))))
          .results()
          .map(processor -> processor.group(1).replaceAll("\\(R\\)| Processor", ""))
          .forEach(processors::add);
    }
    return processors;
  }

  /** From the least to the most of weighted least loaded's plans, over stock's at 12 nodes. */
  private static String plans(int nodes) throws IOException {
    String name = "(?:curtail|weighted-least-loaded): plan at " + nodes + " nodes[^\"]*, CPU time";
    DoubleSummaryStatistics times =
        Pattern.compile(name + "[^\"]*\",\\s*\"measured\"\\s*:\\s*([\\d.]+)")
            .matcher(Files.readString(PLANS))
            .results()
            .mapToDouble(plan -> Double.parseDouble(plan.group(1)))
            .summaryStatistics();
    return String.format(Locale.ROOT, "×%.2f to ×%.2f", times.getMin(), times.getMax());
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(EVIDENCE)) {
      return files.filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  private static String read(String page) throws IOException {
    return words(Files.readString(PROJECT.resolve(page)));
  }

  private static String words(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
