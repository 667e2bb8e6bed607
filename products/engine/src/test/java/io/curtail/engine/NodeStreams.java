/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;

import io.curtail.engine.codec.Keys;
import io.curtail.engine.table.FilesAwaited;
import io.curtail.engine.table.TableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.index.SecondaryIndexManager;
import org.apache.cassandra.io.sstable.Component;
import org.apache.cassandra.io.sstable.SSTableLoader;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.OutputHandler;
import org.apache.cassandra.utils.concurrent.Refs;

/** Streams inside a node in a child process: {@code CALL} of its commands. */
public final class NodeStreams {
  private NodeStreams() {}

  /** Keeps what the node would stream of a table: a file as a peer that receives it has it. */
  public static void save(String keyspace, String table, String directory) throws IOException {
    Path saved = Files.createDirectories(Path.of(directory, keyspace, table));
    try (Refs<SSTableReader> readers = TemporaryFilesTest.write(store(keyspace, table))) {
      for (SSTableReader reader : readers) {
        for (Component component : reader.getComponents()) {
          File file = reader.descriptor.fileFor(component);
          Files.copy(file.toPath(), saved.resolve(file.name()));
        }
      }
    }
  }

  /** Streams it to the node, as sstableloader and, but for views, as repairs and joins do. */
  public static void load(String keyspace, String table, String directory) throws Exception {
    new SSTableLoader(
            new File(directory + "/" + keyspace + "/" + table),
            new Loader(keyspace),
            new OutputHandler.LogOutput())
        .stream().get();
  }

  /** The same; the process dies while what came is indexed, which cannot end before. */
  public static void loadAndDie(String keyspace, String table, String directory) throws Exception {
    SecondaryIndexManager indexes = store(keyspace, table).indexManager;
    ColumnFamilyStore index = indexes.getAllIndexColumnFamilyStores().iterator().next();
    TableStore entries = TestNode.store(index);
    DecoratedKey three = index.decorateKey(Int32Type.instance.decompose(3));
    entries.locks.exclusive(entries.keys.encode(three)).lock();
    new Thread(
            () -> {
              await(() -> indexes.isIndexBuilding("v"));
              NodeActions.die();
            })
        .start();
    load(keyspace, table, directory);
  }

  /**
   * The same; the process dies when all has been received and the partitions are written that
   * stand, in the order of the file, before a place in it, or less: they have the keys 0 to n.
   */
  public static void loadAndDieWriting(
      String keyspace, String table, String directory, String n, String place) {
    TableStore rocks = rocks(keyspace, table);
    List<DecoratedKey> inOrder = new ArrayList<>();
    for (int k = 0; k < Integer.parseInt(n); k++) {
      inOrder.add(key(keyspace, table, k));
    }
    Collections.sort(inOrder);
    Lock held = lock(rocks, inOrder.get(Integer.parseInt(place)));
    int first = 0;
    while (lock(rocks, inOrder.get(first)) != held) {
      first++;
    }
    DecoratedKey before = first == 0 ? null : inOrder.get(first - 1);
    held.lock();
    new Thread(
            () -> {
              try {
                load(keyspace, table, directory);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            })
        .start();
    await(() -> rocks.receivedStreams.areAny() && (before == null || isKnown(rocks, before)));
    NodeActions.die();
  }

  private static Lock lock(TableStore rocks, DecoratedKey key) {
    return rocks.locks.exclusive(rocks.keys.encode(key));
  }

  /** The same, with no file given up as absorbed until {@link #release}. */
  public static void loadAndHold(String keyspace, String table, String directory) throws Exception {
    awaited(keyspace, table).begin();
    load(keyspace, table, directory);
  }

  public static void release(String keyspace, String table) {
    awaited(keyspace, table).end();
  }

  /** Removes what nobody can read any more; how many records are left. */
  public static String sweep(String keyspace, String table) throws IOException {
    new EngineControl(Engine.running()).sweep(keyspace, table);
    return Integer.toString(TestNode.records(rocks(keyspace, table)));
  }

  /** Whether RocksDB has anything of a row of a table without clustering columns, by its number. */
  public static String isKnown(String keyspace, String table, String k) {
    DecoratedKey key = key(keyspace, table, Integer.parseInt(k));
    return Boolean.toString(isKnown(rocks(keyspace, table), key));
  }

  private static boolean isKnown(TableStore rocks, DecoratedKey key) {
    byte[] record = Keys.record(rocks.keys.encode(key), Keys.ROW);
    return rocks.database.get(rocks.family(), record) != null;
  }

  private static DecoratedKey key(String keyspace, String table, int k) {
    return store(keyspace, table).decorateKey(Int32Type.instance.decompose(k));
  }

  private static ColumnFamilyStore store(String keyspace, String table) {
    return Keyspace.open(keyspace).getColumnFamilyStore(table);
  }

  private static TableStore rocks(String keyspace, String table) {
    return TestNode.memtable(store(keyspace, table)).store();
  }

  private static FilesAwaited awaited(String keyspace, String table) {
    return rocks(keyspace, table).filesAwaited;
  }

  /** Streams the whole ring to this node. */
  private static final class Loader extends SSTableLoader.Client {
    private final String keyspace;

    Loader(String keyspace) {
      this.keyspace = keyspace;
    }

    @Override
    public void init(String ignored) {
      Token least = DatabaseDescriptor.getPartitioner().getMinimumToken();
      addRangeForEndpoint(new Range<>(least, least), FBUtilities.getBroadcastAddressAndPort());
    }

    @Override
    public TableMetadataRef getTableMetadata(String table) {
      return Schema.instance.getTableMetadataRef(keyspace, table);
    }
  }
}
