/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
  private final Table table =
      new Table(1, "policy", "p99").row("stock", "12.1 ms").row("curtail <b>", "3 ms");

  @Test
  void should_align_words_left_and_numbers_right_when_printed() {
    assertThat(table.toText())
        .isEqualTo(
            """
            policy           p99
            ───────────  ───────
            stock        12.1 ms
            curtail <b>     3 ms
            """);
  }

  @Test
  void should_escape_cells_when_on_a_page() {
    assertThat(table.toHtml()).contains("<td>curtail &lt;b&gt;</td>");
  }

  @Test
  void should_keep_a_number_and_its_unit_in_one_line_when_on_a_page() {
    String html = new Table(1, "arm", "lost").row("at 3 ms", "24.7 %").row("b", "1 s").toHtml();
    assertThat(html).contains(">24.7\u00a0%<", ">1\u00a0s<", "<td>at 3 ms<");
  }

  @Test
  void should_refuse_a_row_when_a_cell_is_missing() {
    assertThatThrownBy(() -> table.row("only one")).hasMessageContaining("1 cells");
  }

  @Test
  void should_align_the_last_column_as_words_if_it_holds_words() {
    Table words = new Table(1, "act", "p99", "seen").row("a", "12 ms", "less").endingInWords();
    words.row("b", "3 ms", "no more");
    assertThat(words.toText()).contains("12 ms  less\n").contains(" 3 ms  no more\n");
    assertThat(words.toHtml()).contains("<td>less</td>", "<td class=\"number\">3");
  }
}
