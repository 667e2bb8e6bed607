/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.crash;

import io.curtail.engine.trials.NodeCommands;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table of a trial that is so large that it moves out in the background: filled once, then its
 * rows are changed and deleted by numbered operations, of which only the last can be unanswered
 * when the node dies.
 */
public final class CrashLarge {
  static final String TABLE = "large";

  private static final int ROWS = 6_000;
  private static final int PADDING_BYTES = 2_000;
  private static final int WRITERS = 32;

  /** Operations of one life; a life has less. */
  private static final int MOST_A_LIFE = 1_000_000;

  /** Next to the rows of the operation before, and of none soon. */
  private static final int STEP = 1_009;

  private static final Pattern COLUMNS = Pattern.compile("p=(\\d+), v=(\\d+)");
  private static final int DELETED = -1;
  private static final Set<Integer> UNCHANGED = Set.of(0);
  private static final List<String> NONE = List.of();

  private CrashLarge() {}

  static String creation() {
    return "CREATE TABLE IF NOT EXISTS crash.large (p int PRIMARY KEY, v int, padding text) WITH"
        + " memtable = 'rocksdb'";
  }

  /** Writes all rows, many at once, as each waits for the log to be synced. */
  public static void fill() throws ExecutionException, InterruptedException {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> rows = new ArrayList<>();
      for (int p = 0; p < ROWS; p++) {
        int row = p;
        rows.add(writers.submit(() -> insert(row)));
      }
      for (Future<?> row : rows) {
        row.get();
      }
    } finally {
      writers.shutdown();
    }
  }

  /** Text that hardly compresses. */
  private static void insert(int p) {
    StringBuilder padding = new StringBuilder();
    new Random(p).ints(PADDING_BYTES, 'a', 'z').forEach(c -> padding.append((char) c));
    NodeCommands.cql(
        "INSERT INTO crash.large (p, v, padding) VALUES (" + p + ", 0, '" + padding + "')");
  }

  /**
   * Starts a thread that changes rows until the node is killed.
   *
   * @param notes a file to which it adds a line for each operation that was answered
   * @param life counted from zero
   */
  public static void start(String notes, String life) {
    int first = Integer.parseInt(life) * MOST_A_LIFE;
    Thread thread = new Thread(() -> change(Path.of(notes), first), "writer-large");
    thread.setDaemon(true);
    thread.start();
  }

  private static void change(Path file, int first) {
    try (FileOutputStream notes = new FileOutputStream(file.toFile())) {
      for (int n = first + 1; ; n++) {
        NodeCommands.cql(
            deletes(n)
                ? "DELETE FROM crash.large WHERE p = " + row(n)
                : "UPDATE crash.large SET v = " + n + " WHERE p = " + row(n));
        notes.write((n + "\n").getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int row(int n) {
    return (int) ((long) n * STEP % ROWS);
  }

  private static boolean deletes(int n) {
    return n % 3 == 0;
  }

  /**
   * Compares the table with what was answered.
   *
   * @param notes the files of all lives, in their order
   * @return what is wrong; null if nothing
   */
  static String wrong(CrashCheck.Query node, List<Path> notes) throws IOException {
    Map<Integer, Set<Integer>> allowed = new HashMap<>();
    for (int life = 0; life < notes.size(); life++) {
      int last = life * MOST_A_LIFE;
      for (String line :
          Files.exists(notes.get(life)) ? Files.readAllLines(notes.get(life)) : NONE) {
        last = Integer.parseInt(line);
        allowed.put(row(last), new HashSet<>(Set.of(value(last))));
      }
      allowed.computeIfAbsent(row(last + 1), p -> new HashSet<>(UNCHANGED)).add(value(last + 1));
    }
    Map<Integer, Integer> values = values(node);
    for (int p = 0; p < ROWS; p++) {
      int value = values.getOrDefault(p, DELETED);
      if (!allowed.getOrDefault(p, UNCHANGED).contains(value)) {
        return "row " + p + " of " + TABLE + " is " + value + ", not of " + allowed.get(p);
      }
    }
    return null;
  }

  private static int value(int n) {
    return deletes(n) ? DELETED : n;
  }

  private static Map<Integer, Integer> values(CrashCheck.Query node) throws IOException {
    Map<Integer, Integer> values = new HashMap<>();
    for (String row : node.rows("SELECT p, v FROM crash." + TABLE)) {
      Matcher columns = COLUMNS.matcher(row);
      if (!columns.matches()) {
        throw new IllegalStateException(row);
      }
      values.put(Integer.parseInt(columns.group(1)), Integer.parseInt(columns.group(2)));
    }
    return values;
  }
}
