/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A node whose standard input is CQL, one statement a line; {@link NodeProcess} is the other end.
 *
 * <p>Instead of CQL, {@code PAGES n query} reads a query's rows in pages of n, and {@code CALL
 * class method argument...} calls a public static method with strings, encoded as in a URL, whose
 * result, if any, is the one row.
 *
 * <p>An answer is the rows, one a line after {@code "| "}, then {@code OK} or {@code ERROR
 * message}. When its input ends, so does the node, at once, though it still starts or works.
 */
public final class NodeMain {
  private static final int MOST_TRIES = 1_000;

  private NodeMain() {}

  /**
   * Starts the node in the directory named by the first argument; its files are there already.
   *
   * @param arguments also where its libraries unpack native code, which goes with it
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    PrintStream answers = System.out;
    System.setOut(System.err);
    Files.createDirectories(Path.of(arguments[1]));
    BlockingQueue<String> statements = new LinkedBlockingQueue<>();
    Thread input = new Thread(() -> read(statements, Path.of(arguments[1])), "input");
    input.setDaemon(true);
    input.start();
    EmbeddedNode node;
    try {
      node = EmbeddedNode.startConfigured(new NodeSettings(Path.of(arguments[0])));
    } catch (Throwable t) {
      t.printStackTrace();
      answers.println("REFUSED " + oneLine(t));
      answers.flush();
      Runtime.getRuntime().halt(3);
      return;
    }
    answers.println("READY");
    answers.flush();
    while (true) {
      answer(node, statements.take(), answers);
      answers.flush();
    }
  }

  /** Until the input ends, or breaks, and the node with it. */
  private static void read(BlockingQueue<String> statements, Path unpacked) {
    try {
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
          .lines()
          .forEach(statements::add);
    } finally {
      die(unpacked);
    }
  }

  /** As one that is killed, but for what its libraries unpacked, which one may do just now. */
  private static void die(Path unpacked) {
    try {
      int tries = 0;
      while (!isDeleted(unpacked) && tries < MOST_TRIES) {
        tries++;
      }
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  private static boolean isDeleted(Path folder) {
    try {
      UnpackedLibraries.delete(folder);
      return true;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private static void answer(EmbeddedNode node, String statement, PrintStream answers) {
    try {
      List<String> rows = rows(node, statement);
      rows.forEach(row -> answers.println("| " + row.replace('\n', ' ')));
      answers.println("OK");
    } catch (Throwable t) {
      t.printStackTrace();
      answers.println("ERROR " + oneLine(t));
    }
  }

  private static List<String> rows(EmbeddedNode node, String statement) throws Throwable {
    if (statement.startsWith("PAGES ")) {
      String[] words = statement.split(" ", 3);
      return node.rows(words[2], Integer.parseInt(words[1]));
    }
    return statement.startsWith("CALL ") ? call(statement) : node.rows(statement);
  }

  static List<String> call(String statement) throws Throwable {
    String[] words = statement.split(" ", -1);
    String[] arguments =
        Arrays.stream(words, 3, words.length)
            .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
            .toArray(String[]::new);
    Class<?>[] types = new Class<?>[arguments.length];
    Arrays.fill(types, String.class);
    try {
      Object result =
          Class.forName(words[1]).getMethod(words[2], types).invoke(null, (Object[]) arguments);
      return result == null ? List.of() : List.of(result.toString());
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static String oneLine(Throwable t) {
    Throwable root = t;
    StringBuilder text = new StringBuilder(t.toString());
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
      text.append(" <- ").append(root);
    }
    return text.toString().replace('\n', ' ');
  }
}
