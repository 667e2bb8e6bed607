/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The project's Markdown pages: those at its top, and all under {@code docs}. */
public final class Pages {
  private final Path project;
  private final Map<Path, MarkdownPage> pages = new TreeMap<>();

  private Pages(Path project) {
    this.project = project;
  }

  public static Pages of(Path project) throws IOException {
    Pages pages = new Pages(project);
    try (Stream<Path> top = Files.list(project);
        Stream<Path> docs = Files.walk(project.resolve("docs"))) {
      for (Path file : Stream.concat(top, docs).filter(Pages::isMarkdown).toList()) {
        Path path = project.relativize(file);
        pages.pages.put(path, new MarkdownPage(path, Files.readString(file)));
      }
    }
    return pages;
  }

  private static boolean isMarkdown(Path file) {
    return file.toString().endsWith(".md");
  }

  public List<MarkdownPage> all() {
    return List.copyOf(pages.values());
  }

  /** Links within the project to a file or a heading that is not there: "page: link". */
  public List<String> brokenLinks() {
    List<String> broken = new ArrayList<>();
    for (MarkdownPage page : pages.values()) {
      for (String link : page.links()) {
        if (!link.contains(":") && !leadsSomewhere(page, link)) {
          broken.add(page.path() + ": " + link);
        }
      }
    }
    return broken;
  }

  private boolean leadsSomewhere(MarkdownPage page, String link) {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? page.path() : page.path().resolveSibling(file).normalize();
    if (!Files.exists(project.resolve(target))) {
      return false;
    }
    MarkdownPage targetPage = pages.get(target);
    return hash < 0
        || (targetPage != null && targetPage.anchors().contains(link.substring(hash + 1)));
  }
}
