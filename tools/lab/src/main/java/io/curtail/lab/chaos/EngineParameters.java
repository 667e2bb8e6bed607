/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import java.util.Map;
import java.util.TreeMap;

/**
 * What RocksDB is told on a node of a run: little, so that what takes gigabytes elsewhere happens
 * here, and not the same on each node, so that each way that the engine has is gone by one.
 */
final class EngineParameters {
  private EngineParameters() {}

  static Map<String, String> of(long seed, int node) {
    Map<String, String> all = new TreeMap<>();
    all.put("block_cache", "16MiB");
    all.put("write_buffers", "16MiB");
    all.put("write_buffer", "2MiB");
    all.put("max_log_size", "16MiB");
    all.put("sweep_period", "20s");
    // One writes what it receives, the other reads it beside RocksDB first.
    all.put("absorb", String.valueOf(node % 4 == 3));
    all.put("ingest_from", "4KiB");
    if (movesInBackground(seed, node)) {
      all.put("move_at_once", "0B");
    }
    return all;
  }

  /**
   * Whether a node copies each table that moves out while it serves it. Each second one with the
   * engine does; the others move tables as small as these in one flush.
   */
  static boolean movesInBackground(long seed, int node) {
    return (node / 2 + seed) % 2 == 0;
  }
}
