/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.crash;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares a partition with what was answered: after a crash, or at any time. */
public final class CrashCheck {
  /** Asks the node; rows as text. */
  public interface Query {
    List<String> rows(String query) throws IOException;
  }

  /**
   * What is known of a partition.
   *
   * @param answered the last operation that was answered; the next may be done or not
   * @param emptied the last operation before {@code wide} was truncated; 0 if it never was
   * @param uncertainCounts how many increments before the next operation were not answered
   * @param mayLackIndexEntries whether the table was in Cassandra's own memtable: Cassandra 5.0
   *     flushes a table and then its index, and replays neither if it dies between
   */
  public record Known(
      int answered, int emptied, int uncertainCounts, boolean mayLackIndexEntries) {}

  private final Query node;
  private final int p;
  private final int answered;
  private final Known known;

  public CrashCheck(Query node, int partition, Known known) {
    this.node = node;
    this.p = partition;
    this.answered = known.answered;
    this.known = known;
  }

  /** What is wrong; null if all that was answered is there and the next operation whole or not. */
  public String run() throws IOException {
    for (String wrong : new String[] {wide(), last(), counted(), indexed()}) {
      if (wrong != null) {
        return "partition " + p + ", " + answered + " operations answered: " + wrong;
      }
    }
    return null;
  }

  private int next() {
    return answered + 1;
  }

  private boolean mayHave(int kind) {
    return next() % CrashTables.KINDS == kind;
  }

  private String wide() throws IOException {
    Map<Integer, Integer> rows = new HashMap<>();
    for (String row : node.rows("SELECT n, v, m FROM crash.wide WHERE p = " + p)) {
      int n = number(row, "n=");
      if (number(row, "v=") != n || !row.contains("m={1: " + n + "}")) {
        return "half a row: " + row;
      }
      rows.merge(n, 1, Integer::sum);
    }
    int deleted = Math.max(CrashTables.lastOfKind(3, answered) - CrashTables.KEPT, known.emptied);
    int nextDeleted = mayHave(3) ? Math.max(next() - CrashTables.KEPT, deleted) : deleted;
    boolean isNextDeleted = false;
    boolean isNextThere = false;
    for (int n = CrashTables.KINDS; n <= next(); n += CrashTables.KINDS) {
      int count = rows.getOrDefault(n, 0);
      if (count != 0 && count != CrashTables.ROWS) {
        return "batch " + n + " has " + count + " rows";
      }
      if (n <= deleted && count != 0) {
        return "batch " + n + " is back";
      } else if (n > nextDeleted && n <= answered && count == 0) {
        return "batch " + n + " is lost";
      } else if (n > deleted && n <= nextDeleted) {
        isNextDeleted |= count == 0;
        isNextThere |= count != 0;
      }
    }
    return isNextDeleted && isNextThere ? "half a range is deleted" : null;
  }

  private String last() throws IOException {
    int expected = CrashTables.lastOfKind(1, answered);
    int value = single("SELECT v FROM crash.last WHERE p = " + p);
    boolean isRight = value == Math.max(expected, 0) || (mayHave(1) && value == next());
    return isRight ? null : "the last value is " + value + ", not " + expected;
  }

  private String counted() throws IOException {
    int expected = (answered + CrashTables.KINDS - 2) / CrashTables.KINDS;
    int value = single("SELECT v FROM crash.counted WHERE p = " + p);
    int most = expected + known.uncertainCounts + (mayHave(2) ? 1 : 0);
    boolean isRight = value >= expected && value <= most;
    return isRight ? null : "the counter is " + value + ", not " + expected + upTo(most, expected);
  }

  private static String upTo(int most, int expected) {
    return most == expected ? "" : " to " + most;
  }

  private String indexed() throws IOException {
    int expected = (answered + 1) / CrashTables.KINDS;
    int count = node.rows("SELECT n FROM crash.indexed WHERE p = " + p).size();
    if (count != expected && !(mayHave(4) && count == expected + 1)) {
      return count + " rows are in the indexed table, not " + expected;
    }
    int newest = CrashTables.lastOfKind(4, next());
    for (int n = newest; n > 0 && n > newest - 10 * CrashTables.KINDS; n -= CrashTables.KINDS) {
      int found =
          node.rows("SELECT n FROM crash.indexed WHERE v = " + CrashTables.indexed(p, n)).size();
      int there = node.rows("SELECT n FROM crash.indexed WHERE p = " + p + " AND n = " + n).size();
      boolean isFoundRight = known.mayLackIndexEntries ? found <= there : found == there;
      if (!isFoundRight || (n <= answered && there != 1)) {
        return "row " + n + ": the index finds " + found + ", the table has " + there;
      }
    }
    return null;
  }

  private int single(String query) throws IOException {
    List<String> rows = node.rows(query);
    return rows.isEmpty() || rows.get(0).endsWith("null") ? 0 : number(rows.get(0), "v=");
  }

  private static int number(String row, String name) {
    int from = row.indexOf(name) + name.length();
    int to = from;
    while (to < row.length() && (Character.isDigit(row.charAt(to)) || row.charAt(to) == '-')) {
      to++;
    }
    return Integer.parseInt(row.substring(from, to));
  }
}
