/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The node that all tests of this JVM share, with a stock memtable and RocksDB. */
final class TestNode {
  private static EmbeddedNode node;

  private TestNode() {}

  static synchronized EmbeddedNode start() {
    if (node == null) {
      node = EmbeddedNode.start(settings(newDirectory("shared")));
      node.cql(
          "CREATE KEYSPACE twin WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    }
    return node;
  }

  static NodeSettings settings(Path directory) {
    return guarded(directory).memtable("rocksdb", RocksMemtable.class.getName(), parameters());
  }

  /** A node without tables in RocksDB. */
  static NodeSettings guarded(Path directory) {
    return new NodeSettings(directory)
        .memtable("trie", "TrieMemtable", Map.of())
        .memtable("default", GuardedMemtable.class.getName(), Map.of("configuration", "trie"));
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
