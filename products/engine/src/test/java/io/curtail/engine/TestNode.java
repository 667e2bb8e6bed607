/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.NodeSettings;
import io.curtail.testnode.PackedClassPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The node that all tests of this JVM share, with a stock memtable and RocksDB. */
public final class TestNode {
  private static EmbeddedNode node;

  private TestNode() {}

  public static synchronized EmbeddedNode start() {
    if (node == null) {
      // It never starts again, so it need not write its schema to disk with each statement.
      NodeSettings settings =
          settings(newDirectory("shared")).property("cassandra.unsafesystem", "true");
      node = EmbeddedNode.start(settings);
      node.cql(
          "CREATE KEYSPACE twin WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    }
    return node;
  }

  static NodeSettings settings(Path directory) {
    return guarded(directory)
        .memtable("rocksdb", RocksMemtable.class.getName(), parameters())
        .memtable("skiplist", "SkipListMemtable", Map.of())
        .memtable("compared", ComparedMemtable.class.getName(), compared("trie", "1h"))
        .memtable("comparedlist", ComparedMemtable.class.getName(), compared("skiplist", "1h"));
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

  /** Written by the first node that is stopped; half the processor time of each later start. */
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

  static Map<String, String> parameters() {
    String merge = System.getProperty("curtail.merge", "native");
    return Map.of(
        "block_cache", "16MiB",
        "write_buffers", "16MiB",
        "write_buffer", "4MiB",
        "max_log_size", "16MiB",
        "merge", merge);
  }

  static Path newDirectory(String name) {
    try {
      Path parent = Path.of("target", "nodes").toAbsolutePath();
      Files.createDirectories(parent);
      return Files.createTempDirectory(parent, name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
