/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;

/**
 * The table that the load reads and writes: {@code curtail_lab.rows}, text keys and blob values.
 */
public final class Dataset {
  public static final int VALUE_BYTES = 256;
  static final String READ = "SELECT value FROM curtail_lab.rows WHERE key = ?";
  static final String WRITE = "INSERT INTO curtail_lab.rows (key, value) VALUES (?, ?)";

  private static final Duration SCHEMA_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(30);
  private static final int CONCURRENT_WRITES = 48;

  private Dataset() {}

  static String key(long number) {
    return "user" + number;
  }

  /** Creates keyspace and table if they are missing. */
  public static void createSchema(CqlSession session, String datacenter, int replicationFactor) {
    session.execute(
        SimpleStatement.newInstance(
                "CREATE KEYSPACE IF NOT EXISTS curtail_lab WITH replication = "
                    + "{'class': 'NetworkTopologyStrategy', '"
                    + datacenter
                    + "': "
                    + replicationFactor
                    + "}")
            .setTimeout(SCHEMA_TIMEOUT));
    session.execute(
        SimpleStatement.newInstance(
                "CREATE TABLE IF NOT EXISTS curtail_lab.rows (key text PRIMARY KEY, value blob)")
            .setTimeout(SCHEMA_TIMEOUT));
  }

  /** Sets when a coordinator sends a second copy of a read, in CQL's words. */
  public static void speculate(CqlSession session, String retry) {
    session.execute(
        SimpleStatement.newInstance(
                "ALTER TABLE curtail_lab.rows WITH speculative_retry = '" + retry + "'")
            .setTimeout(SCHEMA_TIMEOUT));
  }

  /**
   * Writes every row at consistency ALL, so that each replica has it.
   *
   * @param written told the number of rows now and then
   * @throws IllegalStateException if a row could not be written
   */
  public static void load(CqlSession session, long keys, int valueBytes, LongConsumer written)
      throws InterruptedException {
    PreparedStatement insert = session.prepare(WRITE);
    Semaphore free = new Semaphore(CONCURRENT_WRITES);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    SplittableRandom random = new SplittableRandom(1);
    for (long key = 0; key < keys && failure.get() == null; key++) {
      byte[] value = new byte[valueBytes];
      random.nextBytes(value);
      free.acquire();
      session
          .executeAsync(
              insert
                  .bind(key(key), ByteBuffer.wrap(value))
                  .setConsistencyLevel(DefaultConsistencyLevel.ALL)
                  .setTimeout(WRITE_TIMEOUT))
          .whenComplete(
              (result, error) -> {
                if (error != null) {
                  failure.compareAndSet(null, error);
                }
                free.release();
              });
      if (key % 500 == 0) {
        written.accept(key);
      }
    }
    free.acquire(CONCURRENT_WRITES);
    if (failure.get() != null) {
      throw new IllegalStateException(
          "loading the rows failed: " + failure.get().getMessage(), failure.get());
    }
    written.accept(keys);
  }
}
