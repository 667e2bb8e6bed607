/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import io.curtail.lab.fault.SlowStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import javax.management.Attribute;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * What reads that are passed on must leave as it is, in three real nodes with two read threads
 * each. Node 1 coordinates. What restarts a node comes last.
 */
@SuppressWarnings("try") // what is only opened and closed
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PassingSafetyOnRealNodes {
  private static final int NODES = 3;
  private static final int AT_ONCE = 40;
  private static final Duration SLOW = Duration.ofMillis(50);
  private static final Class<?>[] NONE = {};

  /** A request whose own thread reads the data fails where that takes too long. */
  private static final Class<?>[] LATE = {ReadTimeoutException.class, ReadFailureException.class};

  private static final String PROXY = "org.apache.cassandra.db:type=StorageProxy";

  @TempDir private static Path directory;
  private static PluggedCluster cluster;
  private static PreparedStatement once;
  private static PreparedStatement retried;

  @BeforeAll
  static void start() throws Exception {
    cluster = PluggedCluster.startPassing(directory, "5.0.9");
    once = table("once", "NONE");
    retried = table("retried", "20ms");
  }

  /** Has the squares of its keys. Returns how it is read. */
  private static PreparedStatement table(String name, String speculativeRetry) {
    cluster.change(
        "CREATE TABLE ks.%s (key int PRIMARY KEY, value int) WITH speculative_retry = '%s'"
            .formatted(name, speculativeRetry));
    for (int key = 0; key < AT_ONCE; key++) {
      write("INSERT INTO ks.%s (key, value) VALUES (%d, %d)".formatted(name, key, key * key));
    }
    return cluster.session().prepare("SELECT value FROM ks.%s WHERE key = ?".formatted(name));
  }

  private static void write(String statement) {
    cluster
        .session()
        .execute(SimpleStatement.newInstance(statement).setConsistencyLevel(ConsistencyLevel.ALL));
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void should_have_counted_no_error() throws IOException {
    for (int node = 1; node <= 2; node++) {
      cluster.assertNoErrors(node, "errors", "passing_errors");
    }
  }

  private static CompletionStage<AsyncResultSet> send(SimpleStatement read, ConsistencyLevel at) {
    return cluster
        .session()
        .executeAsync(read.setConsistencyLevel(at).setNode(cluster.driverNode(1)));
  }

  /**
   * Reads all keys at once, each of which must have its value or end with one of these errors.
   * Returns how many did.
   */
  private static int errors(PreparedStatement read, ConsistencyLevel level, Class<?>... known) {
    List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
    for (int key = 0; key < AT_ONCE; key++) {
      answers.add(
          cluster
              .session()
              .executeAsync(
                  read.bind(key).setConsistencyLevel(level).setNode(cluster.driverNode(1))));
    }
    int errors = 0;
    for (int key = 0; key < AT_ONCE; key++) {
      try {
        Row row = answers.get(key).toCompletableFuture().join().one();
        assertThat(row.getInt("value")).isEqualTo(key * key);
      } catch (CompletionException e) {
        assertThat(e.getCause()).isInstanceOfAny(known);
        errors++;
      }
    }
    return errors;
  }

  private static void readAll(PreparedStatement read, ConsistencyLevel level) {
    assertThat(errors(read, level, NONE)).isZero();
  }

  private static void readUntil(PreparedStatement read, ConsistencyLevel at, BooleanSupplier done) {
    await(
        () -> {
          readAll(read, at);
          return done.getAsBoolean();
        });
  }

  // ---- which reads

  @Test
  @Order(1)
  void should_leave_counters_transactions_ranges_and_indexes_to_cassandra() throws Exception {
    cluster.change("CREATE TABLE ks.counted (key int PRIMARY KEY, value counter)");
    cluster.change("CREATE TABLE ks.indexed (key int PRIMARY KEY, value int)");
    cluster.change("CREATE INDEX ON ks.indexed (value)");
    for (int key = 0; key < AT_ONCE; key++) {
      write("UPDATE ks.counted SET value = value + 7 WHERE key = " + key);
      write("INSERT INTO ks.indexed (key, value) VALUES (%d, 7)".formatted(key));
    }
    try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW)) {
      long carried = cluster.count(1, "carried");
      for (ConsistencyLevel level : List.of(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM)) {
        readSevens("SELECT value FROM ks.counted WHERE key = %d", level);
        readSevens("SELECT value FROM ks.indexed WHERE key = %d AND value = 7", level);
        assertThat(cluster.ask(1, "SELECT * FROM ks.once")).hasSize(AT_ONCE);
      }
      readAll(once, ConsistencyLevel.SERIAL);
      readAll(once, ConsistencyLevel.LOCAL_SERIAL);
      assertThat(cluster.ask(1, "UPDATE ks.once SET value = 0 WHERE key = 0 IF value = 0").get(0))
          .extracting(row -> row.getBoolean("[applied]"))
          .isEqualTo(true);
      assertThat(cluster.count(1, "carried")).isEqualTo(carried);
      readUntil(once, ConsistencyLevel.ONE, cluster.grows(1, "carried"));
    }
  }

  private static void readSevens(String query, ConsistencyLevel level) {
    List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
    for (int key = 0; key < AT_ONCE; key++) {
      answers.add(send(SimpleStatement.newInstance(query.formatted(key)), level));
    }
    for (CompletionStage<AsyncResultSet> answer : answers) {
      Row row = answer.toCompletableFuture().join().one();
      assertThat(((Number) row.getObject("value")).longValue()).isEqualTo(7);
    }
  }

  @Test
  @Order(2)
  void should_pass_on_the_read_of_the_data_alone_at_each_quorum() throws Exception {
    try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW)) {
      BooleanSupplier passed = cluster.grows(1, "passed_on");
      await(
          () -> {
            long before = cluster.count(1, "carried");
            readAll(once, ConsistencyLevel.EACH_QUORUM);
            assertThat(cluster.count(1, "carried") - before).isLessThanOrEqualTo(AT_ONCE);
            return passed.getAsBoolean();
          });
    }
  }

  /** Above what one frame holds, and above what Cassandra sends by a connection of its own. */
  @Test
  @Order(3)
  void should_answer_a_read_that_is_passed_on_with_large_rows() throws Exception {
    cluster.change(
        "CREATE TABLE ks.large (key int, row int, value blob, PRIMARY KEY (key, row))"
            + " WITH speculative_retry = 'NONE'");
    PreparedStatement insert =
        cluster.session().prepare("INSERT INTO ks.large (key, row, value) VALUES (?, ?, ?)");
    for (int key = 0; key < 2; key++) {
      for (int row = 0; row < rows(key); row++) {
        cluster
            .session()
            .execute(
                insert
                    .bind(key, row, largeValue(key, row))
                    .setConsistencyLevel(ConsistencyLevel.ALL));
      }
    }
    for (ConsistencyLevel level : List.of(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM)) {
      BooleanSupplier passed = cluster.grows(1, "passed_on");
      try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW)) {
        await(
            () -> {
              readLarge(level);
              return passed.getAsBoolean();
            });
      }
    }
  }

  /** The first has 96 KiB, the second 1.5 MiB. */
  private static int rows(int key) {
    return key == 0 ? 1 : 16;
  }

  private static ByteBuffer largeValue(int key, int row) {
    ByteBuffer value = ByteBuffer.allocate(96 * 1024);
    for (int place = 0; value.hasRemaining(); place++) {
      value.put((byte) (place * 31 + key * 7 + row));
    }
    return value.flip();
  }

  private static void readLarge(ConsistencyLevel level) {
    List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
    for (int read = 0; read < 8; read++) {
      String query = "SELECT row, value FROM ks.large WHERE key = " + read % 2;
      answers.add(send(SimpleStatement.newInstance(query), level));
    }
    for (int read = 0; read < 8; read++) {
      int rows = 0;
      for (Row row : answers.get(read).toCompletableFuture().join().currentPage()) {
        assertThat(row.getByteBuffer("value")).isEqualTo(largeValue(read % 2, row.getInt("row")));
        rows++;
      }
      assertThat(rows).isEqualTo(rows(read % 2));
    }
  }

  // ---- what Cassandra counts

  /** Of the nodes' MBeans. */
  private static final class Metrics implements AutoCloseable {
    private static final String REQUESTS = "type=ClientRequest,scope=Read-LOCAL_ONE,name=";
    private static final String TABLE = "type=Table,keyspace=ks,scope=once,name=";
    private final List<Management> nodes = new ArrayList<>();

    Metrics() throws IOException {
      for (int node = 1; node <= NODES; node++) {
        nodes.add(new Management(cluster.node(node)));
      }
    }

    Management node(int node) {
      return nodes.get(node - 1);
    }

    long requests(String name) throws Exception {
      return node(1).count(REQUESTS + name);
    }

    long coordinated() throws Exception {
      return node(1).count(TABLE + "CoordinatorReadLatency");
    }

    long served() throws Exception {
      return ofAll(TABLE + "ReadLatency");
    }

    long dropped() throws Exception {
      return ofAll("type=DroppedMessage,scope=READ,name=Dropped");
    }

    long ofAll(String metric) throws Exception {
      long sum = 0;
      for (Management node : nodes) {
        sum += node.count(metric);
      }
      return sum;
    }

    /** How long node 1 waits for the answers to a read, from here on. */
    void waitFor(Duration time) throws Exception {
      node(1).set(PROXY, new Attribute("ReadRpcTimeout", time.toMillis()));
    }

    @Override
    public void close() throws IOException {
      for (Management node : nodes) {
        node.close();
      }
    }
  }

  @Test
  @Order(4)
  void should_count_each_read_once_whether_it_is_passed_on_or_not() throws Exception {
    try (Metrics metrics = new Metrics()) {
      for (String passing : List.of("off", "on")) {
        for (int node = 1; node <= NODES; node++) {
          cluster.set(node, "passing", passing);
        }
        long requests = metrics.requests("Latency");
        long coordinated = metrics.coordinated();
        long served = metrics.served();
        long ended = metrics.requests("Timeouts") + metrics.requests("Failures");
        long dropped = metrics.dropped();
        long[] reads = new long[1];
        BooleanSupplier passed = cluster.grows(1, "passed_on");
        try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW)) {
          await(
              () -> {
                readAll(once, ConsistencyLevel.LOCAL_ONE);
                reads[0] += AT_ONCE;
                return passing.equals("off") || passed.getAsBoolean();
              });
        }
        eventually(
            () -> {
              assertThat(metrics.requests("Latency") - requests).isEqualTo(reads[0]);
              assertThat(metrics.coordinated() - coordinated).isEqualTo(reads[0]);
              assertThat(metrics.served() - served).isEqualTo(reads[0]);
            });
        assertThat(metrics.requests("Timeouts") + metrics.requests("Failures")).isEqualTo(ended);
        assertThat(metrics.dropped()).isEqualTo(dropped);
      }
    }
  }

  /** The replicas themselves would serve a read of that age. */
  @Test
  @Order(5)
  void should_drop_reads_whose_coordinator_waits_no_more_and_count_each_error_once()
      throws Exception {
    List<SlowStorage> slow = new ArrayList<>();
    try (Metrics metrics = new Metrics()) {
      long requests = metrics.requests("Latency");
      long ended = metrics.requests("Timeouts") + metrics.requests("Failures");
      long coordinated = metrics.coordinated();
      long dropped = metrics.dropped();
      long kept = keptTooLong();
      int[] reads = new int[1];
      metrics.waitFor(Duration.ofMillis(500));
      try {
        for (int node = 1; node <= NODES; node++) {
          slow.add(SlowStorage.start(cluster.node(node), Duration.ofSeconds(2)));
        }
        await(
            () -> {
              assertThat(errors(once, ConsistencyLevel.LOCAL_ONE, LATE)).isEqualTo(AT_ONCE);
              reads[0] += AT_ONCE;
              return keptTooLong() > kept;
            });
      } finally {
        for (SlowStorage each : slow) {
          each.close();
        }
        metrics.waitFor(Duration.ofSeconds(20));
      }
      readAll(once, ConsistencyLevel.ALL); // behind them
      eventually(
          () -> {
            assertThat(metrics.requests("Latency") - requests).isEqualTo(reads[0]);
            assertThat(metrics.requests("Timeouts") + metrics.requests("Failures") - ended)
                .isEqualTo(reads[0]);
            assertThat(metrics.coordinated() - coordinated).isEqualTo(reads[0] + AT_ONCE);
            assertThat(metrics.dropped() - dropped)
                .isBetween(keptTooLong() - kept, (long) reads[0]);
          });
    }
  }

  /** By the replicas, of reads of another node. */
  private static long keptTooLong() {
    return cluster.count(2, "kept_too_long") + cluster.count(3, "kept_too_long");
  }

  // ---- what is no read of its own

  /** A query of many keys puts the replicas of all in order before it reads the first. */
  @Test
  @Order(6)
  void should_probe_only_replicas_that_have_the_data() throws Exception {
    cluster.change(
        "CREATE KEYSPACE two WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
    cluster.change("CREATE TABLE two.rows (key int PRIMARY KEY, value int)");
    StringBuilder keys = new StringBuilder("0");
    for (int key = 0; key < AT_ONCE; key++) {
      write("INSERT INTO two.rows (key, value) VALUES (%d, %d)".formatted(key, key));
      keys.append(", ").append(key);
    }
    String query = "SELECT key FROM two.rows WHERE key IN (" + keys + ")";
    long probes = cluster.count(1, "probes");
    cluster.set(1, "refresh_ms", "1");
    cluster.set(1, "refresh_percent", "10");
    try (Metrics metrics = new Metrics()) {
      await(
          () -> {
            assertThat(cluster.ask(1, query)).hasSize(AT_ONCE);
            return cluster.count(1, "probes") - probes > 100;
          });
      assertThat(metrics.ofAll("type=Keyspace,keyspace=two,name=ReadOutOfRangeToken")).isZero();
    } finally {
      cluster.set(1, "refresh_percent", "0");
      cluster.set(1, "refresh_ms", "250");
    }
  }

  /** What a node has to itself is read from memory, and says nothing of its disk. */
  @Test
  @Order(7)
  void should_not_measure_reads_of_system_tables() throws Exception {
    Duration delay = Duration.ofMillis(200);
    cluster.read(1, 100, ConsistencyLevel.ONE);
    try (SlowStorage slow = SlowStorage.start(cluster.node(1), delay)) {
      long carried = cluster.count(1, "carried");
      for (int read = 0; read < 20; read++) {
        assertThat(cluster.ask(1, "SELECT * FROM system.local WHERE key = 'local'")).hasSize(1);
      }
      double half = delay.toMillis() / 2.0;
      assertThat(cluster.scores(1, 1).getDouble("service_ms")).isLessThan(half);
      assertThat(cluster.count(1, "carried")).isEqualTo(carried);
      readUntil(
          once, ConsistencyLevel.ONE, () -> cluster.scores(1, 1).getDouble("service_ms") > half);
    }
  }

  // ---- messages that are lost

  @Test
  @Order(8)
  void should_end_every_read_when_a_replica_loses_those_that_it_gives_back() throws Exception {
    Path jar = PluggedCluster.jar();
    Path loses = Sabotage.ofReturns(directory.resolve("returns"));
    cluster.edit(
        3,
        "jvm.options",
        options -> options.replaceAll("\"-cp\"\n\"", "\"-cp\"\n\"" + loses + ":" + jar + ":"));
    cluster.restart(3);
    try (SlowStorage slow = SlowStorage.start(cluster.node(3), SLOW);
        Metrics metrics = new Metrics()) {
      metrics.waitFor(Duration.ofSeconds(2));
      long timeouts = metrics.requests("Timeouts");
      long ended = timeouts + metrics.requests("Failures");
      int[] errors = new int[1];
      BooleanSupplier lost = cluster.grows(3, "given_back");
      await(
          () -> {
            errors[0] += errors(once, ConsistencyLevel.LOCAL_ONE, LATE);
            return lost.getAsBoolean() && metrics.requests("Timeouts") > timeouts;
          });
      eventually(
          () ->
              assertThat(metrics.requests("Timeouts") + metrics.requests("Failures") - ended)
                  .isEqualTo(errors[0]));

      metrics.waitFor(Duration.ofSeconds(20));
      for (String copies : List.of("0", "10")) {
        for (int node = 1; node <= NODES; node++) {
          cluster.set(node, "copies_percent", copies);
        }
        readUntil(retried, ConsistencyLevel.LOCAL_ONE, cluster.grows(3, "given_back"));
        readUntil(retried, ConsistencyLevel.QUORUM, cluster.grows(3, "given_back"));
      }
    }
  }
}
