/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.curtail.driver.AdaptiveOption;
import io.curtail.driver.AdaptivePolicy;
import io.curtail.driver.FeedbackSessionBuilder;
import io.curtail.lab.fault.SlowStorage;
import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import io.curtail.testnode.ExportedMetrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The jar in three real nodes. What restarts a node comes last, because the others need whole. */
@SuppressWarnings("try") // what is only opened and closed
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PluginOnRealNodes {
  private static final String VERSION = "5.0.9";

  /** Far above what a busy machine does to a read. */
  private static final Duration SLOW = Duration.ofMillis(100);

  @TempDir private static Path directory;
  private static PluggedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        PluggedCluster.start(
            directory,
            VERSION,
            3,
            "delegate_snitch=GossipingPropertyFileSnitch\nmode=rank\npolicy=c3\n");
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
      cluster.assertNoErrors(node, "errors");
    }
  }

  /** Reads until a round is as it must be: before it, the coordinator learns. */
  private static void awaitRound(ConsistencyLevel level, BooleanSupplier asItMustBe) {
    await(
        () -> {
          cluster.read(1, 30, level);
          return asItMustBe.getAsBoolean();
        });
  }

  /** How many of so many reads are served by a replica. */
  private static long chosenOf(int reads, int replica) {
    long before = cluster.scores(1, replica).getLong("chosen");
    cluster.read(1, reads, ConsistencyLevel.ONE);
    return cluster.scores(1, replica).getLong("chosen") - before;
  }

  @Test
  @Order(1)
  void should_keep_data_centres_and_racks_of_the_delegate() {
    for (int node = 1; node <= 3; node++) {
      Row local = cluster.ask(node, "SELECT data_center, rack FROM system.local").get(0);
      assertThat(local.getString("data_center")).isEqualTo("dc1");
      assertThat(local.getString("rack")).isEqualTo(cluster.node(node).rack());
      int each = node;
      // a node writes it a little after it learns of its peers
      eventually(
          () ->
              assertThat(cluster.ask(each, "SELECT rack FROM system.peers"))
                  .extracting(row -> row.getString("rack"))
                  .doesNotContainNull()
                  .hasSize(2));
      assertThat(cluster.load(node, "mode")).isEqualTo("rank");
    }
  }

  @Test
  @Order(2)
  void should_learn_from_peers_what_they_report() {
    cluster.read(1, 400, ConsistencyLevel.ALL);
    for (int replica = 2; replica <= 3; replica++) {
      Row scores = cluster.scores(1, replica);
      assertThat(scores.getBoolean("reports")).isTrue();
      assertThat(scores.getLong("answered")).isGreaterThanOrEqualTo(400);
      assertThat(scores.getLong("without_feedback")).isZero();
      int peer = replica; // nobody waits for the answer to a probe
      eventually(
          () -> assertThat(cluster.scores(1, peer).getInt("outstanding")).as("read").isZero());
      assertThat(scores.getDouble("service_ms")).isPositive();
      assertThat(scores.getDouble("response_ms")).isPositive();
      assertThat(scores.getInt("slots")).isEqualTo(32);
    }
    assertThat(cluster.scores(1, 1).getDouble("service_ms")).isPositive();
  }

  @Test
  @Order(3)
  void should_avoid_a_slow_replica_and_take_it_back_when_it_recovered() throws Exception {
    cluster.read(1, 200, ConsistencyLevel.ALL);
    // Of three replicas, the coordinator itself is slow, then a peer too.
    try (SlowStorage self = SlowStorage.start(cluster.node(1), SLOW);
        SlowStorage peer = SlowStorage.start(cluster.node(2), SLOW)) {
      awaitRound(ConsistencyLevel.ONE, () -> chosenOf(200, 3) > 180);
    }
    awaitRound(ConsistencyLevel.ONE, () -> chosenOf(20, 1) > 0);
  }

  @Test
  @Order(3)
  void should_learn_of_the_others_while_it_reads_its_own_data() throws Exception {
    cluster.set(1, "badness_threshold", "100");
    cluster.set(1, "refresh_percent", "10");
    try {
      cluster.read(1, 200, ConsistencyLevel.ALL);
      try (SlowStorage second = SlowStorage.start(cluster.node(2), SLOW);
          SlowStorage third = SlowStorage.start(cluster.node(3), SLOW)) {
        awaitResponseOfOthers(millis -> millis > SLOW.toMillis());
      }
      awaitResponseOfOthers(millis -> millis < SLOW.toMillis());
      awaitRound(ConsistencyLevel.ONE, () -> chosenOf(200, 1) > 190);
    } finally {
      cluster.set(1, "badness_threshold", "0.3");
      cluster.set(1, "refresh_percent", "5");
    }
  }

  private static void awaitResponseOfOthers(DoublePredicate expected) {
    await(
        () -> {
          cluster.read(1, 300, ConsistencyLevel.ONE);
          return expected.test(cluster.scores(1, 2).getDouble("response_ms"))
              && expected.test(cluster.scores(1, 3).getDouble("response_ms"));
        });
  }

  @Test
  @Order(4)
  void should_switch_between_modes_while_reads_go_on() throws Exception {
    try (Management jmx = new Management(cluster.node(1));
        BackgroundReads reads = new BackgroundReads(cluster, ConsistencyLevel.QUORUM, 1, 2, 3)) {
      cluster.set(1, "mode", "off");
      assertThat(cluster.load(1, "mode")).isEqualTo("off");
      // What began before may end after.
      eventually(
          () -> {
            long sent = cluster.count(1, "feedback_sent");
            long before = cluster.count(1, "ranked");
            cluster.read(1, 100, ConsistencyLevel.ONE);
            cluster.read(2, 100, ConsistencyLevel.ALL);
            assertThat(cluster.count(1, "feedback_sent")).isEqualTo(sent);
            assertThat(cluster.count(1, "ranked")).isEqualTo(before);
          });
      long ranked = cluster.count(1, "ranked");

      cluster.set(1, "mode", "observe");
      long observed = cluster.count(1, "observed");
      cluster.read(1, 100, ConsistencyLevel.ONE);
      assertThat(cluster.count(1, "observed")).isGreaterThanOrEqualTo(observed + 100);
      assertThat(cluster.count(1, "ranked")).isEqualTo(ranked);

      jmx.setMode("rank+rate");
      cluster.read(1, 200, ConsistencyLevel.ONE);
      assertThat(cluster.count(1, "ranked")).isGreaterThanOrEqualTo(ranked + 200);
      assertThat(cluster.scores(1, 2).isNull("rate_limit")).isFalse();

      jmx.setMode("rank");
      cluster.read(1, 100, ConsistencyLevel.ALL);
      assertThat(cluster.scores(1, 2).isNull("rate_limit")).isTrue();
      assertThat(jmx.get(CurtailMBean.NAME, "Mode")).isEqualTo("rank");
      long before = cluster.count(1, "ranked");
      assertThat((Long) jmx.get("org.apache.cassandra.metrics:type=Curtail,name=Ranked", "Value"))
          .isBetween(before, cluster.count(1, "ranked"));
      // They come and go with the peers at the plug-in's next look, some time after a switch.
      eventually(
          () ->
              assertThat(jmx.beans("org.apache.cassandra.metrics:type=Curtail,name=Outstanding,*"))
                  .isBetween(2L, 3L));
      assertThat(ExportedMetrics.of(jmx.names("org.apache.cassandra.metrics:*")))
          .containsAll(ExportedMetrics.usedOfServer());
      assertThat(ExportedMetrics.usedOfServer())
          .contains("curtail_PassedOn", "curtail_Outstanding");
    }
  }

  @Test
  @Order(5)
  void should_refuse_settings_that_it_does_not_understand() {
    assertThatThrownBy(() -> cluster.set(1, "mode", "fast"))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("off, observe, rank, rank+rate");
    assertThatThrownBy(() -> cluster.set(1, "delegate_snitch", "SimpleSnitch"))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("restart");
    assertThat(cluster.load(1, "mode")).isEqualTo("rank");
  }

  @Test
  @Order(6)
  void should_take_settings_from_the_file_when_it_changes() throws Exception {
    Path file = directory.resolve("curtail.properties");
    String before = Files.readString(file);
    Files.writeString(file, before.replace("mode=rank", "mode=observe"));
    await(() -> cluster.load(2, "mode").equals("observe"));
    Files.writeString(file, before + "mode=nonsense\n");
    await(() -> cluster.log(2).contains("Curtail keeps its settings"));
    assertThat(cluster.load(2, "mode")).isEqualTo("observe");
    Files.writeString(file, before);
    for (int node = 1; node <= 3; node++) {
      int each = node;
      await(() -> cluster.load(each, "mode").equals("rank"));
    }
  }

  @Test
  @Order(7)
  void should_report_load_to_drivers_that_ask() {
    SimpleStatement read = SimpleStatement.newInstance("SELECT value FROM ks.rows WHERE key = 1");
    assertThat(cluster.session().execute(read).getExecutionInfo().getIncomingPayload()).isEmpty();
    Map<String, ByteBuffer> answer =
        cluster
            .session()
            .execute(read.setCustomPayload(Map.of(CurtailQueryHandler.KEY, ByteBuffer.allocate(0))))
            .getExecutionInfo()
            .getIncomingPayload();
    Feedback feedback = FeedbackCodec.decode(answer.get(CurtailQueryHandler.KEY));
    assertThat(feedback.slots()).isEqualTo(32);
    assertThat(feedback.serviceTimeNanos()).isPositive();
  }

  @Test
  @Order(7)
  void should_rank_by_what_nodes_report_when_a_session_hears_them() {
    DriverConfigLoader config =
        PluggedCluster.patient(cluster.cluster())
            .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class)
            .withString(AdaptiveOption.RANKING, "c3-per-slot")
            .withInt(AdaptiveOption.CLIENTS, 2)
            .build();
    try (CqlSession hearing =
        new FeedbackSessionBuilder()
            .addContactPoints(cluster.cluster().contactPoints())
            .withConfigLoader(config)
            .build()) {
      PreparedStatement read = hearing.prepare("SELECT value FROM ks.rows WHERE key = ?");
      AdaptivePolicy policy =
          (AdaptivePolicy) hearing.getContext().getLoadBalancingPolicy("default");
      eventually(
          () -> {
            for (int key = 0; key < PluggedCluster.ROWS; key++) {
              assertThat(hearing.execute(read.bind(key)).one().getInt("value"))
                  .isEqualTo(key * key);
            }
            // What a node said counts for a second, and the ranking may leave one for longer.
            for (Node node : hearing.getMetadata().getNodes().values()) {
              hearing.execute(read.bind(1).setNode(node));
            }
            assertThat(policy.control().getNodes())
                .hasSize(3)
                .allMatch(node -> node.getReported().contains(" of 32, service time "));
          });
    }
  }

  /** One that waits is no help to its request, and in the way of others. */
  @Test
  @Order(8)
  void should_refuse_a_drivers_copy_at_once_when_no_read_thread_is_free() throws Exception {
    Node node = cluster.driverNode(2);
    Map<String, ByteBuffer> mark = Map.of(CurtailQueryHandler.COPY_KEY, ByteBuffer.allocate(0));
    SimpleStatement copy =
        SimpleStatement.newInstance("SELECT value FROM ks.rows WHERE key = 1")
            .setNode(node)
            .setCustomPayload(mark);
    List<CompletionStage<?>> burst = new ArrayList<>();
    try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW.multipliedBy(10))) {
      eventually(
          () -> {
            // Through another node: the copy waits for a thread of the node's clients else.
            if (burst.stream().allMatch(read -> read.toCompletableFuture().isDone())) {
              burst.clear();
              for (int key = 0; key < PluggedCluster.ROWS; key++) {
                burst.add(
                    cluster.session().executeAsync(cluster.readOf(key, 1, ConsistencyLevel.ALL)));
              }
            }
            assertThatThrownBy(() -> cluster.session().execute(copy))
                .isInstanceOfSatisfying(
                    AllNodesFailedException.class,
                    error ->
                        assertThat(error.getAllErrors().get(node))
                            .hasOnlyElementsOfType(BootstrappingException.class));
          });
      assertThat(cluster.count(2, "copies_refused")).isPositive();
      cluster
          .session()
          .execute(
              SimpleStatement.newInstance("INSERT INTO ks.rows (key, value) VALUES (1, 1)")
                  .setNode(node)
                  .setCustomPayload(mark));
    }
    patiently()
        .ignoreException(AllNodesFailedException.class)
        .untilAsserted(
            () -> assertThat(cluster.session().execute(copy).one().getInt("value")).isEqualTo(1));
  }

  @Test
  @Order(8)
  void should_spread_the_reads_of_a_query_that_sends_them_all_at_once() {
    cluster.read(1, 100, ConsistencyLevel.ALL);
    StringBuilder keys = new StringBuilder("0");
    for (int key = 1; key < 60; key++) {
      keys.append(", ").append(key);
    }
    String query = "SELECT value FROM ks.rows WHERE key IN (" + keys + ") LIMIT 60";
    // A moment in which a replica stands still makes it ten times less loved, and no query of five.
    eventually(
        () -> {
          for (int i = 0; i < 5; i++) {
            long[] before = chosen();
            assertThat(cluster.ask(1, query)).hasSize(60);
            long[] after = chosen();
            for (int replica = 0; replica < 3; replica++) {
              // A query that forgot its own picks would send all sixty to one replica.
              assertThat(after[replica] - before[replica]).as("replica " + replica).isLessThan(50);
            }
          }
        });
  }

  private static long[] chosen() {
    long[] chosen = new long[3];
    for (int replica = 1; replica <= 3; replica++) {
      chosen[replica - 1] = cluster.scores(1, replica).getLong("chosen");
    }
    return chosen;
  }

  @Test
  @Order(9)
  void should_leave_and_come_back_through_jmx() throws Exception {
    try (Management jmx = new Management(cluster.node(1));
        BackgroundReads reads = new BackgroundReads(cluster, ConsistencyLevel.QUORUM, 1)) {
      jmx.updateSnitch("GossipingPropertyFileSnitch", true);
      await(() -> cluster.load(1, "mode").equals("off"));
      assertThat(cluster.load(1, "problem")).isEqualTo("another snitch is in use");
      eventually(
          () -> {
            long before = cluster.count(1, "ranked");
            cluster.read(1, 100, ConsistencyLevel.ONE);
            assertThat(cluster.count(1, "ranked")).isEqualTo(before);
          });
      long ranked = cluster.count(1, "ranked");

      jmx.updateSnitch(CurtailSnitch.class.getName(), true);
      await(() -> cluster.load(1, "problem").equals("dynamic_snitch is on"));
      assertThat(cluster.load(1, "mode")).isEqualTo("off");

      jmx.updateSnitch(CurtailSnitch.class.getName(), false);
      await(() -> cluster.load(1, "mode").equals("rank"));
      cluster.read(1, 100, ConsistencyLevel.ONE);
      assertThat(cluster.count(1, "ranked")).isGreaterThan(ranked);
    }
  }

  @Test
  @Order(10)
  void should_work_with_a_peer_without_the_jar() throws Exception {
    cluster.takeJarOut(3);
    try (BackgroundReads reads = new BackgroundReads(cluster, ConsistencyLevel.QUORUM, 1, 2)) {
      cluster.restart(3);
      assertThatThrownBy(() -> cluster.load(3, "mode")).isInstanceOf(InvalidQueryException.class);
      eventually(
          () -> {
            cluster.read(1, 100, ConsistencyLevel.ALL);
            Row stock = cluster.scores(1, 3);
            assertThat(stock.getLong("answered")).isGreaterThanOrEqualTo(100);
            assertThat(stock.getLong("without_feedback")).isEqualTo(stock.getLong("answered"));
            assertThat(stock.getBoolean("reports")).isFalse();
          });
      cluster.read(3, 200, ConsistencyLevel.ALL); // a stock coordinator of replicas with the jar
    }
    // Chosen when it is the best, not when it is not.
    try (SlowStorage one = SlowStorage.start(cluster.node(1), SLOW)) {
      try (SlowStorage two = SlowStorage.start(cluster.node(2), SLOW)) {
        awaitRound(ConsistencyLevel.ALL, () -> chosenOf(200, 3) > 160);
      }
      try (SlowStorage three = SlowStorage.start(cluster.node(3), SLOW)) {
        awaitRound(ConsistencyLevel.ALL, () -> chosenOf(200, 3) < 40);
      }
    }
  }

  @Test
  @Order(11)
  void should_order_as_stock_and_switch_itself_off_when_its_hooks_throw() throws Exception {
    cluster.edit(
        3,
        "cassandra.yaml",
        yaml ->
            yaml.replaceAll(
                    "endpoint_snitch: .*", "endpoint_snitch: " + CurtailSnitch.class.getName())
                .replaceAll("dynamic_snitch: .*", "dynamic_snitch: false"));
    Path jar = PluggedCluster.jar();
    Path sabotage = Sabotage.ofRanking(directory.resolve("ranking"));
    Sabotage.ofFeedback(directory.resolve("ranking"));
    cluster.edit(
        3,
        "jvm.options",
        options -> options.replaceAll("\"-cp\"\n\"", "\"-cp\"\n\"" + sabotage + ":" + jar + ":"));
    cluster.restart(3);
    await(
        () -> {
          cluster.read(3, 5, ConsistencyLevel.ALL);
          return cluster.load(3, "mode").equals("off");
        });
    assertThat(cluster.count(3, "errors")).isGreaterThanOrEqualTo(Guard.LIMIT);
    assertThat(cluster.load(3, "problem")).contains("sabotage");
    assertThat(cluster.count(3, "ranked")).isZero();
    cluster.read(3, 100, ConsistencyLevel.ALL);
    cluster.read(1, 100, ConsistencyLevel.ALL);
    assertThat(cluster.log(3)).contains("switched itself off");
  }

  @Test
  @Order(12)
  void should_refuse_to_start_where_a_node_would_change_its_rack() throws Exception {
    Path other =
        Files.writeString(directory.resolve("other.properties"), "delegate_snitch=SimpleSnitch\n");
    cluster.edit(
        3,
        "jvm.options",
        options -> options.replaceAll("-Dcurtail.config=[^\"]*", "-Dcurtail.config=" + other));
    assertThatThrownBy(() -> cluster.node(3).restart())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dc1");
    assertThat(cluster.node(3).isAlive()).isFalse();
  }
}
