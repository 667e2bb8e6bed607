/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import io.curtail.engine.trials.crash.CrashCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** What is known of a partition of the table that is purged. Not thread-safe. */
final class PurgedPartition {
  static final int ROWS = 12;

  private static final int WAYS = 4;

  /**
   * What is known of a row: nothing of one that was not answered, is being deleted, or may rise.
   */
  private enum Row {
    UNKNOWN,
    WRITTEN,
    DELETING,
    DELETED
  }

  private final int number;
  private final int ringChanges;
  private final Row[] rows = new Row[ROWS + 1];
  private final List<String> history = new ArrayList<>();
  private boolean mayRise;

  /**
   * One statement that deletes.
   *
   * @param rows that it takes, if they are there
   */
  record Deletion(String statement, List<Integer> rows) {}

  /**
   * @param ringChanges how often the ring had changed when it was begun
   */
  PurgedPartition(int number, int ringChanges) {
    this.number = number;
    this.ringChanges = ringChanges;
    Arrays.fill(rows, Row.UNKNOWN);
  }

  String insert(int n) {
    return "INSERT INTO crash.purged (p, n, v) VALUES (%d, %d, %d)".formatted(number, n, n);
  }

  /** Nothing, rows, a range of them or all: by the number. */
  List<Deletion> deletions() {
    String all = "DELETE FROM crash.purged WHERE p = " + number;
    return switch (number % WAYS) {
      case 0 -> List.of();
      case 1 ->
          IntStream.iterate(1, n -> n <= ROWS, n -> n + 3)
              .mapToObj(n -> new Deletion(all + " AND n = " + n, List.of(n)))
              .toList();
      case 2 -> List.of(new Deletion(all + " AND n <= 7", upTo(7)));
      default -> List.of(new Deletion(all, upTo(ROWS)));
    };
  }

  private static List<Integer> upTo(int last) {
    return IntStream.rangeClosed(1, last).boxed().toList();
  }

  /** Notes that a row was answered by each replica. */
  void isThere(int n) {
    rows[n] = Row.WRITTEN;
  }

  /** Notes that a deletion is tried: its rows may be there or not. */
  void mayBeDeleted(Deletion deletion) {
    change(deletion, Row.WRITTEN, Row.DELETING);
  }

  /** Notes that a deletion was answered by each replica. */
  void isDeleted(Deletion deletion) {
    history.add(Violations.now() + " at ALL: " + deletion.statement());
    change(deletion, Row.DELETING, mayRise ? Row.UNKNOWN : Row.DELETED);
  }

  private void change(Deletion deletion, Row from, Row to) {
    for (int n : deletion.rows()) {
      if (rows[n] == from) {
        rows[n] = to;
      }
    }
  }

  /** How many rows are known to be deleted. */
  int deleted() {
    return (int) Arrays.stream(rows).filter(Row.DELETED::equals).count();
  }

  /** Its deleted rows may rise if it was begun before the ring had changed so often. */
  void mayRiseBefore(int changes) {
    if (ringChanges < changes) {
      mayRise = true;
      Arrays.setAll(rows, n -> rows[n] == Row.DELETED ? Row.UNKNOWN : rows[n]);
    }
  }

  /** What is there of it. */
  List<String> read(CrashCheck.Query reader) throws IOException {
    return reader.rows("SELECT n FROM crash.purged WHERE p = " + number);
  }

  /** What is wrong; null if all known rows are there that should be, and no other known ones. */
  String wrong(List<String> found) {
    for (int n = 1; n <= ROWS; n++) {
      boolean isFound = found.contains("n=" + n);
      if (rows[n] == Row.DELETED && isFound) {
        return "partition " + number + " of purged: row " + n + " is back";
      }
      if (rows[n] == Row.WRITTEN && !isFound) {
        return "partition " + number + " of purged: row " + n + " is lost";
      }
    }
    return null;
  }

  /** The deletions, each with its time. */
  List<String> history() {
    return List.copyOf(history);
  }
}
