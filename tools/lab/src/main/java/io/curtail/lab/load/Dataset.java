/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A table with rows that load reads and writes.
 *
 * @param memtable of the node's configuration; Cassandra's default if empty
 */
public record Dataset(LabTable table, Optional<String> memtable, long rows) {
  private static final Duration AGAIN_FOR = Duration.ofMinutes(3);
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(30);
  private static final int CONCURRENT_WRITES = 64;
  private static final int AGAIN_MILLIS = 200;

  /** Creates keyspace and table if they are missing. */
  public void createSchema(CqlSession session, String datacenter, int replicationFactor) {
    SchemaChange.execute(
        session,
        "CREATE KEYSPACE IF NOT EXISTS "
            + LabTable.KEYSPACE
            + " WITH replication = {'class': 'NetworkTopologyStrategy', '"
            + datacenter
            + "': "
            + replicationFactor
            + "}");
    SchemaChange.execute(session, table.creation(memtable));
  }

  /** Sets when a coordinator sends a second copy of a read, in CQL's words. */
  public void speculate(CqlSession session, String retry) {
    SchemaChange.execute(
        session,
        "ALTER TABLE " + table.qualifiedName() + " WITH speculative_retry = '" + retry + "'");
  }

  /**
   * Writes every row at consistency ALL, so that each replica has it; again if a node was too slow,
   * or, for some minutes, failed: on a busy machine it may not know the table yet.
   *
   * @throws IllegalStateException if a row could not be written
   */
  public void load(CqlSession session) throws InterruptedException {
    LabTable.Statements statements = table.prepare(session);
    Semaphore free = new Semaphore(CONCURRENT_WRITES);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    SplittableRandom random = new SplittableRandom(1);
    long deadline = System.nanoTime() + AGAIN_FOR.toNanos();
    for (long row = 0; row < rows && failure.get() == null; row++) {
      free.acquire();
      Statement<?> write =
          statements
              .write(row, random.nextLong())
              .setConsistencyLevel(DefaultConsistencyLevel.ALL)
              .setTimeout(WRITE_TIMEOUT);
      write(session, write, free, failure, deadline);
    }
    free.acquire(CONCURRENT_WRITES);
    if (failure.get() != null) {
      throw new IllegalStateException(
          "loading the rows failed: " + failure.get().getMessage(), failure.get());
    }
  }

  private static void write(
      CqlSession session,
      Statement<?> row,
      Semaphore free,
      AtomicReference<Throwable> failure,
      long deadline) {
    session
        .executeAsync(row)
        .whenComplete(
            (result, error) -> {
              if (error instanceof WriteTimeoutException
                  || error instanceof DriverTimeoutException) {
                write(session, row, free, failure, deadline);
              } else if (error instanceof WriteFailureException && System.nanoTime() < deadline) {
                CompletableFuture.delayedExecutor(AGAIN_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(() -> write(session, row, free, failure, deadline));
              } else {
                failure.compareAndSet(null, error);
                free.release();
              }
            });
  }
}
