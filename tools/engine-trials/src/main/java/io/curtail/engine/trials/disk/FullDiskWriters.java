/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.io.FSWriteError;

/**
 * Writers that do not stop while their writes are refused, and that wait for no timeout. Runs in
 * the node; {@code NodeProcess} calls it.
 */
public final class FullDiskWriters {
  private static final long PAUSE_MILLIS = 2;

  private static final List<Thread> THREADS = new ArrayList<>();
  private static final AtomicLong REFUSED = new AtomicLong();
  private static volatile boolean isOver;

  private FullDiskWriters() {}

  /**
   * Begins to write: each thread one row after the other, as fast as it can, so that writers wait
   * for RocksDB when the disk is full; then the same small row again and again.
   *
   * @param name of the tables, without their numbers
   * @param letters of a row, before the disk is full
   */
  public static void start(String name, String tables, String threads, String letters) {
    int all = Integer.parseInt(threads);
    for (int i = 1; i <= all; i++) {
      int first = i;
      String table = name + i % Integer.parseInt(tables);
      Thread thread =
          new Thread(() -> write(table, first, all, Integer.parseInt(letters)), "full-disk-" + i);
      THREADS.add(thread);
      thread.start();
    }
  }

  private static void write(String table, int first, int step, int letters) {
    String insert = "INSERT INTO " + table + " (k, v) VALUES (%d, '%s')";
    try {
      for (int key = first; !isOver && REFUSED.get() == 0; key += step) {
        QueryProcessor.executeInternal(String.format(insert, -key, Letters.of(key, letters)));
      }
    } catch (FSWriteError e) {
      REFUSED.incrementAndGet();
    }
    writeAgain(String.format(insert, -first, "small"));
  }

  private static void writeAgain(String insert) {
    try {
      while (!isOver) {
        try {
          QueryProcessor.executeInternal(insert);
        } catch (FSWriteError e) {
          REFUSED.incrementAndGet();
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends them; how many writes were refused. */
  public static String stop() throws InterruptedException {
    isOver = true;
    for (Thread thread : THREADS) {
      thread.join();
    }
    return Long.toString(REFUSED.get());
  }
}
