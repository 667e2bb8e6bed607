/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Writes ever higher values of one key at QUORUM and reads it many times at once beside each write,
 * through all nodes: a read at QUORUM must not see less than what was written before it began, none
 * may see more than what is being written, nor a value of another key. Remembers the first that
 * failed.
 */
final class WrittenValues implements AutoCloseable {
  private static final int READS = 12;
  private static final int VALUES_OF_A_KEY = 10_000_000;
  private static final long AGAIN_MILLIS = 200;

  /** Between two writes, or the two loops would keep a processor from all other tests. */
  private static final long REST_MILLIS = 20;

  private final CqlSession session;
  private final PluggedCluster cluster;
  private final PreparedStatement write;
  private final PreparedStatement read;
  private final ConsistencyLevel level;
  private final int key;
  private final boolean mayFail;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final BackgroundTask task;

  /** Each read and write must succeed. */
  WrittenValues(PluggedCluster cluster, ConsistencyLevel level, int key) {
    this(cluster, level, key, false);
  }

  /**
   * @param mayFail whether a read may end with an error, and a write is then tried again; without
   *     an end neither may be
   */
  WrittenValues(PluggedCluster cluster, ConsistencyLevel level, int key, boolean mayFail) {
    this.cluster = cluster;
    this.session = cluster.session();
    this.level = level;
    this.key = key;
    this.mayFail = mayFail;
    write = session.prepare("INSERT INTO ks.written (key, value) VALUES (?, ?)");
    read = session.prepare("SELECT value FROM ks.written WHERE key = ?");
    session.execute(write.bind(key, value(0)).setConsistencyLevel(ConsistencyLevel.ALL));
    task = new BackgroundTask("reads of written values at " + level, this::run);
  }

  private int value(int number) {
    return key * VALUES_OF_A_KEY + number;
  }

  private void write(int number) throws InterruptedException {
    while (true) {
      try {
        session.execute(
            write.bind(key, value(number)).setConsistencyLevel(ConsistencyLevel.QUORUM));
        return;
      } catch (DriverException e) {
        count(e);
        Thread.sleep(AGAIN_MILLIS);
      }
    }
  }

  private void run(BooleanSupplier stopped) throws Exception {
    int nodes = cluster.cluster().nodes().size();
    for (int number = 1; !stopped.getAsBoolean(); number++) {
      List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
      for (int i = 0; i < READS; i++) {
        answers.add(
            session.executeAsync(
                read.bind(key)
                    .setConsistencyLevel(level)
                    .setNode(cluster.driverNode(1 + i % nodes))));
      }
      write(number);
      for (CompletionStage<AsyncResultSet> answer : answers) {
        try {
          check(answer.toCompletableFuture().get().one(), number);
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof DriverException)) {
            throw e;
          }
          count((DriverException) e.getCause());
        }
      }
      Thread.sleep(REST_MILLIS);
    }
  }

  /** The nodes give up long before the driver does: if it has to, an answer was lost. */
  private void count(DriverException error) {
    if (!mayFail || error instanceof DriverTimeoutException) {
      throw error;
    }
    errors.incrementAndGet();
  }

  private void check(Row row, int number) {
    int least = level == ConsistencyLevel.ONE ? value(0) : value(number - 1);
    if (row == null || row.getInt("value") < least || row.getInt("value") > value(number)) {
      String seen = row == null ? "no row" : String.valueOf(row.getInt("value"));
      throw new AssertionError("read " + seen + " while " + value(number) + " was written");
    }
    reads.incrementAndGet();
  }

  /** How many reads were right. */
  long reads() {
    return reads.get();
  }

  /** How many reads and writes ended with an error. */
  long errors() {
    return errors.get();
  }

  boolean hasFailed() {
    return task.hasFailed();
  }

  /** Waits until so many more reads were right. */
  void awaitMore(long more) {
    long before = reads.get();
    await(() -> task.hasFailed() || reads.get() - before >= more);
  }

  /** Throws what went wrong, if something did. */
  @Override
  public void close() {
    task.close();
  }
}
