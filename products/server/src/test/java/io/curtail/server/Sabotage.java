/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A class of the plug-in that does it harm, for the class path of a node, before the jar. */
final class Sabotage {
  private Sabotage() {}

  /** Throws wherever this node encodes or reads feedback. */
  static Path ofFeedback(Path directory) throws IOException {
    String thrown = "throw new IllegalStateException(\"sabotage\");";
    return compile(
        directory,
        "io.curtail.selection",
        "FeedbackCodec",
        "public final class FeedbackCodec { public static byte[] encode(Feedback feedback) {"
            + thrown
            + "} public static Feedback decode(byte[] bytes) {"
            + thrown
            + "} }");
  }

  /** Throws wherever this node ranks or sends. */
  static Path ofRanking(Path directory) throws IOException {
    return before(directory, "RequestContext", "    if (current != request");
  }

  /** Throws wherever this node reads a route. */
  static Path ofCarriers(Path directory) throws IOException {
    return before(directory, "CarrierCodec", "    ByteBuffer in = start(bytes);\n    int place");
  }

  /** Gives no read back, and does not keep it either, as if each such message were lost. */
  static Path ofReturns(Path directory) throws IOException {
    return before(
        directory,
        "Cassandra50CarriedArrivals",
        "    // Not under the read's id",
        "    if (true) return;\n");
  }

  private static Path before(Path directory, String name, String line) throws IOException {
    String thrown = "    if (true) throw new LinkageError(\"sabotage\");\n";
    return before(directory, name, line, thrown);
  }

  /** A class of the server as it is, but for what it does before one of its lines. */
  private static Path before(Path directory, String name, String line, String done)
      throws IOException {
    String source = Files.readString(Path.of("src/main/java/io/curtail/server/" + name + ".java"));
    if (!source.contains(line)) {
      throw new IllegalStateException(name + " has no " + line);
    }
    return compile(
        directory,
        "io.curtail.server",
        name,
        source.substring(source.indexOf("import ")).replace(line, done + line));
  }

  private static Path compile(Path directory, String in, String name, String body)
      throws IOException {
    Path source = directory.resolve("source").resolve(name + ".java");
    Path classes = directory.resolve("classes");
    Files.createDirectories(source.getParent());
    Files.createDirectories(classes);
    Files.writeString(source, "package " + in + ";\n" + body);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  null,
                  files,
                  null,
                  List.of(
                      "--release",
                      "11",
                      "-proc:none",
                      "-cp",
                      System.getProperty("java.class.path"),
                      "-d",
                      classes.toString()),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      if (!compiled) {
        throw new IllegalStateException("the sabotaged " + name + " does not compile");
      }
    }
    return classes;
  }
}
