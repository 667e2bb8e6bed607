/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.EmbeddedNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.repair.consistent.ConsistentSession.State;
import org.apache.cassandra.repair.consistent.LocalSessions;
import org.apache.cassandra.repair.messages.PrepareConsistentRequest;
import org.apache.cassandra.service.ActiveRepairService;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.streaming.PreviewKind;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.TimeUUID;
import org.apache.cassandra.utils.progress.ProgressListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repairs that go by the mark of what is repaired, which rows in RocksDB do not have. */
class IncrementalRepairTest {
  private static final String REFUSED = "[marked.rocks] have rows in RocksDB";
  private static final String WAY_OUT = "nodetool repair --full";

  private final EmbeddedNode node = TestNode.start();

  /** Two replicas of which one is not there: else Cassandra repairs nothing. */
  @BeforeEach
  void create() {
    node.cql(
        "CREATE KEYSPACE IF NOT EXISTS marked WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 2}");
    node.cql(
        "CREATE TABLE IF NOT EXISTS marked.rocks (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    node.cql("CREATE TABLE IF NOT EXISTS marked.stock (k int PRIMARY KEY)");
    node.cql("INSERT INTO marked.rocks (k) VALUES (1)");
    Engine.running().watch.look();
  }

  private static Collection<String> repair(Map<String, String> options) throws Exception {
    Collection<String> said = new ConcurrentLinkedQueue<>();
    ProgressListener listener = (tag, event) -> said.add(event.getMessage());
    Future<?> repair =
        StorageService.instance.repair("marked", new HashMap<>(options), List.of(listener)).right;
    repair.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return said;
  }

  @Test
  void should_be_refused_with_the_way_out_when_they_begin_here() throws Exception {
    for (Map<String, String> options :
        List.of(
            Map.of("incremental", "true"),
            Map.of("incremental", "true", "columnFamilies", "stock,rocks"),
            Map.of("incremental", "true", "previewKind", "UNREPAIRED", "repairPaxos", "false"),
            Map.of("incremental", "false", "previewKind", "REPAIRED", "repairPaxos", "false"))) {
      assertThat(repair(options))
          .as(options.toString())
          .anySatisfy(line -> assertThat(line).contains(REFUSED, WAY_OUT));
    }
  }

  @Test
  void should_go_on_when_they_are_full_or_of_other_tables() throws Exception {
    for (Map<String, String> options :
        List.of(
            Map.of("incremental", "false"),
            Map.of("incremental", "false", "previewKind", "ALL", "repairPaxos", "false"),
            Map.of("incremental", "true", "columnFamilies", "stock"))) {
      assertThat(repair(options))
          .as(options.toString())
          .noneMatch(line -> line.contains(REFUSED))
          .anyMatch(line -> line.contains("Nothing to repair"));
    }
  }

  /** As a node without the engine begins it: this node's part fails, and nobody waits for it. */
  @Test
  void should_fail_when_another_node_began_it() {
    assertThat(prepared("rocks", "stock")).isEqualTo(State.FAILED);
    assertThat(prepared("stock")).isEqualTo(State.PREPARED);
  }

  private State prepared(String... tables) {
    List<ColumnFamilyStore> stores =
        List.of(tables).stream()
            .map(table -> node.store("marked", table))
            .collect(Collectors.toList());
    Token least = stores.get(0).getPartitioner().getMinimumToken();
    InetAddressAndPort here = FBUtilities.getBroadcastAddressAndPort();
    TimeUUID id = TimeUUID.Generator.nextTimeUUID();
    ActiveRepairService.instance()
        .registerParentRepairSession(
            id,
            here,
            stores,
            Set.of(new Range<>(least, least)),
            true,
            System.currentTimeMillis(),
            true,
            PreviewKind.NONE);
    LocalSessions sessions = ActiveRepairService.instance().consistent.local;
    sessions.handlePrepareMessage(
        Message.out(
            Verb.PREPARE_CONSISTENT_REQ, new PrepareConsistentRequest(id, here, Set.of(here))));
    await(() -> sessions.getSession(id).getState() != State.PREPARING);
    State state = sessions.getSession(id).getState();
    sessions.failSession(id, false);
    return state;
  }
}
