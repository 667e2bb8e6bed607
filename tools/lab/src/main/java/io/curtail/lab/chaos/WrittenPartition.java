/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import io.curtail.engine.trials.crash.CrashCheck;
import io.curtail.engine.trials.crash.CrashTables;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What was answered of the operations on a partition; one thread writes it. Thread-safe. */
final class WrittenPartition {
  private static final int REMEMBERED = 12;

  private final int number;
  private final Deque<String> last = new ArrayDeque<>();
  private int answered;
  private int emptied;
  private int emptiedBefore;
  private int uncertainCounts;

  WrittenPartition(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  synchronized void answer(int operation) {
    answered = operation;
    remember(operation + " answered");
  }

  synchronized void fail(int operation, Exception error) {
    if (CrashTables.counts(operation)) {
      uncertainCounts++;
    }
    remember(operation + " not answered: " + error);
  }

  /** Notes that the table whose rows may go is empty now. */
  synchronized void empty() {
    emptiedBefore = emptied;
    emptied = answered;
  }

  /** Takes the last {@link #empty} back: the rows that were there are there again. */
  synchronized void restore() {
    emptied = emptiedBefore;
  }

  synchronized CrashCheck.Known known(boolean mayLackIndexEntries) {
    return new CrashCheck.Known(answered, emptied, uncertainCounts, mayLackIndexEntries);
  }

  /** The operations that were tried last. */
  synchronized List<String> last() {
    return List.copyOf(last);
  }

  private void remember(String line) {
    if (last.size() == REMEMBERED) {
      last.removeFirst();
    }
    last.addLast(Violations.now() + " operation " + line);
  }
}
