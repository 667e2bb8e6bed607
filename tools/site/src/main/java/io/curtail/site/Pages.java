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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The project's Markdown pages: those at its top, and all under {@code docs} and {@code packaging}.
 */
public final class Pages {
  private final Path project;
  private final Map<Path, MarkdownPage> pages = new TreeMap<>();

  private Pages(Path project) {
    this.project = project;
  }

  public static Pages of(Path project) throws IOException {
    Pages pages = new Pages(project);
    pages.add(project, 1);
    pages.add(project.resolve("docs"), Integer.MAX_VALUE);
    pages.add(project.resolve("packaging"), Integer.MAX_VALUE);
    return pages;
  }

  private void add(Path folder, int depth) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder, depth)) {
      for (Path file : files.filter(Pages::isMarkdown).toList()) {
        Path path = project.relativize(file);
        pages.put(path, new MarkdownPage(path, Files.readString(file)));
      }
    }
  }

  private static boolean isMarkdown(Path file) {
    return file.toString().endsWith(".md");
  }

  public List<MarkdownPage> all() {
    return List.copyOf(pages.values());
  }

  /** Files of the project that are no pages, such as figures, and that pages link to. */
  Set<Path> linkedFiles() {
    Set<Path> files = new TreeSet<>();
    for (MarkdownPage page : pages.values()) {
      for (String link : page.links()) {
        if (!link.contains(":")) {
          Path file = target(page, link);
          if (!isMarkdown(file) && Files.isRegularFile(project.resolve(file))) {
            files.add(file);
          }
        }
      }
    }
    return files;
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
    Path target = target(page, link);
    if (!Files.exists(project.resolve(target))) {
      return false;
    }
    MarkdownPage targetPage = pages.get(target);
    return hash < 0
        || (targetPage != null && targetPage.anchors().contains(link.substring(hash + 1)));
  }

  /** Where a link within the project leads, from its top. */
  static Path target(MarkdownPage page, String link) {
    String file = link.replaceFirst("#.*", "");
    return file.isEmpty() ? page.path() : page.path().resolveSibling(file).normalize();
  }
}
