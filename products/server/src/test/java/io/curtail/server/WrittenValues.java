/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.PluggedCluster.PATIENCE;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Writes ever higher values of one key at QUORUM and reads it many times at once beside each write:
 * a read at QUORUM must not see less than what was written before it began, none may see more than
 * what is being written. Remembers the first that failed.
 */
final class WrittenValues implements AutoCloseable {
  private static final int READS = 12;

  private final CqlSession session;
  private final PluggedCluster cluster;
  private final PreparedStatement write;
  private final PreparedStatement read;
  private final ConsistencyLevel level;
  private final int key;
  private final AtomicLong reads = new AtomicLong();
  private final BackgroundTask task;

  WrittenValues(PluggedCluster cluster, ConsistencyLevel level, int key) {
    this.cluster = cluster;
    this.session = cluster.session();
    this.level = level;
    this.key = key;
    write = session.prepare("INSERT INTO ks.written (key, value) VALUES (?, ?)");
    read = session.prepare("SELECT value FROM ks.written WHERE key = ?");
    write(0);
    task = new BackgroundTask("reads of written values at " + level, this::run);
  }

  private void write(int value) {
    session.execute(write.bind(key, value).setConsistencyLevel(ConsistencyLevel.QUORUM));
  }

  private void run(BooleanSupplier stopped) throws Exception {
    for (int value = 1; !stopped.getAsBoolean(); value++) {
      List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
      for (int i = 0; i < READS; i++) {
        answers.add(
            session.executeAsync(
                read.bind(key).setConsistencyLevel(level).setNode(cluster.driverNode(1 + i % 3))));
      }
      write(value);
      for (CompletionStage<AsyncResultSet> answer : answers) {
        check(answer.toCompletableFuture().get().one(), value);
      }
    }
  }

  private void check(Row row, int value) {
    int seen = row == null ? -1 : row.getInt("value");
    int least = level == ConsistencyLevel.ONE ? -1 : value - 1;
    if (seen < least || seen > value) {
      throw new AssertionError("read " + seen + " while " + value + " was written");
    }
    reads.incrementAndGet();
  }

  /** Waits until so many more reads were right. */
  void awaitMore(long more) {
    long before = reads.get();
    await().atMost(PATIENCE).until(() -> task.hasFailed() || reads.get() - before >= more);
  }

  /** Throws what went wrong, if something did. */
  @Override
  public void close() {
    task.close();
  }
}
