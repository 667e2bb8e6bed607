/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.curtail.lab.load.SchemaChange;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/**
 * Two tables of the same rows: one as Cassandra stores it, one in RocksDB. Each row is on one node
 * only, so that nothing but that node's disk can bring it back.
 */
final class TwinTables {
  /** Which of the two. */
  enum Engine {
    STOCK("trie"),
    ROCKSDB("rocksdb");

    private final String memtable;

    Engine(String memtable) {
      this.memtable = memtable;
    }

    private String table() {
      return "curtail_twins." + memtable;
    }
  }

  static final int ROWS = 12_000;
  private static final int VALUE_CHARACTERS = 3_000;
  private static final int REQUESTS_IN_FLIGHT = 48;
  private static final int ATTEMPTS = 200;
  private static final long BETWEEN_ATTEMPTS_MILLIS = 500;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final CqlSession session;

  private TwinTables(CqlSession session) {
    this.session = session;
  }

  /** Creates both tables; the nodes need a memtable configuration {@code rocksdb}. */
  static TwinTables create(CqlSession session) {
    SchemaChange.execute(
        session,
        "CREATE KEYSPACE curtail_twins WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    for (Engine engine : Engine.values()) {
      SchemaChange.execute(
          session,
          "CREATE TABLE "
              + engine.table()
              + " (key int PRIMARY KEY, version int, value text) WITH memtable = '"
              + engine.memtable
              + "'");
    }
    return new TwinTables(session);
  }

  /**
   * Writes every row; returns when all are acknowledged.
   *
   * @throws IllegalStateException if one is not
   */
  void write(Engine engine, int version) throws InterruptedException {
    PreparedStatement write =
        session.prepare(
            "INSERT INTO " + engine.table() + " (key, version, value) VALUES (?, ?, ?)");
    eachRow(key -> write.bind(key, version, value(key, version)), row -> {});
  }

  /** How many rows are not there, or not as they were written last. */
  long missing(Engine engine, int version) throws InterruptedException {
    PreparedStatement read =
        session.prepare("SELECT key, version, value FROM " + engine.table() + " WHERE key = ?");
    AtomicLong right = new AtomicLong();
    eachRow(
        read::bind,
        row -> {
          if (row != null
              && row.getInt("version") == version
              && value(row.getInt("key"), version).equals(row.getString("value"))) {
            right.incrementAndGet();
          }
        });
    return ROWS - right.get();
  }

  private static String value(int key, int version) {
    return (key + "/" + version + " ").repeat(VALUE_CHARACTERS / 10);
  }

  /** Told of each answer. */
  private interface Answers {
    void take(Row row);
  }

  private void eachRow(IntFunction<Statement<?>> requests, Answers answers)
      throws InterruptedException {
    Semaphore free = new Semaphore(REQUESTS_IN_FLIGHT);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int key = 0; key < ROWS && failure.get() == null; key++) {
      free.acquire();
      session
          .executeAsync(requests.apply(key).setTimeout(TIMEOUT))
          .whenComplete(
              (result, error) -> {
                if (error == null) {
                  answers.take(result.one());
                } else {
                  failure.compareAndSet(null, error);
                }
                free.release();
              });
    }
    free.acquire(REQUESTS_IN_FLIGHT);
    if (failure.get() != null) {
      throw new IllegalStateException(
          "a request of the twin tables failed: " + failure.get().getMessage(), failure.get());
    }
  }

  /** Waits until every node answers for its rows. */
  void awaitAllNodes() throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        session.execute(
            SimpleStatement.newInstance("SELECT count(*) FROM " + Engine.STOCK.table())
                .setTimeout(TIMEOUT));
        return;
      } catch (UnavailableException e) {
        if (attempt == ATTEMPTS) {
          throw new IllegalStateException("not all nodes came back", e);
        }
        Thread.sleep(BETWEEN_ATTEMPTS_MILLIS);
      }
    }
  }
}
