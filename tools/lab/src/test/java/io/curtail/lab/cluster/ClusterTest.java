/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.campaign.Progress;
import io.curtail.lab.fault.SlowStorage;
import io.curtail.lab.fault.StopAndContinue;
import io.curtail.lab.load.PatientSession;
import io.curtail.lab.load.SchemaChange;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Three real nodes, started once; the tests that end nodes come last. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("try") // what is only opened and closed
class ClusterTest {
  private static final int ROWS = 100;

  @TempDir private static Path directory;
  private static Cluster cluster;
  private static CqlSession session;
  private static PreparedStatement read;

  @BeforeAll
  static void start() throws IOException {
    cluster = Cluster.start(spec("first", 3), Progress.NONE);
    session = session(cluster);
    SchemaChange.execute(
        session,
        "CREATE KEYSPACE lab WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    SchemaChange.execute(session, "CREATE TABLE lab.rows (key int PRIMARY KEY, value text)");
    for (int key = 0; key < ROWS; key++) {
      session.execute(
          "INSERT INTO lab.rows (key, value) VALUES (?, ?) USING TIMESTAMP 1", key, "v" + key);
    }
    read = session.prepare("SELECT value FROM lab.rows WHERE key = ?");
  }

  @AfterAll
  static void stop() throws IOException {
    if (session != null) {
      session.close();
    }
    if (cluster != null) {
      cluster.close();
      assertThat(cluster.nodes()).noneMatch(LabNode::isAlive);
      assertThat(cluster.node(1).logFile()).exists();
      assertThat(cluster.directory().resolve("node1/data")).doesNotExist();
    }
  }

  private static ClusterSpec spec(String name, int nodes) {
    return builder(name, nodes).build();
  }

  private static ClusterSpecBuilder builder(String name, int nodes) {
    return ClusterSpec.builder()
        .directory(directory.resolve(name))
        .name(name)
        .nodes(nodes)
        .requestTimeout(PATIENCE);
  }

  private static CqlSession session(Cluster cluster) {
    return PatientSession.open(cluster, PatientSession.config(cluster, PATIENCE));
  }

  @Test
  @Order(1)
  void should_spread_nodes_over_zones_as_racks() {
    assertThat(cluster.nodes()).extracting(LabNode::zone).containsExactly("A", "B", "C");
    // a node writes what drivers read of its peers a little after it learns of them
    eventually(
        () ->
            assertThat(session.getMetadata().getNodes().values())
                .extracting(Node::getRack)
                .containsExactlyInAnyOrder("a", "b", "c"));
    assertThat(cluster.nodes()).allMatch(node -> node.startUpMillis() > 0);
    assertThat(cluster.nodes()).allMatch(node -> node.residentBytes() > 100 << 20);
    assertThat(cluster.nodes()).allMatch(node -> node.cpuNanos() > 0);
  }

  @Test
  @Order(1)
  void should_know_a_change_of_the_schema_at_every_node_whichever_made_it() {
    Collection<Node> nodes = session.getMetadata().getNodes().values();
    int tables = 0;
    for (Node changes : nodes) {
      String table = "lab.table" + tables++;
      session.execute(
          SimpleStatement.newInstance("CREATE TABLE " + table + " (key int PRIMARY KEY)")
              .setNode(changes));
      SchemaChange.awaitAgreement(session);
      for (Node node : nodes) {
        assertThat(
                session.execute(
                    SimpleStatement.newInstance("SELECT * FROM " + table).setNode(node)))
            .isEmpty();
      }
    }
  }

  @Test
  @Order(2)
  void should_run_a_second_lab_beside_the_first_and_join_nodes_that_forget_each_other()
      throws IOException {
    // Peers that own no tokens yet are forgotten after half as long without gossip.
    ClusterSpec forgetful =
        builder("second", 2).addJvmOptions("-Dcassandra.gossip_quarantine_delay_ms=100").build();
    Cluster ended;
    try (Cluster second = Cluster.start(forgetful, Progress.NONE)) {
      assertThat(second.addresses()).isNotEqualTo(cluster.addresses());
      try (CqlSession other = session(second)) {
        assertThat(other.getMetadata().getNodes()).hasSize(2);
      }
      ended = second;
      Thread.currentThread().interrupt(); // as by a user who ends it
    }
    assertThat(Thread.interrupted()).isTrue();
    assertThat(ended.nodes()).noneMatch(LabNode::isAlive);
    assertThat(ended.directory().resolve("lab.json")).doesNotExist();
    assertThat(ended.directory().resolve("node1/data")).doesNotExist();
    assertThat(cluster.nodes()).allMatch(LabNode::isAlive);
  }

  @Test
  @Order(2)
  void should_ask_a_node_whom_it_sees_when_its_log_does_not_say() throws IOException {
    LabNode peer = cluster.node(3);
    cluster.ring().expectJoinOf(peer);
    assertThat(cluster.node(1).log().seesUp(peer.host())).isFalse();
    cluster.ring().awaitWhole(PATIENCE, Progress.NONE);
    assertThat(cluster.node(1).log().seesUp(peer.host())).isTrue();
  }

  @Test
  @Order(2)
  void should_refuse_to_start_when_the_lab_runs_already() {
    // More than there is memory for, as where the lab itself has taken it.
    ClusterSpec again = builder("first", ClusterSpec.MAX_NODES).heapMebibytes(16_384).build();
    assertThatThrownBy(() -> Cluster.start(again, Progress.NONE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("runs in " + directory.resolve("first"));
  }

  /** Its nodes do not run yet, and their files are there. */
  @Test
  @Order(2)
  void should_refuse_to_start_what_another_is_starting() throws IOException {
    Path starting = Files.createDirectories(directory.resolve("starting"));
    try (FileChannel file =
            FileChannel.open(
                starting.resolve("lab.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertThatThrownBy(() -> Cluster.start(spec("starting", 1), Progress.NONE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("runs in " + starting);
    }
  }

  @Test
  @Order(3)
  void should_make_reads_of_one_node_slow_and_only_while_the_fault_lasts() throws IOException {
    Duration delay = Duration.ofMillis(200);
    LabNode slow = cluster.node(2);
    try (SlowStorage fault = SlowStorage.start(slow, delay)) {
      for (int key = 0; key < 5; key++) {
        assertThat(readNanos(key, ConsistencyLevel.ALL)).isGreaterThan(delay.toNanos());
      }
      awaitReadWithin(delay, ConsistencyLevel.ONE);
    }
    awaitReadWithin(delay, ConsistencyLevel.ALL);
  }

  @Test
  @Order(3)
  void should_show_a_pause_to_the_client_and_let_the_node_go_on() throws Exception {
    LabNode paused = cluster.node(2);
    Duration length = Duration.ofSeconds(1);
    try (StopAndContinue fault = StopAndContinue.start(paused, length, Duration.ofMinutes(5))) {
      await(() -> !fault.intervals().isEmpty());
      readFrom(paused);
      long answered = System.nanoTime();
      long start = fault.intervals().get(0).startNanos();
      assertThat(answered - start).isGreaterThanOrEqualTo(length.toNanos());
      // the answer may come before the end of the pause is written down
      await(() -> fault.intervals().get(0).endNanos() < System.nanoTime());
      assertThat(fault.intervals()).hasSize(1);
      assertThat(fault.intervals().get(0).endNanos() - start)
          .isGreaterThanOrEqualTo(length.toNanos());
    }
    assertThat(paused.isPaused()).isFalse();
  }

  @Test
  @Order(3)
  void should_let_the_node_go_on_when_the_fault_is_closed_within_a_pause() throws Exception {
    LabNode paused = cluster.node(2);
    try (StopAndContinue fault =
        StopAndContinue.start(paused, Duration.ofMinutes(1), Duration.ofMinutes(1))) {
      await(() -> paused.isPaused());
    }
    assertThat(paused.isPaused()).isFalse();
    readFrom(paused);
  }

  @Test
  @Order(4)
  void should_come_back_with_its_data_when_killed_and_restarted() throws IOException {
    LabNode node = cluster.node(3);
    session.execute(
        SimpleStatement.newInstance("INSERT INTO lab.rows (key, value) VALUES (1000, 'kept')")
            .setConsistencyLevel(ConsistencyLevel.ALL));
    long before = node.pid();
    node.kill();
    assertThat(node.isAlive()).isFalse();
    node.restart();
    assertThat(node.pid()).isNotEqualTo(before);
    SimpleStatement fromAll =
        SimpleStatement.newInstance("SELECT value FROM lab.rows WHERE key = 1000")
            .setConsistencyLevel(ConsistencyLevel.ALL);
    assertThat(session.execute(fromAll).one().getString(0)).isEqualTo("kept");
  }

  private static void readFrom(LabNode coordinator) {
    Node node = session.getMetadata().findNode(coordinator.address()).orElseThrow();
    assertThat(session.execute(read.bind(1).setNode(node)).one()).isNotNull();
  }

  /** At ALL, every read waits for the storage of all three nodes. */
  private static long readNanos(int key, ConsistencyLevel consistency) {
    long start = System.nanoTime();
    assertThat(session.execute(read.bind(key).setConsistencyLevel(consistency)).one()).isNotNull();
    return System.nanoTime() - start;
  }

  private static void awaitReadWithin(Duration limit, ConsistencyLevel consistency) {
    await(() -> readNanos(1, consistency) < limit.toNanos());
  }
}
