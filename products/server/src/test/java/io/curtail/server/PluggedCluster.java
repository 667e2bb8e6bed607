/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.campaign.Progress;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.Home;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.load.PatientSession;
import io.curtail.lab.load.SchemaChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Real nodes with the jar that ships in their class path, and a client that picks coordinators. */
final class PluggedCluster implements AutoCloseable {
  static final int ROWS = 200;

  /** Less than a test waits: what is sent to a node that dies is outstanding for so long. */
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);

  private final Cluster cluster;
  private final CqlSession session;
  private final Map<Path, String> filesWithJar = new HashMap<>();
  private PreparedStatement read;

  private PluggedCluster(Cluster cluster, CqlSession session) {
    this.cluster = cluster;
    this.session = session;
  }

  /**
   * Three nodes that pass reads on, with so few threads that they soon have to; replicas stand in
   * random order, so that each is asked.
   */
  static PluggedCluster startPassing(Path directory, String version) throws IOException {
    return start(
        directory,
        version,
        3,
        """
        delegate_snitch=GossipingPropertyFileSnitch
        mode=rank
        policy=random
        refresh_percent=0
        passing=on
        passing_hop_ms=5
        """,
        Map.of("concurrent_reads", 2, "hinted_handoff_enabled", false));
  }

  static PluggedCluster start(Path directory, String version, int nodes, String settings)
      throws IOException {
    return start(directory, version, nodes, settings, Map.of());
  }

  /**
   * @param yaml what else {@code cassandra.yaml} has
   */
  static PluggedCluster start(
      Path directory, String version, int nodes, String settings, Map<String, Object> yaml)
      throws IOException {
    Files.createDirectories(directory);
    Path file = Files.writeString(directory.resolve("curtail.properties"), settings);
    ClusterSpec spec =
        ClusterSpec.builder()
            .name("server")
            .directory(directory.resolve("lab"))
            .nodes(nodes)
            .cassandraVersion(version)
            .requestTimeout(REQUEST_TIMEOUT)
            .addYaml("counter_write_request_timeout", "20s")
            .addClassPath(jar())
            .addJvmOptions("-Dcurtail.config=" + file)
            .addJvmOptions(
                "-Dcassandra.custom_query_handler_class=io.curtail.server.CurtailQueryHandler")
            .addYaml("endpoint_snitch", CurtailSnitch.class.getName())
            .addYaml("dynamic_snitch", false)
            .addYaml(yaml.entrySet())
            .build();
    return start(spec);
  }

  static PluggedCluster start(ClusterSpec spec) throws IOException {
    Cluster cluster = Cluster.start(spec, Progress.NONE);
    try {
      PluggedCluster plugged =
          new PluggedCluster(cluster, PatientSession.open(cluster, patient(cluster)));
      plugged.fill(spec.nodes());
      return plugged;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  static Path jar() {
    return Home.find().jar("products/server");
  }

  /** The configuration of a client that waits for what a busy machine needs. */
  static ProgrammaticDriverConfigLoaderBuilder patient(Cluster cluster) {
    return PatientSession.config(cluster, PATIENCE)
        // A node writes the end of a trace after the others.
        .withInt(DefaultDriverOption.REQUEST_TRACE_ATTEMPTS, 1_000)
        .withDuration(DefaultDriverOption.REQUEST_TRACE_INTERVAL, Duration.ofMillis(100))
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(500));
  }

  private void fill(int nodes) {
    int factor = Math.min(3, nodes);
    change(
        "CREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': "
            + factor
            + "}");
    change("CREATE TABLE ks.rows (key int PRIMARY KEY, value int)");
    PreparedStatement write = session.prepare("INSERT INTO ks.rows (key, value) VALUES (?, ?)");
    for (int key = 0; key < ROWS; key++) {
      session.execute(write.bind(key, key * key).setConsistencyLevel(ConsistencyLevel.ALL));
    }
    read = session.prepare("SELECT value FROM ks.rows WHERE key = ?");
  }

  /** Executes a statement that changes the schema; all nodes that are up know it then. */
  void change(String statement) {
    SchemaChange.execute(session, statement);
  }

  Cluster cluster() {
    return cluster;
  }

  CqlSession session() {
    return session;
  }

  LabNode node(int index) {
    return cluster.node(index);
  }

  /** As the driver knows it. */
  Node driverNode(int index) {
    return session.getMetadata().findNode(node(index).address()).orElseThrow();
  }

  /** Reads keys through one coordinator and checks every value. */
  void read(int coordinator, int times, ConsistencyLevel level) {
    for (int i = 0; i < times; i++) {
      int key = i % ROWS;
      Row row = session.execute(readOf(key, coordinator, level)).one();
      if (row == null || row.getInt("value") != key * key) {
        throw new AssertionError("key " + key + " has " + row);
      }
    }
  }

  /** Reads so many keys at once through one node and checks every value. */
  void readAtOnce(int keys, int coordinator, ConsistencyLevel level) {
    List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
    for (int key = 0; key < keys; key++) {
      answers.add(session.executeAsync(readOf(key, coordinator, level)));
    }
    for (int key = 0; key < keys; key++) {
      assertThat(answers.get(key).toCompletableFuture().join().one().getInt("value"))
          .isEqualTo(key * key);
    }
  }

  BoundStatement readOf(int key, int coordinator, ConsistencyLevel level) {
    return read.bind(key).setConsistencyLevel(level).setNode(driverNode(coordinator));
  }

  /** Asks one node. */
  List<Row> ask(int node, String query) {
    return session.execute(SimpleStatement.newInstance(query).setNode(driverNode(node))).all();
  }

  void set(int node, String name, String value) {
    ask(node, "UPDATE curtail.settings SET value = '" + value + "' WHERE name = '" + name + "'");
  }

  /** A value of {@code curtail.server_load}. */
  String load(int node, String name) {
    return ask(node, "SELECT value FROM curtail.server_load WHERE name = '" + name + "'")
        .get(0)
        .getString("value");
  }

  long count(int node, String name) {
    return Long.parseLong(load(node, name));
  }

  String log(int node) throws IOException {
    return Files.readString(node(node).logFile());
  }

  /** Whether each of these counts of a node has grown since this call. */
  BooleanSupplier grows(int node, String... names) {
    long[] before = new long[names.length];
    for (int i = 0; i < names.length; i++) {
      before[i] = count(node, names[i]);
    }
    return () -> {
      for (int i = 0; i < names.length; i++) {
        if (count(node, names[i]) == before[i]) {
          return false;
        }
      }
      return true;
    };
  }

  /** That a node counted none; if it did, with what its log says. */
  void assertNoErrors(int node, String... counts) throws IOException {
    String log = log(node);
    int failure = log.indexOf("Curtail failed while");
    for (String name : counts) {
      assertThat(count(node, name))
          .as(failure < 0 ? name : log.substring(failure, Math.min(log.length(), failure + 2_000)))
          .isZero();
    }
  }

  /** What a coordinator knows of a replica. */
  Row scores(int coordinator, int replica) {
    return scoresIfAny(coordinator, replica)
        .orElseThrow(
            () -> new AssertionError("node " + coordinator + " knows nothing of " + replica));
  }

  Optional<Row> scoresIfAny(int coordinator, int replica) {
    String endpoint = node(replica).host() + ":7000";
    return ask(coordinator, "SELECT * FROM curtail.replica_scores").stream()
        .filter(row -> endpoint.equals(row.getString("endpoint")))
        .findFirst();
  }

  private Path configuration(int node, String file) {
    return cluster.directory().resolve("node" + node).resolve("conf").resolve(file);
  }

  /** Changes a file in the node's {@code conf}, of which the next start takes notice. */
  void edit(int node, String file, UnaryOperator<String> change) throws IOException {
    Path path = configuration(node, file);
    String before = Files.readString(path);
    String after = change.apply(before);
    if (before.equals(after)) {
      throw new AssertionError(path + " stayed as it was: " + before);
    }
    Files.writeString(path, after);
  }

  /** Makes a node a stock one, from its next start on, with its topology and without the jar. */
  void takeJarOut(int node) throws IOException {
    for (String file : new String[] {"cassandra.yaml", "jvm.options"}) {
      Path path = configuration(node, file);
      filesWithJar.put(path, Files.readString(path));
    }
    edit(
        node,
        "cassandra.yaml",
        yaml ->
            yaml.replaceAll("endpoint_snitch: .*", "endpoint_snitch: GossipingPropertyFileSnitch")
                .replaceAll("dynamic_snitch: .*", "dynamic_snitch: true"));
    edit(
        node,
        "jvm.options",
        options ->
            options
                .replaceAll("\"-Dcassandra.custom_query_handler_class=.*\"\n", "")
                .replaceAll("\"-cp\"\n\"[^\"]*curtail-server-[^:\"]*\\.jar:", "\"-cp\"\n\"")
                .replaceAll(":[^:\"]*curtail-server-[^:\"]*\\.jar", ""));
  }

  /** Undoes {@link #takeJarOut}, from the node's next start on. */
  void putJarIn(int node) throws IOException {
    for (String file : new String[] {"cassandra.yaml", "jvm.options"}) {
      Path path = configuration(node, file);
      Files.writeString(path, filesWithJar.get(path));
    }
  }

  /** Restarts a node and waits until the client is connected to it again. */
  void restart(int node) throws IOException {
    node(node).restart();
    patiently()
        .ignoreExceptions()
        .until(() -> ask(node, "SELECT key FROM system.local").size() == 1);
  }

  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    session.close();
    cluster.close();
  }
}
