/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import io.curtail.testnode.PackedClassPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;

/**
 * The node that all tests of this JVM share, with a stock memtable and RocksDB; and nodes in child
 * processes, which may be killed.
 */
public final class TestNode {
  /** The keyspace of tests that have a node for themselves. */
  public static final String KEYSPACE =
      "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

  private static EmbeddedNode node;

  private TestNode() {}

  public static synchronized EmbeddedNode start() {
    if (node == null) {
      // It never starts again, so it need not write its schema to disk with each statement.
      NodeSettings settings =
          settings(newDirectory("shared")).property("cassandra.unsafesystem", "true");
      node = EmbeddedNode.start(settings);
      node.cql(KEYSPACE.replace(" k ", " twin "));
    }
    return node;
  }

  public static NodeSettings settings(Path directory) {
    return guarded(directory)
        .memtable("rocksdb", RocksMemtable.class.getName(), parameters())
        .memtable("skiplist", "SkipListMemtable", Map.of())
        .memtable("compared", ComparedMemtable.class.getName(), compared("trie", "1h"))
        .memtable("comparedlist", ComparedMemtable.class.getName(), compared("skiplist", "1h"))
        .memtable("comparedsmall", ComparedMemtable.class.getName(), small(compared("trie", "1h")));
  }

  /** A kill loses nothing that Cassandra's own log has: it is synced before a write is answered. */
  static NodeSettings synced(NodeSettings settings) {
    return settings.yaml("commitlog_sync", "batch").yaml("commitlog_sync_period", "0ms");
  }

  /** A node without tables in RocksDB. */
  static NodeSettings guarded(Path directory) {
    return plain(directory)
        .memtable("trie", "TrieMemtable", Map.of())
        .memtable("default", GuardedMemtable.class.getName(), Map.of("configuration", "trie"));
  }

  /** A node without the engine in its configuration. */
  static NodeSettings plain(Path directory) {
    return new NodeSettings(directory)
        .classPath(ArchivedClasses.CLASS_PATH)
        .classArchive(ArchivedClasses.ARCHIVE);
  }

  /** Written by the first node; half the processor time of each later start. */
  private static final class ArchivedClasses {
    static final List<Path> CLASS_PATH;
    static final Path ARCHIVE;

    static {
      Path folder = newDirectory("classes");
      try {
        CLASS_PATH = PackedClassPath.in(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      ARCHIVE = folder.resolve("classes.jsa");
      ARCHIVE.toFile().deleteOnExit();
    }
  }

  /** Of a memtable that is compared with the engine, each partition. */
  static Map<String, String> compared(String configuration, String period) {
    return Map.of(
        "configuration", configuration, "with", "rocksdb", "sample", "1", "period", period);
  }

  private static Map<String, String> small(Map<String, String> compared) {
    Map<String, String> small = new HashMap<>(compared);
    small.put("disk", "1MiB");
    return small;
  }

  static Map<String, String> parameters() {
    // Not "auto": a library that is built and does not load is a fault.
    String merge = System.getProperty("curtail.merge", MergeLibrary.isBuilt() ? "native" : "java");
    return Map.of(
        "block_cache", "16MiB",
        "write_buffers", "16MiB",
        "write_buffer", "4MiB",
        "max_log_size", "16MiB",
        "move_at_once", "8MiB",
        "ingest_from", "8KiB",
        "merge", merge);
  }

  /** Those with others, or with other values. */
  static Map<String, String> parameters(Map<String, String> others) {
    Map<String, String> all = new HashMap<>(parameters());
    all.putAll(others);
    return all;
  }

  /** Tables in RocksDB have those with others, or with other values. */
  static NodeSettings with(NodeSettings settings, Map<String, String> others) {
    return settings.memtable("rocksdb", RocksMemtable.class.getName(), parameters(others));
  }

  /** Does one of {@link NodeActions}, with its arguments, in a node in a child process. */
  static List<String> call(NodeProcess node, String... action) throws IOException {
    return call(node, NodeActions.class, action);
  }

  /** The same of other actions. An action and arguments without spaces may be in one string. */
  static List<String> call(NodeProcess node, Class<?> actions, String... action)
      throws IOException {
    String[] words = String.join(" ", action).split(" ", -1);
    return node.call(actions, words[0], Arrays.copyOfRange(words, 1, words.length));
  }

  /** Does one of which the node dies. */
  static void die(NodeProcess node, String... action) {
    assertThatThrownBy(() -> call(node, action)).isInstanceOf(IOException.class);
  }

  static RocksMemtable memtable(ColumnFamilyStore store) {
    return (RocksMemtable) store.getTracker().getView().getCurrentMemtable();
  }

  /** Of a table in RocksDB. */
  public static TableStore store(ColumnFamilyStore table) {
    return memtable(table).store();
  }

  /** How many records RocksDB has of a table; none before its first write. */
  static int records(TableStore store) {
    int count = 0;
    if (store.family() == null) {
      return count;
    }
    try (ReadOptions reading = new ReadOptions().setTotalOrderSeek(true);
        RocksIterator records = store.database.iterator(store.family(), reading)) {
      for (records.seekToFirst(); records.isValid(); records.next()) {
        count++;
      }
    }
    return count;
  }

  /** Returns when a table has its index {@code TABLE_v}. */
  static void awaitIndex(ColumnFamilyStore store) {
    await(() -> store.getBuiltIndexes().contains(store.name + "_v"));
  }

  public static Path newDirectory(String name) {
    try {
      Path parent = Path.of("target", "nodes").toAbsolutePath();
      Files.createDirectories(parent);
      return Files.createTempDirectory(parent, name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
