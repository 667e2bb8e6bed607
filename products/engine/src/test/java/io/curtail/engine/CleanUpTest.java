/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.common.net.InetAddresses;
import io.curtail.engine.snapshot.Restore;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a clean-up removes, and what it does when the ring or the table changes under it. */
class CleanUpTest {
  private static final AtomicInteger KEYSPACES = new AtomicInteger();

  private final EmbeddedNode node = TestNode.start();
  private final String keyspace = "cleaned" + KEYSPACES.incrementAndGet();
  private final TokenMetadata ring = StorageService.instance.getTokenMetadata();
  private final InetAddressAndPort other =
      InetAddressAndPort.getByAddress(InetAddresses.forString("127.0.0.98"));
  private final InetAddressAndPort third =
      InetAddressAndPort.getByAddress(InetAddresses.forString("127.0.0.99"));
  private EngineControl control;

  /** A keyspace with a table in which partition 2 is larger than what is done in one go. */
  private void create() {
    node.cql("CREATE KEYSPACE " + keyspace + " WITH replication = " + replicas(1));
    node.cql(
        "CREATE TABLE "
            + keyspace
            + ".t (p int, c int, v text, s int STATIC, PRIMARY KEY (p, c)) WITH memtable ="
            + " 'rocksdb'");
    control = new EngineControl(Engine.running());
    for (int c = 0; c < 10; c++) {
      insert(1, c, "old");
      insert(3, c, "old");
    }
    for (int c = 0; c < 500; c++) {
      insert(2, c, "x".repeat(2_000));
    }
    cql("UPDATE # USING TIMESTAMP 1 SET s = 1 WHERE p = 3");
    cql("DELETE FROM # USING TIMESTAMP 2 WHERE p = 1");
    cql("DELETE FROM # USING TIMESTAMP 2 WHERE p = 3 AND c > 2 AND c < 8");
  }

  private static String replicas(int count) {
    return "{'class': 'SimpleStrategy', 'replication_factor': " + count + "}";
  }

  private void setReplicas(int count) {
    node.cql("ALTER KEYSPACE " + keyspace + " WITH replication = " + replicas(count));
  }

  /** Another node has all of the ring but one token. */
  private void giveAway() {
    long own = Long.parseLong(StorageService.instance.getTokens().get(0));
    ring.updateNormalToken(new LongToken(own - 1), other);
  }

  @AfterEach
  void getBack() {
    ring.removeEndpoint(other);
    ring.removeEndpoint(third);
  }

  /** On this node, whether or not it is a replica. */
  private void cql(String statement) {
    QueryProcessor.executeInternal(statement.replace("#", keyspace + ".t"));
  }

  private void insert(int p, int c, String v) {
    cql(String.format("INSERT INTO # (p, c, v) VALUES (%d, %d, '%s') USING TIMESTAMP 1", p, c, v));
  }

  private long cleanup() throws Exception {
    return control.cleanup(keyspace, "t");
  }

  private TableStore store() {
    return TestNode.memtable(node.store(keyspace, "t")).store();
  }

  private int records() {
    return TestNode.records(store());
  }

  @Test
  void should_remove_all_when_another_node_has_it() throws Exception {
    create();
    giveAway();
    assertThat(cleanup()).isEqualTo(3);
    assertThat(records()).isZero();
    assertThat(cleanup()).isZero();
  }

  @Test
  void should_tell_how_many_partitions_are_restored_that_another_node_has() throws Exception {
    create();
    node.store(keyspace, "t").snapshot("whole");
    cql("TRUNCATE #");
    Logger logger = (Logger) LoggerFactory.getLogger(Restore.class);
    ListAppender<ILoggingEvent> heard = new ListAppender<>();
    heard.start();
    logger.addAppender(heard);
    try {
      control.restore(keyspace, "t", "whole");
      assertThat(heard.list).noneMatch(event -> event.getLevel() == Level.WARN);
      giveAway();
      control.restore(keyspace, "t", "whole");
    } finally {
      logger.detachAppender(heard);
    }
    assertThat(heard.list)
        .anyMatch(
            event ->
                event
                    .getFormattedMessage()
                    .startsWith("3 of the partitions of " + keyspace + ".t that were restored"));
  }

  @Test
  void should_refuse_when_data_files_of_cassandra_have_what_another_node_has() throws Exception {
    create();
    node.cql("ALTER TABLE " + keyspace + ".t WITH memtable = 'default'");
    await(() -> node.store(keyspace, "t").getLiveSSTables().size() == 1);
    node.cql("ALTER TABLE " + keyspace + ".t WITH memtable = 'rocksdb'");
    assertThat(cleanup()).isZero();
    giveAway();
    assertThatThrownBy(this::cleanup)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("run nodetool cleanup of it first");
  }

  @Test
  void should_remove_nothing_when_a_node_has_a_part_in_all() throws Exception {
    create();
    int before = records();
    assertThat(cleanup()).isZero();
    assertThat(records()).isEqualTo(before);
  }

