/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** One Markdown page, parsed. Its anchors are named as a code host names them. */
public final class MarkdownPage {
  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

  private final Path path;
  private final Node document;

  /** The path is relative to the project, and tells what the page's links are relative to. */
  public MarkdownPage(Path path, String markdown) {
    this.path = path;
    this.document = PARSER.parse(markdown);
  }

  public Path path() {
    return path;
  }

  /** The first heading, or the file's name. */
  String title() {
    List<String> headings = headings();
    return headings.isEmpty() ? path.getFileName().toString() : headings.get(0);
  }

  Set<String> anchors() {
    IdGenerator generator = IdGenerator.builder().build();
    Set<String> anchors = new HashSet<>();
    headings().forEach(heading -> anchors.add(generator.generateId(heading)));
    return anchors;
  }

  /** Destinations of links and pictures, as written. */
  List<String> links() {
    List<String> links = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Link link) {
            links.add(link.getDestination());
            visitChildren(link);
          }

          @Override
          public void visit(Image image) {
            links.add(image.getDestination());
          }
        });
    return links;
  }

  /** What stands in code, in the text and in blocks, each as written. */
  public List<String> code() {
    List<String> code = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Code inline) {
            code.add(inline.getLiteral());
          }

          @Override
          public void visit(FencedCodeBlock block) {
            code.add(block.getLiteral());
          }

          @Override
          public void visit(IndentedCodeBlock block) {
            code.add(block.getLiteral());
          }
        });
    return code;
  }

  /** The body of the page, its links to pages pointing at their HTML. */
  String html() {
    return HtmlRenderer.builder()
        .extensions(EXTENSIONS)
        .attributeProviderFactory(
            context ->
                (node, tag, attributes) -> {
                  if (node instanceof Link) {
                    attributes.computeIfPresent("href", (name, to) -> htmlName(to));
                  }
                })
        .build()
        .render(document);
  }

  /** A path of a Markdown file as it is in the site; anything else as it is. */
  static String htmlName(String path) {
    return path.contains(":")
        ? path
        : path.replaceFirst("(^|/)README\\.md(?=#|$)", "$1index.html")
            .replaceFirst("\\.md(?=#|$)", ".html");
  }

  private List<String> headings() {
    List<String> headings = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            headings.add(text(heading));
          }
        });
    return headings;
  }

  private static String text(Node node) {
    StringBuilder text = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text part) {
            text.append(part.getLiteral());
          }

          @Override
          public void visit(Code code) {
            text.append(code.getLiteral());
          }

          @Override
          public void visit(SoftLineBreak lineBreak) {
            text.append(' ');
          }
        });
    return text.toString();
  }
}
