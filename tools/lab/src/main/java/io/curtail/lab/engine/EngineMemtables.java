/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import java.util.Map;

/** What {@code cassandra.yaml} of a node with {@code curtail-engine} has under {@code memtable}. */
public final class EngineMemtables {
  private EngineMemtables() {}

  /**
   * The lines to add: {@code rocksdb}, the guard as {@code default}, without which a node refuses
   * tables in RocksDB, and {@code compared}, Cassandra's beside RocksDB.
   *
   * @param parameters of {@code rocksdb}, such as {@code block_cache}
   */
  public static Map<String, Object> yaml(Map<String, String> parameters) {
    return Map.of(
        "memtable",
        Map.of(
            "configurations",
            Map.of(
                "default", configuration("GuardedMemtable", Map.of("configuration", "trie")),
                "rocksdb", configuration("RocksMemtable", parameters),
                "compared",
                    configuration(
                        "ComparedMemtable",
                        Map.of("configuration", "trie", "with", "rocksdb", "sample", "8")))));
  }

  /** The same names on a node without the engine: each is Cassandra's own memtable. */
  public static Map<String, Object> stockYaml() {
    return Map.of(
        "memtable",
        Map.of("configurations", Map.of("rocksdb", Map.of("class_name", "TrieMemtable"))));
  }

  private static Map<String, Object> configuration(String type, Map<String, String> parameters) {
    return Map.of("class_name", "io.curtail.engine." + type, "parameters", parameters);
  }
}
