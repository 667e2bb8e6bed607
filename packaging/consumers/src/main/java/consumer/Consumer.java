/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package consumer;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import io.curtail.driver.FeedbackSessionBuilder;
import io.curtail.driver.WeightedLeastLoadedMXBean;
import io.curtail.driver.WeightedLeastLoadedPolicy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An application that uses what a release ships: {@code Consumer ADDRESS DATA_CENTRE [server|engine
 * |adaptive|reports ...]}. It reads through Curtail's load balancing policy, which {@code
 * application.conf} names, and looks at the node's plug-ins; with {@code adaptive} it reads through
 * {@code AdaptivePolicy} with second copies too, in a session that hears reports of nodes if the
 * driver is not the shaded one, and with {@code reports} the node has to send some. It fails with an
 * exception if one is not what it should be.
 */
public final class Consumer {
  private static final int ROWS = 50;
  private static final int MOST_BUILDING_SECONDS = 60;
  private static final long MOST_COPYING_NANOS = TimeUnit.MINUTES.toNanos(2);

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
      noFaults(session);
      if (parts.contains("server")) {
        server(session);
      }
      if (parts.contains("engine")) {
        engine(session);
      }
    }
    if (parts.contains("adaptive")) {
      adaptive(arguments[0], parts.contains("reports"));
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

  /** What hooks deepest into the driver: its timer's copies, and what its connections hear. */
  private static void adaptive(String address, boolean reports) {
    System.setProperty(
        "datastax-java-driver.basic.load-balancing-policy.class",
        "io.curtail.driver.AdaptivePolicy");
    System.setProperty(
        "datastax-java-driver.advanced.speculative-execution-policy.class",
        "io.curtail.driver.AdaptiveSpeculativeExecution");
    System.setProperty("datastax-java-driver.advanced.netty.timer.tick-duration", "1 millisecond");
    System.setProperty("datastax-java-driver.basic.request.default-idempotence", "true");
    CqlSessionBuilder builder = hearing();
    check(builder != null || !reports, "the shaded driver hears no reports");
    try (CqlSession session =
        (builder == null ? CqlSession.builder() : builder)
            .addContactPoint(new InetSocketAddress(address, 9042))
            .build()) {
      driver(session);
      long asked = 0;
      for (long end = System.nanoTime() + MOST_COPYING_NANOS; asked == 0; ) {
        check(System.nanoTime() < end, "the driver's timer asks for no copy of a slow request");
        for (int i = 0; i < ROWS; i++) {
          session.execute("SELECT key FROM system.local");
        }
        session.execute("SELECT * FROM system_schema.columns").all();
        asked = policy(session).control().getCopies().get("asked");
      }
      if (reports) {
        String reported = policy(session).control().getNodes().get(0).getReported();
        check(!reported.isEmpty(), "the node reports nothing");
      }
      noFaults(session);
    }
  }

  /** A session that hears reports of nodes; null if the driver is the shaded one, which is refused. */
  private static CqlSessionBuilder hearing() {
    boolean shaded =
        CqlSession.class
                .getClassLoader()
                .getResource("com/datastax/oss/driver/shaded/netty/channel/Channel.class")
            != null;
    try {
      CqlSessionBuilder builder = new FeedbackSessionBuilder();
      check(!shaded, "FeedbackSessionBuilder takes the shaded driver");
      return builder;
    } catch (IllegalStateException e) {
      check(shaded && e.getMessage().contains("java-driver-core-shaded"), "refused: " + e);
      return null;
    }
  }

  /** The policy falls back to the driver's own at whatever goes wrong, and counts it. */
  private static void noFaults(CqlSession session) {
    WeightedLeastLoadedMXBean control = policy(session).control();
    check(control.getFaults() == 0, control.getFaults() + " faults: " + control.getLastFault());
    check(control.isEnabled(), "the policy is off");
  }

  private static WeightedLeastLoadedPolicy policy(CqlSession session) {
    return (WeightedLeastLoadedPolicy) session.getContext().getLoadBalancingPolicy("default");
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
