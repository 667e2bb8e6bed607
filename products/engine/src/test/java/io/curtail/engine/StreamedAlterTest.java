/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.apache.cassandra.streaming.StreamingChannel.Factory.Global.streamingFactory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.streaming.CassandraIncomingFile;
import org.apache.cassandra.db.streaming.CassandraStreamReceiver;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.streaming.PreviewKind;
import org.apache.cassandra.streaming.StreamCoordinator;
import org.apache.cassandra.streaming.StreamOperation;
import org.apache.cassandra.streaming.StreamResultFuture;
import org.apache.cassandra.streaming.StreamSession;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.TimeUUID;
import org.junit.jupiter.api.Test;

/**
 * Tables that are altered while a stream comes in: Cassandra asks where to as it begins and ends.
 */
class StreamedAlterTest {
  private static final int KEYS = 10;

  private final EmbeddedNode node = TestNode.start();

  /** Cassandra adds its files to the table, then tries to give them up, which it refuses itself. */
  @Test
  void should_have_all_rows_of_a_stream_when_the_table_left_rocksdb_meanwhile() throws Exception {
    ColumnFamilyStore table = create("left", "rocksdb");
    CassandraStreamReceiver receiver = begin(table);
    alter(table, "default");
    receiver.finished();
    assertThatThrownBy(receiver::cleanup).hasMessageContaining("committed operation");
    assertThat(node.rows("SELECT k FROM twin.left")).hasSize(KEYS);
    assertThat(table.getLiveSSTables()).hasSize(1);
  }

  /** They are written to RocksDB; its file stays, since Cassandra does not give it up. */
  @Test
  void should_have_all_rows_of_a_stream_when_the_table_came_to_rocksdb_meanwhile()
      throws Exception {
    ColumnFamilyStore table = create("came", "default");
    CassandraStreamReceiver receiver = begin(table);
    alter(table, "rocksdb");
    receiver.finished();
    receiver.cleanup();
    assertThat(node.rows("SELECT k FROM twin.came")).hasSize(KEYS);
    assertThat(TestNode.records(TestNode.store(table))).isEqualTo(KEYS);
    assertThat(table.getLiveSSTables()).isEmpty();
  }

  /** Without Cassandra's commit log: what is not in data files then, a kill would take. */
  @Test
  void should_have_all_rows_in_data_files_when_the_table_left_between_two_of_them()
      throws Exception {
    ColumnFamilyStore table = create("left_halfway", "rocksdb");
    for (int k = 0; k < KEYS; k++) {
      node.cql("INSERT INTO twin.left_halfway (k) VALUES (" + k + ")");
    }
    String saved = TestNode.newDirectory("left_halfway").toString();
    NodeStreams.save("twin", "left_halfway", saved);
    node.cql("TRUNCATE twin.left_halfway");
    node.cql("INSERT INTO twin.left_halfway (k) VALUES (100)");
    TableStore store = TestNode.store(table);
    Lock middle = store.locks.exclusive(store.keys.encode(table.decorateKey(key(4))));
    FutureTask<Void> stream =
        new FutureTask<>(
            () -> {
              NodeStreams.load("twin", "left_halfway", saved);
              return null;
            });
    middle.lock();
    try {
      new Thread(stream, "stream").start();
      await(() -> TestNode.records(store) > 1);
      alter(table, "default");
    } finally {
      middle.unlock();
    }
    stream.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    await(() -> store.family() == null && table.getTracker().getView().flushingMemtables.isEmpty());
    await(() -> table.getTracker().getView().getCurrentMemtable().operationCount() == 0);
    assertThat(node.rows("SELECT k FROM twin.left_halfway")).hasSize(KEYS + 1);
    assertThat(table.getLiveSSTables()).isNotEmpty();
  }

  private ColumnFamilyStore create(String name, String memtable) {
    node.cql(
        "CREATE TABLE twin." + name + " (k int PRIMARY KEY) WITH memtable = '" + memtable + "'");
    return node.store("twin", name);
  }

  private void alter(ColumnFamilyStore table, String memtable) {
    node.cql("ALTER TABLE twin." + table.name + " WITH memtable = '" + memtable + "'");
  }

  private static ByteBuffer key(int k) {
    return ByteBufferUtil.bytes(k);
  }

  /** A stream of which all has been received, and nothing done with it. */
  private static CassandraStreamReceiver begin(ColumnFamilyStore table) throws Exception {
    StreamCoordinator streams =
        new StreamCoordinator(
            StreamOperation.REPAIR, 1, streamingFactory(), false, false, null, PreviewKind.NONE);
    StreamResultFuture nothing =
        StreamResultFuture.createInitiator(
            TimeUUID.Generator.nextTimeUUID(), StreamOperation.REPAIR, List.of(), streams);
    StreamSession session =
        streams.getOrCreateOutboundSession(FBUtilities.getBroadcastAddressAndPort());
    session.init(nothing);
    CassandraStreamReceiver receiver = new CassandraStreamReceiver(table, session, 1);
    TableMetadata metadata = table.metadata();
    SSTableMultiWriter file =
        table.createSSTableMultiWriter(
            table.newSSTableDescriptor(table.getDirectories().getDirectoryForNewSSTables()),
            KEYS,
            0,
            null,
            false,
            SerializationHeader.makeWithoutStats(metadata),
            receiver.createLifecycleNewTracker());
    for (PartitionUpdate partition : partitions(table)) {
      file.append(partition.unfilteredIterator());
    }
    receiver.received(
        new CassandraIncomingFile(table, session, null) {
          @Override
          public SSTableMultiWriter getSSTable() {
            return file;
          }
        });
    return receiver;
  }

  private static Iterable<PartitionUpdate> partitions(ColumnFamilyStore table) {
    TreeMap<DecoratedKey, PartitionUpdate> inOrder = new TreeMap<>();
    for (int k = 0; k < KEYS; k++) {
      PartitionUpdate.SimpleBuilder row = PartitionUpdate.simpleBuilder(table.metadata(), k);
      row.timestamp(1).row();
      PartitionUpdate update = row.build();
      inOrder.put(update.partitionKey(), update);
    }
    return inOrder.values();
  }
}
