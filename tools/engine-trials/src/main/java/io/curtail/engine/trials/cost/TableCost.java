/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import java.util.Arrays;

/**
 * What a request of a case cost in one turn.
 *
 * @param name of the case
 * @param storage {@code trie}, the stock memtable, or {@code rocksdb}
 * @param requests how many there were
 * @param cpuMicros processor time of the thread that made them
 * @param processCpuMicros of the whole process: garbage collection, flushes and compactions too
 * @param heapBytes allocated
 * @param blocks looked up in a cache
 * @param nativeCalls of RocksDB and the engine's C library from Java
 */
public record TableCost(
    String name,
    String storage,
    long requests,
    double cpuMicros,
    double processCpuMicros,
    double heapBytes,
    double blocks,
    double nativeCalls) {

  static TableCost of(TableCase test, String storage, String turn) {
    long[] sums = Arrays.stream(turn.split(" ")).mapToLong(Long::parseLong).toArray();
    double requests = sums[0];
    return new TableCost(
        test.title(),
        storage,
        sums[0],
        sums[1] / requests / 1_000,
        sums[2] / requests / 1_000,
        sums[3] / requests,
        sums[4] / requests,
        sums[5] / requests);
  }
}
