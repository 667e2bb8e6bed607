/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class PageTest {
  private static final Pattern SVG = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL);

  @Test
  void should_need_no_network() throws Exception {
    Path file = Files.createDirectories(Path.of("target")).resolve("gallery.html");
    new Gallery().page().write(file);
    String html = Files.readString(file).replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assertThat(html)
        .doesNotContain("http:", "https:", "src=", "@import", "url(")
        .contains("&lt;markup&gt; &amp; entities");
  }

  @Test
  void should_draw_well_formed_svg_without_nan() throws Exception {
    Matcher pictures = SVG.matcher(new Gallery().page().toHtml());
    int count = 0;
    while (pictures.find()) {
      assertWellFormed(pictures.group());
      assertThat(pictures.group()).doesNotContain("NaN").doesNotContain("Infinity");
      count++;
    }
    assertThat(count).isEqualTo(8);
  }

  @Test
  void should_draw_the_same_twice() {
    assertThat(new Gallery().page().toHtml()).isEqualTo(new Gallery().page().toHtml());
  }

  @Test
  void should_write_a_figure_that_stands_alone() throws Exception {
    Path file = Files.createDirectories(Path.of("target")).resolve("figure.svg");
    Figure.write(file, new Gallery().overTime(), 820);
    String svg = Files.readString(file);
    assertWellFormed(svg);
    assertThat(svg).contains("p99 over time", "prefers-color-scheme: dark", "node 2 paused");
  }

  @Test
  void should_leave_a_gap_where_a_value_is_missing() {
    String svg = new Gallery().overTime().svg(800);
    String curtail = svg.substring(svg.indexOf("data-name=\"curtail\""));
    String path = curtail.substring(curtail.indexOf(" d=\"") + 4);
    assertThat(path.substring(0, path.indexOf('"')).chars().filter(c -> c == 'M')).hasSize(2);
  }

  private static void assertWellFormed(String xml) throws Exception {
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }
}
