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
import org.junit.jupiter.api.Test;

/** Tables are looked up, not read: a cell is a phrase. */
class TableCellsTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();

  /** Notes are true of their day and not kept up. */
  private static final Path NOTES = Path.of("docs/notes");

  private static final int LONGEST = 95;

  @Test
  void should_have_no_cell_longer_than_a_phrase() throws IOException {
    List<String> cells = new ArrayList<>();
    for (MarkdownPage page : Pages.of(PROJECT).all()) {
      if (!page.path().startsWith(NOTES)) {
        cells.addAll(cells(page.path()));
      }
    }
    assertThat(cells).hasSizeGreaterThan(500);
    assertThat(cells).filteredOn(cell -> cell.length() > LONGEST).isEmpty();
  }

  /** As a reader sees them: without the addresses of links and without marks. */
  private static List<String> cells(Path page) throws IOException {
    List<String> cells = new ArrayList<>();
    boolean code = false;
    for (String line : Files.readAllLines(PROJECT.resolve(page))) {
      code ^= line.startsWith("```");
      if (!code && line.startsWith("|")) {
        String seen = line.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").replaceAll("[`*]", "");
        for (String cell : List.of(seen.split("\\|", -1))) {
          cells.add(cell.strip());
        }
      }
    }
    return cells;
  }
}
