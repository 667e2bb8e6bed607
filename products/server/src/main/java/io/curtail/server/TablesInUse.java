/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables of this node that are read, and what their reads came to between two counts. A sum
 * over all tables would cost more the more there are. Not thread-safe.
 */
final class TablesInUse {
  /** A table that nobody read for longer is not counted. */
  private static final long READ_LATELY_NANOS = 60_000_000_000L;

  /** So long after the last search, as after mode off, is late. */
  private static final long LATE_NANOS = 5_000_000_000L;

  private final Host host;
  private final ReadKind kind;
  private Map<TableReads, LastRead> tables = new HashMap<>();
  private final List<TableReads> readLately = new ArrayList<>();
  private long lateNotBeforeNanos;
  private long allReads;
  private long allMicros;
  private long reads;
  private long micros;

  TablesInUse(Host host, ReadKind kind) {
    this.host = host;
    this.kind = kind;
    lateNotBeforeNanos = host.nanoTime();
  }

  /** Finds them if nobody did for five seconds. */
  void findIfLate(long nowNanos) {
    if (nowNanos - lateNotBeforeNanos >= 0) {
      find(nowNanos);
    }
  }

  /**
   * Finds them. What was read since the last count is not counted: neither of tables that were
   * found before nor of new ones.
   */
  void find(long nowNanos) {
    lateNotBeforeNanos = nowNanos + LATE_NANOS;
    Map<TableReads, LastRead> found = new HashMap<>();
    readLately.clear();
    for (TableReads table : host.tables(kind)) {
      LastRead last = LastRead.of(table.count(), tables.get(table), nowNanos);
      found.put(table, last);
      if (last.count > 0 && nowNanos - last.atNanos < READ_LATELY_NANOS) {
        readLately.add(table);
      }
    }
    tables = found;
    count();
  }

  /** Counts what was read since the last count or search. */
  void count() {
    long readsBefore = allReads;
    long microsBefore = allMicros;
    allReads = 0;
    allMicros = 0;
    for (int i = 0; i < readLately.size(); i++) {
      allReads += readLately.get(i).count();
      allMicros += readLately.get(i).micros();
    }
    reads = allReads - readsBefore;
    micros = Math.max(0, allMicros - microsBefore);
  }

  /** Returns how many reads the last count found. */
  long reads() {
    return reads;
  }

  /** Returns how long those took, in all. */
  long nanos() {
    return 1000 * micros;
  }

  /** How many reads a table had when last looked at, and when that number last changed. */
  private static final class LastRead {
    final long count;
    final long atNanos;

    private LastRead(long count, long atNanos) {
      this.count = count;
      this.atNanos = atNanos;
    }

    static LastRead of(long count, LastRead before, long nowNanos) {
      return before != null && before.count == count ? before : new LastRead(count, nowNanos);
    }
  }
}
