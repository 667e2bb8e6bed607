/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.site;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/** Writes the site. Files of an earlier site are replaced. */
public record Site(Path project, Path out) {
  private static final List<String> PRODUCTS = List.of("selection", "driver", "server", "engine");

  /**
   * Writes all pages, and the figures and files that they link to.
   *
   * @throws IllegalStateException if a link leads nowhere
   */
  public void writePages() throws IOException {
    Pages pages = Pages.of(project);
    List<String> broken = pages.brokenLinks();
    if (!broken.isEmpty()) {
      throw new IllegalStateException("links that lead nowhere: " + String.join(", ", broken));
    }
    String template = resource("page.html");
    for (MarkdownPage page : pages.all()) {
      Path file = out.resolve(MarkdownPage.htmlName(page.path().toString()));
      Files.createDirectories(file.getParent());
      Files.writeString(file, fill(template, page));
    }
    Files.writeString(out.resolve("site.css"), resource("site.css"));
    for (Path file : pages.linkedFiles()) {
      copy(file);
    }
  }

  /**
   * Writes the Javadoc of each product to {@code api/PRODUCT}.
   *
   * @param classPath what the products are compiled against
   * @throws IOException if {@code javadoc} fails, with what it said
   */
  public void writeJavadoc(List<Path> classPath) throws IOException {
    ToolProvider javadoc =
        ToolProvider.findFirst("javadoc")
            .orElseThrow(() -> new IOException("no javadoc: a JDK is needed, not a JRE"));
    String path =
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    for (String product : PRODUCTS) {
      Path sources = project.resolve("products").resolve(product).resolve("src/main");
      StringWriter said = new StringWriter();
      PrintWriter words = new PrintWriter(said);
      int exitCode =
          javadoc.run(
              words,
              words,
              "-quiet",
              "-Xdoclint:none",
              "--ignore-source-errors",
              "-notimestamp",
              "-encoding",
              "UTF-8",
              "-windowtitle",
              "curtail-" + product,
              "-classpath",
              path,
              "-sourcepath",
              sources.resolve("java") + File.pathSeparator + sources.resolve("cassandra-5.0"),
              "-subpackages",
              "io.curtail." + product,
              "-d",
              out.resolve("api").resolve(product).toString());
      if (exitCode != 0) {
        throw new IOException("javadoc of " + product + " failed: " + said);
      }
    }
  }

  private static String fill(String template, MarkdownPage page) {
    String up = "../".repeat(page.path().getNameCount() - 1);
    return template
        .replace("{title}", page.title().replace("&", "&amp;").replace("<", "&lt;"))
        .replace("{up}", up)
        .replace("{body}", page.html());
  }

  private void copy(Path file) throws IOException {
    Path target = out.resolve(file);
    Files.createDirectories(target.getParent());
    Files.copy(project.resolve(file), target, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Site.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
