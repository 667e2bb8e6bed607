/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();
  @TempDir private Path folder;

  @Test
  void should_find_no_broken_link_in_the_pages_of_this_project() throws IOException {
    Pages pages = Pages.of(PROJECT);
    assertThat(pages.all()).hasSizeGreaterThan(20);
    assertThat(pages.brokenLinks()).isEmpty();
  }

  @Test
  void should_tell_links_to_files_and_headings_that_are_not_there() throws IOException {
    write(
        "README.md", "# A\n[1](docs/b.md#there) [2](docs/b.md#gone) [3](gone.md) [4](#a) [5](#b)");
    write("docs/b.md", "# B\n## There\n![6](gone.svg) <https://example.org/gone>");
    assertThat(Pages.of(folder).brokenLinks())
        .containsExactly(
            "README.md: docs/b.md#gone",
            "README.md: gone.md",
            "README.md: #b",
            "docs/b.md: gone.svg");
  }

  @Test
  void should_reach_each_page_of_this_project_from_the_first() throws IOException {
    assertThat(unreached(Pages.of(PROJECT))).isEmpty();
  }

  @Test
  void should_tell_pages_that_no_other_leads_to() throws IOException {
    write("README.md", "# A\n[b](docs/b.md) [elsewhere](https://example.org/c.md)");
    write("docs/b.md", "# B\n[back](../README.md#a)");
    write("docs/c.md", "# C\n[b](b.md)");
    assertThat(unreached(Pages.of(folder))).containsExactly(Path.of("docs/c.md"));
  }

  /** Pages to which no way leads by links from the first one. */
  private static List<Path> unreached(Pages pages) {
    Map<Path, MarkdownPage> unreached =
        pages.all().stream().collect(Collectors.toMap(MarkdownPage::path, page -> page));
    Deque<Path> ahead = new ArrayDeque<>(List.of(Path.of("README.md")));
    while (!ahead.isEmpty()) {
      MarkdownPage page = unreached.remove(ahead.remove());
      if (page != null) {
        page.links().stream()
            .filter(link -> !link.contains(":"))
            .map(link -> Pages.target(page, link))
            .forEach(ahead::add);
      }
    }
    return List.copyOf(unreached.keySet());
  }

  @Test
  void should_name_anchors_as_a_code_host_does() {
    MarkdownPage page =
        new MarkdownPage(
            Path.of("a.md"), "## results.json, of the `lab`\n## A [link](b.md) 0.8 ms\n## A\n## A");
    assertThat(page.anchors())
        .containsExactlyInAnyOrder("resultsjson-of-the-lab", "a-link-08-ms", "a", "a-1");
  }

  @Test
  void should_write_pages_whose_links_and_pictures_are_there() throws IOException {
    new Site(PROJECT, folder).writePages();
    assertThat(folder.resolve("index.html"))
        .content()
        .contains("href=\"docs/driver/index.html\"", "<td>", "src=\"docs/figures/fluctuation.svg\"")
        .doesNotContain(".md\"", ".md#");
    assertThat(folder.resolve("docs/figures/fluctuation.svg")).exists();
    assertThat(folder.resolve("packaging/container/index.html")).exists();
    assertThat(linksToNothing()).isEmpty();
    assertThat(folder.resolve("docs/server/index.html"))
        .content()
        .contains("href=\"../../site.css\"", "configure.html");
  }

  @Test
  void should_refuse_a_site_with_a_broken_link() throws IOException {
    write("README.md", "[x](gone.md)");
    write("docs/a.md", "# A");
    assertThatThrownBy(() -> new Site(folder, folder.resolve("out")).writePages())
        .hasMessageContaining("README.md: gone.md");
  }

  /** But for the Javadoc, which is not written here. */
  private List<String> linksToNothing() throws IOException {
    Pattern links = Pattern.compile("(?:href|src)=\"((?!http|mailto)[^\"#]+)");
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".html"))
          .flatMap(
              page ->
                  links
                      .matcher(read(page))
                      .results()
                      .map(link -> page.resolveSibling(link.group(1)).normalize()))
          .filter(file -> !file.startsWith(folder.resolve("api")) && !Files.exists(file))
          .map(Path::toString)
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
