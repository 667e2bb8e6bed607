/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package consumer;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An application that uses what a release ships: {@code Consumer ADDRESS DATA_CENTRE [server|engine
 * ...]}. It reads through Curtail's load balancing policy, which {@code application.conf} names, and
 * looks at the node's plug-ins; it fails with an exception if one is not what it should be.
 */
public final class Consumer {
  private static final int ROWS = 50;
  private static final int MOST_BUILDING_SECONDS = 60;

  private Consumer() {}

  public static void main(String[] arguments) {
    System.setProperty(
        "datastax-java-driver.basic.load-balancing-policy.local-datacenter", arguments[1]);
    System.setProperty("datastax-java-driver.basic.request.timeout", "30 seconds");
    System.setProperty(
        "datastax-java-driver.advanced.control-connection.timeout", "30 seconds");
    System.setProperty(
        "datastax-java-driver.advanced.connection.init-query-timeout", "30 seconds");
    System.setProperty(
        "datastax-java-driver.advanced.throttler.class", "io.curtail.driver.AdaptiveThrottler");
    System.setProperty("datastax-java-driver.advanced.throttler.adaptive.max-in-flight", "2");
    List<String> parts = List.of(arguments).subList(2, arguments.length);
    try (CqlSession session =
        CqlSession.builder().addContactPoint(new InetSocketAddress(arguments[0], 9042)).build()) {
      driver(session);
      if (parts.contains("server")) {
        server(session);
      }
      if (parts.contains("engine")) {
        engine(session);
      }
    }
    System.out.println("consumer: driver" + (parts.isEmpty() ? "" : ", " + String.join(", ", parts)));
  }

  private static void driver(CqlSession session) {
    LoadBalancingPolicy policy = session.getContext().getLoadBalancingPolicy("default");
    check(policy.getClass().getName().startsWith("io.curtail."), "the policy is " + policy);
    for (int i = 0; i < ROWS; i++) {
      check(session.execute("SELECT key FROM system.local").one() != null, "no answer");
    }
    List<CompletableFuture<AsyncResultSet>> requests = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      requests.add(session.executeAsync("SELECT key FROM system.local").toCompletableFuture());
    }
    for (CompletableFuture<AsyncResultSet> request : requests) {
      check(request.join().one() != null, "no answer to a request that waited for its turn");
    }
  }

  private static void server(CqlSession session) {
    Row load = session.execute("SELECT * FROM curtail.server_load").one();
    check(load != null, "curtail.server_load has no row");
    check("rank".equals(setMode(session, "rank")), "the mode is not rank");
    session.execute("SELECT count(*) FROM system_schema.tables");
    check("observe".equals(setMode(session, "observe")), "the mode is not observe");
  }

  private static String setMode(CqlSession session, String mode) {
    session.execute("UPDATE curtail.settings SET value = '" + mode + "' WHERE name = 'mode'");
    return session.execute("SELECT value FROM curtail.server_load WHERE name = 'mode'").one().getString("value");
  }

  private static void engine(CqlSession session) {
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS consumer WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute(
        "CREATE TABLE IF NOT EXISTS consumer.rows (key int, part int, value text,"
            + " PRIMARY KEY (key, part)) WITH memtable = 'rocksdb'");
    for (int key = 0; key < ROWS; key++) {
      session.execute(
          "INSERT INTO consumer.rows (key, part, value) VALUES (?, ?, ?)", key, 1, "value" + key);
      session.execute("UPDATE consumer.rows SET value = 'new' WHERE key = ? AND part = 2", key);
      session.execute("DELETE FROM consumer.rows WHERE key = ? AND part = 2", key);
    }
    for (int key = 0; key < ROWS; key++) {
      List<Row> rows =
          session.execute("SELECT part, value FROM consumer.rows WHERE key = ?", key).all();
      check(rows.size() == 1, rows.size() + " rows in a partition that has one");
      check(("value" + key).equals(rows.get(0).getString("value")), "another value");
    }
    index(session);
  }

  /** One that is built from the rows that are there. */
  private static void index(CqlSession session) {
    session.execute(
        "CREATE INDEX IF NOT EXISTS by_value ON consumer.rows (value) USING 'legacy_local_table'");
    String built =
        "SELECT * FROM system.\"IndexInfo\" WHERE table_name = 'consumer' AND index_name = 'by_value'";
    for (int second = 0; session.execute(built).one() == null; second++) {
      check(second < MOST_BUILDING_SECONDS, "an index is not built");
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
    }
    int rows = session.execute("SELECT key FROM consumer.rows WHERE value = 'value1'").all().size();
    check(rows == 1, rows + " rows by an index of which one has the value");
  }

  private static void check(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(otherwise);
    }
  }
}