  @Test
  void should_remove_nothing_when_what_is_lost_is_behind_the_last_token() throws Exception {
    create();
    int before = records();
    Token own = new LongToken(Long.parseLong(StorageService.instance.getTokens().get(0)));
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    // Of the other is what is between the last token and the first, which no partition has.
    ring.updateNormalTokens(List.of(own, new LongToken(Long.MAX_VALUE)), self);
    ring.updateNormalToken(new LongToken(Long.MIN_VALUE + 1), other);
    try {
      assertThat(cleanup()).isZero();
    } finally {
      ring.updateNormalToken(own, self);
    }
    assertThat(records()).isEqualTo(before);
  }

  @Test
  void should_keep_what_deletes_rows_when_a_partition_is_written_meanwhile() throws Exception {
    create();
    giveAway();
    FutureTask<Long> cleanup;
    try (Held held = new Held(1)) {
      cleanup = held.begin();
      cql("INSERT INTO # (p, c, v) VALUES (1, 5, 'new') USING TIMESTAMP 3");
    }
    assertThat(cleanup.get(3, TimeUnit.MINUTES)).isEqualTo(2);
    ring.removeEndpoint(other);
    assertThat(node.rows("SELECT p, c, v FROM " + keyspace + ".t"))
        .containsExactly("p=1, c=5, v='new'");
  }

  @Test
  void should_remove_nothing_more_when_a_node_gets_its_part_back() throws Exception {
    create();
    giveAway();
    int before = records();
    FutureTask<Long> cleanup;
    try (Held held = new Held(1)) {
      cleanup = held.begin();
      setReplicas(2);
    }
    assertFailed(cleanup, "may get back what it would remove");
    assertThat(records()).isEqualTo(before);
  }

  @Test
  void should_refuse_when_nodes_leave_and_go_on_when_they_have() throws Exception {
    create();
    giveAway();
    ring.addLeavingEndpoint(third);
    assertThatThrownBy(this::cleanup).hasMessageContaining("try again when that is over");
    ring.removeEndpoint(third);
    FutureTask<Long> cleanup;
    try (Held held = new Held(1)) {
      cleanup = held.begin();
      ring.invalidateCachedRings();
    }
    assertThat(cleanup.get(3, TimeUnit.MINUTES)).isEqualTo(3);
  }

  @Test
  void should_refuse_a_second_one_at_once() throws Exception {
    create();
    giveAway();
    FutureTask<Long> cleanup;
    try (Held held = new Held(1)) {
      cleanup = held.begin();
      assertThatThrownBy(this::cleanup).hasMessageContaining("goes on already");
      assertThat(control.getProgress()).containsOnlyKeys("cleanup " + keyspace + ".t");
    }
    assertThat(cleanup.get(3, TimeUnit.MINUTES)).isEqualTo(3);
    assertThat(control.getProgress()).isEmpty();
  }

  @Test
  void should_be_shown_and_ended_by_nodetool() throws Exception {
    create();
    giveAway();
    FutureTask<Long> cleanup;
    try (Held held = new Held(1)) {
      cleanup = held.begin();
      assertThat(CompactionManager.instance.getCompactions())
          .anyMatch(
              shown ->
                  keyspace.equals(shown.get("keyspace"))
                      && "Cleanup".equals(shown.get("taskType")));
      CompactionManager.instance.stopCompaction("CLEANUP");
    }
    assertFailed(cleanup, "was stopped");
    assertThat(CompactionManager.instance.getCompactions())
        .noneMatch(shown -> keyspace.equals(shown.get("keyspace")));
    assertThat(cleanup()).isPositive();
  }

  @Test
  void should_end_when_the_table_is_emptied_or_moved() throws Exception {
    create();
    for (String statement :
        new String[] {"TRUNCATE #", "ALTER TABLE # WITH memtable = 'default'"}) {
      insert(1, 1, "again");
      giveAway();
      FutureTask<Long> cleanup;
      try (Held held = new Held(1)) {
        cleanup = held.begin();
        ring.removeEndpoint(other);
        node.cql(statement.replace("#", keyspace + ".t"));
        giveAway();
      }
      assertFailed(cleanup, "emptied, dropped or altered");
    }
  }

  private static void assertFailed(FutureTask<Long> cleanup, String message) {
    assertThatThrownBy(() -> cleanup.get(3, TimeUnit.MINUTES))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasStackTraceContaining(message);
  }

  /** A partition of which this thread has the lock, so that a clean-up stops before it. */
  private final class Held implements AutoCloseable {
    private final Lock lock;

    Held(int p) {
      TableStore store = store();
      lock =
          store.locks.exclusive(
              store.keys.encode(node.store(keyspace, "t").decorateKey(ByteBufferUtil.bytes(p))));
      lock.lock();
    }

    /** Begins a clean-up and returns when it waits for the lock. */
    FutureTask<Long> begin() {
      FutureTask<Long> cleanup = new FutureTask<>(CleanUpTest.this::cleanup);
      Thread thread = new Thread(cleanup, "cleanup");
      thread.start();
      await(
          () ->
              Arrays.stream(thread.getStackTrace())
                  .map(StackTraceElement::toString)
                  .anyMatch(frame -> frame.contains("ReentrantReadWriteLock$WriteLock.lock")));
      return cleanup;
    }

    @Override
    public void close() {
      lock.unlock();
    }
  }
}
