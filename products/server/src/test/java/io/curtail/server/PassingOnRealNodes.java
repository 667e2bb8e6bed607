/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.curtail.lab.fault.SlowStorage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads that are passed on, in three real nodes with two read threads each. Each replica has every
 * row. What restarts a node comes last.
 */
@SuppressWarnings("try") // what is only opened and closed
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PassingOnRealNodes {
  private static final Duration SLOW = Duration.ofMillis(100);
  private static final Duration TEN_TIMES_SLOWER = SLOW.multipliedBy(10);
  private static final int AT_ONCE = 40;

  /** So few that threads are free. */
  private static final int FEW = 4;

  /**
   * So many that threads are short at times, and so few that most nodes that answer have no queue.
   */
  private static final int SOME = 12;

  @TempDir private static Path directory;
  private static PluggedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = PluggedCluster.startPassing(directory, "5.0.9");
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

  /** Reads many keys at once through one node and checks every value. */
  private static void readAtOnce(int coordinator, ConsistencyLevel level) {
    readAtOnce(AT_ONCE, coordinator, level);
  }

  private static void readAtOnce(int keys, int coordinator, ConsistencyLevel level) {
    cluster.readAtOnce(keys, coordinator, level);
  }

  private static void readUntil(ConsistencyLevel level, BooleanSupplier done) {
    await(
        () -> {
          readAtOnce(1, level);
          return done.getAsBoolean();
        });
  }

  private static BooleanSupplier grows(int node, String... names) {
    return cluster.grows(node, names);
  }

  @Test
  @Order(1)
  void should_send_reads_on_when_a_replica_has_no_free_thread() throws Exception {
    BooleanSupplier passed = grows(1, "carried", "passed_on");
    BooleanSupplier givenBack = grows(2, "given_back", "served_at_once");
    try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW)) {
      readUntil(ConsistencyLevel.ONE, () -> passed.getAsBoolean() && givenBack.getAsBoolean());
    }
    assertThat(cluster.count(1, "carried_in_vain")).isZero();
    assertThat(cluster.count(1, "passed_gain_us")).isNotZero();
    readUntil(
        ConsistencyLevel.ONE,
        () ->
            cluster.ask(1, "SELECT journey FROM curtail.decisions").stream()
                .anyMatch(row -> row.getString("journey").contains("answered by")));
    assertThat(cluster.scores(1, 2).getLong("gave_back")).isPositive();
    // Each count is read by itself, and reads may still come back.
    await(
        () -> {
          long passedTo = 0;
          for (int node = 1; node <= 3; node++) {
            passedTo += cluster.scores(1, node).getLong("passed_to");
          }
          return passedTo == cluster.count(1, "passed_on") + cluster.count(1, "sent_away");
        });
  }

  @Test
  @Order(2)
  void should_send_own_reads_away_when_this_node_has_no_free_thread() throws Exception {
    BooleanSupplier away = grows(1, "sent_away");
    try (SlowStorage slow = SlowStorage.start(cluster.node(1), SLOW)) {
      readUntil(ConsistencyLevel.ONE, away);
      readUntil(ConsistencyLevel.LOCAL_QUORUM, grows(1, "sent_away"));
    }
  }

  @Test
  @Order(3)
  void should_pass_a_quorum_read_only_to_a_replica_that_was_not_asked() throws Exception {
    try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW)) {
      readUntil(ConsistencyLevel.QUORUM, grows(1, "passed_on"));
      long carried = cluster.count(1, "carried");
      readAtOnce(1, ConsistencyLevel.ALL);
      assertThat(cluster.count(1, "carried")).isEqualTo(carried);
    }
  }

  @Test
  @Order(4)
  void should_read_what_was_written_while_passing_is_switched() throws Exception {
    cluster.change("CREATE TABLE ks.written (key int PRIMARY KEY, value int)");
    try (SlowStorage slow = SlowStorage.start(cluster.node(2), Duration.ofMillis(20));
        WrittenValues one = new WrittenValues(cluster, ConsistencyLevel.ONE, 1);
        WrittenValues quorum = new WrittenValues(cluster, ConsistencyLevel.QUORUM, 2)) {
      for (String passing : new String[] {"off", "on", "observe", "on"}) {
        for (int node = 1; node <= 3; node++) {
          cluster.set(node, "passing", passing);
        }
        one.awaitMore(60);
        quorum.awaitMore(60);
      }
      BooleanSupplier passed = grows(1, "carried");
      await(passed::getAsBoolean);
    }
  }

  @Test
  @Order(5)
  void should_count_what_would_be_passed_and_pass_nothing_when_it_observes() throws Exception {
    cluster.set(1, "passing", "observe");
    try (SlowStorage slow = SlowStorage.start(cluster.node(1), SLOW)) {
      long carried = cluster.count(1, "carried");
      long away = cluster.count(1, "sent_away");
      readUntil(ConsistencyLevel.ONE, grows(1, "would_pass"));
      assertThat(cluster.count(1, "carried")).isEqualTo(carried);
      assertThat(cluster.count(1, "sent_away")).isEqualTo(away);
    } finally {
      cluster.set(1, "passing", "on");
    }
  }

  @Test
  @Order(6)
  void should_end_every_read_when_a_replica_dies_with_reads_in_hand() throws Exception {
    List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
    BooleanSupplier given = grows(1, "carried");
    try (SlowStorage slow = SlowStorage.start(cluster.node(3), Duration.ofSeconds(2))) {
      await(
          () -> {
            for (int key = 0; key < 20; key++) {
              answers.add(
                  cluster.session().executeAsync(cluster.readOf(key, 1, ConsistencyLevel.ONE)));
            }
            return given.getAsBoolean();
          });
      cluster.node(3).kill();
      await(() -> answers.stream().allMatch(answer -> answer.toCompletableFuture().isDone()));
    }
    cluster.restart(3);
    readUntil(ConsistencyLevel.ONE, grows(1, "carried"));
  }

  /** Of three replicas one is stale: if it answered twice, a quorum would be stale. */
  @Test
  @Order(7)
  void should_read_what_a_quorum_wrote_when_second_copies_meet_reads_that_are_passed_on()
      throws Exception {
    cluster.change(
        "CREATE TABLE ks.stale (key int PRIMARY KEY, value int)"
            + " WITH speculative_retry = '2ms' AND read_repair = 'NONE'");
    writeAll(ConsistencyLevel.ALL, 1);
    // Not killed, which takes ten seconds of its commit log: it must know the first value.
    cluster.node(3).stop();
    writeAll(ConsistencyLevel.QUORUM, 2);
    cluster.restart(3);
    PreparedStatement read = cluster.session().prepare("SELECT value FROM ks.stale WHERE key = ?");
    assertThat(values(read, 3, ConsistencyLevel.ONE, AT_ONCE)).contains(1);
    BooleanSupplier redirected = grows(1, "redirected", "passed_on");
    try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW)) {
      await(
          () -> {
            assertThat(values(read, 1, ConsistencyLevel.QUORUM, AT_ONCE)).containsOnly(2);
            return redirected.getAsBoolean();
          });
    }
  }

  /** A trace names all that each node did for a request. */
  @Test
  @Order(8)
  void should_trace_a_carried_read_at_its_replica() {
    InetSocketAddress replica = cluster.node(2).address();
    await(
        () -> {
          long carried = cluster.count(1, "carried");
          ExecutionInfo info =
              cluster
                  .session()
                  .execute(cluster.readOf(1, 1, ConsistencyLevel.ONE).setTracing(true))
                  .getExecutionInfo();
          return cluster.count(1, "carried") > carried
              && info.getQueryTrace().getEvents().stream()
                  .anyMatch(
                      event ->
                          replica.getAddress().equals(event.getSourceAddress().getAddress())
                              && event.getActivity().contains("single-partition query"));
        });
  }

  @Test
  @Order(8)
  void should_leave_reads_of_a_table_alone_when_the_operator_excepts_it() throws Exception {
    try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW)) {
      cluster.set(1, "passing_except", "ks.rows");
      long carried = cluster.count(1, "carried");
      readAtOnce(1, ConsistencyLevel.ONE);
      assertThat(cluster.count(1, "carried")).isEqualTo(carried);
      cluster.set(1, "passing_except", "none");
      readUntil(ConsistencyLevel.ONE, grows(1, "carried"));
    }
  }

  private static void setAll(String setting, String value) throws Exception {
    for (int node = 1; node <= 3; node++) {
      cluster.set(node, setting, value);
    }
  }

  /** Of three replicas one is stale, and Cassandra's own second copies are due after 2 ms. */
  @Test
  @Order(9)
  void should_copy_slow_reads_to_free_replicas_instead_of_cassandras_second_copies()
      throws Exception {
    setAll("copies_percent", "10");
    PreparedStatement read = cluster.session().prepare("SELECT value FROM ks.stale WHERE key = ?");
    try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW)) {
      for (String count :
          List.of(
              "copies_sent",
              "retries_held_back",
              "copies_first",
              "copies_gain_us",
              "retries_released")) {
        BooleanSupplier counted = grows(1, count);
        patiently()
            .alias(count)
            .until(
                () -> {
                  assertThat(values(read, 1, ConsistencyLevel.QUORUM, FEW)).containsOnly(2);
                  return counted.getAsBoolean();
                });
      }
    }
    BooleanSupplier givenBack = grows(3, "copies_given_back");
    try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW);
        SlowStorage slowToo = SlowStorage.start(cluster.node(3), SLOW)) {
      await(
          () -> {
            readAtOnce(SOME, 1, ConsistencyLevel.ONE);
            return givenBack.getAsBoolean();
          });
    }
  }

  @Test
  @Order(10)
  void should_copy_reads_of_its_own_data_when_its_disk_is_slow() throws Exception {
    // It prefers itself, where one read at a time always finds a thread, and hears of others by
    // probes. A disk that stays slow is soon what the node is used to: it is slow at times.
    setAll("policy", "c3-per-slot");
    cluster.set(1, "badness_threshold", "100");
    cluster.set(1, "refresh_percent", "10");
    BooleanSupplier copied = grows(1, "copies_first");
    try (SlowStorage disk = SlowStorage.start(cluster.node(1), Duration.ZERO)) {
      await(
          () -> {
            disk.change(Duration.ZERO);
            readOneByOne(100);
            disk.change(TEN_TIMES_SLOWER); // than what a busy machine makes of other reads
            readOneByOne(5);
            return copied.getAsBoolean();
          });
    } finally {
      cluster.set(1, "refresh_percent", "0");
      setAll("policy", "random");
    }
    readOneByOne(100); // a third of them its own: by the last sixteen it is taken for slow or not
  }

  @Test
  @Order(11)
  void should_read_its_own_data_by_an_index_with_second_copies_on() throws Exception {
    setAll("policy", "c3-per-slot");
    setAll("badness_threshold", "100");
    setAll("passing_hop_ms", "0");
    setAll("copies_percent", "10");
    try {
      new OwnIndex(cluster).assertReadsItself();
    } finally {
      setAll("passing_hop_ms", "5");
      setAll("policy", "random");
    }
    cluster.assertNoErrors(3, "errors", "passing_errors");
  }

  private static void readOneByOne(int reads) {
    for (int read = 0; read < reads; read++) {
      cluster.session().execute(cluster.readOf(1, 1, ConsistencyLevel.ONE));
    }
  }

  private static void writeAll(ConsistencyLevel level, int value) {
    PreparedStatement write =
        cluster.session().prepare("INSERT INTO ks.stale (key, value) VALUES (?, ?)");
    for (int key = 0; key < AT_ONCE; key++) {
      cluster
          .session()
          .execute(
              write.bind(key, value).setConsistencyLevel(level).setNode(cluster.driverNode(1)));
    }
  }

  /** What one coordinator finds when it is asked for so many keys at once. */
  private static List<Integer> values(
      PreparedStatement read, int coordinator, ConsistencyLevel level, int keys) {
    List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
    for (int key = 0; key < keys; key++) {
      answers.add(
          cluster
              .session()
              .executeAsync(
                  read.bind(key)
                      .setConsistencyLevel(level)
                      .setNode(cluster.driverNode(coordinator))));
    }
    return answers.stream()
        .map(answer -> answer.toCompletableFuture().join().one().getInt("value"))
        .collect(Collectors.toList());
  }

  @Test
  @Order(12)
  void should_switch_passing_off_and_go_on_ranking_when_its_hooks_throw() throws Exception {
    Path jar = PluggedCluster.jar();
    Path sabotage = Sabotage.ofCarriers(directory.resolve("carriers"));
    cluster.edit(
        3,
        "jvm.options",
        options -> options.replaceAll("\"-cp\"\n\"", "\"-cp\"\n\"" + sabotage + ":" + jar + ":"));
    cluster.restart(3);
    readUntil(
        ConsistencyLevel.ONE,
        () -> cluster.load(3, "passing").equals("off") && cluster.load(3, "mode").equals("rank"));
    assertThat(cluster.count(3, "passing_errors")).isGreaterThanOrEqualTo(Guard.LIMIT);
    assertThat(cluster.load(3, "passing_problem")).contains("sabotage");
    assertThat(cluster.count(1, "carried_in_vain")).isPositive();
  }

  @Test
  @Order(13)
  void should_send_plain_reads_to_a_peer_without_the_jar() throws Exception {
    cluster.takeJarOut(3);
    cluster.restart(3);
    BooleanSupplier sentPlain = grows(1, "sent_plain");
    try (SlowStorage slow = SlowStorage.start(cluster.node(2), SLOW)) {
      BooleanSupplier plain = () -> cluster.scores(1, 3).getLong("without_feedback") > 20;
      readUntil(ConsistencyLevel.ONE, () -> plain.getAsBoolean() && sentPlain.getAsBoolean());
      readUntil(ConsistencyLevel.QUORUM, grows(1, "passed_on"));
    }
    assertThat(Files.readString(cluster.node(3).logFile())).doesNotContain("_TEST_2");
  }
}
