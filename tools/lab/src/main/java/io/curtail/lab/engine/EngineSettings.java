/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.load.Keys;
import io.curtail.lab.load.Mix;
import java.nio.file.Path;
import java.util.List;

/**
 * What a user may choose.
 *
 * @param rows in the table
 * @param keys which rows requests ask for, as {@link Keys#named} has it
 * @param clients of a closed loop, each number measured by itself
 * @param pairs how often both nodes are measured with each mix and number of clients
 * @param seconds of each run
 * @param warmUpSeconds of load on each node before the first run
 * @param heapMebibytes of each node, 256 to 16384
 * @param offHeapMebibytes that each node may use for caches and write buffers, 64 to 65536
 * @param memoryMebibytes the most that each node's process may have, its files in the system's
 *     cache included; 0 for no limit
 * @param engine the jars that an operator would put into a node's {@code lib/}
 */
public record EngineSettings(
    EngineTable table,
    long rows,
    String keys,
    List<Mix> mixes,
    List<Integer> clients,
    int pairs,
    int seconds,
    int warmUpSeconds,
    int heapMebibytes,
    int offHeapMebibytes,
    int memoryMebibytes,
    List<Path> engine,
    long seed) {

  public EngineSettings {
    require(rows >= 100, "rows: at least 100");
    require(!mixes.isEmpty(), "mix: at least one");
    require(
        !clients.isEmpty() && clients.stream().allMatch(n -> n >= 1 && n <= 1_000),
        "clients: 1 to 1000");
    require(pairs >= 1, "pairs: at least 1");
    require(seconds >= 1, "seconds: at least 1");
    require(warmUpSeconds >= 0, "warm-up: 0 seconds or more");
    require(heapMebibytes >= 256 && heapMebibytes <= 16_384, "heap: 256 to 16384 MiB");
    require(offHeapMebibytes >= 64 && offHeapMebibytes <= 65_536, "off-heap: 64 to 65536 MiB");
    require(
        memoryMebibytes == 0 || memoryMebibytes >= heapMebibytes + offHeapMebibytes,
        "memory: at least heap and off-heap together, "
            + (heapMebibytes + offHeapMebibytes)
            + " MiB, or 0 for no limit");
    Keys.named(keys, rows);
    mixes = List.copyOf(mixes);
    clients = List.copyOf(clients);
    engine = List.copyOf(engine);
  }

  /** What the user stores, keys aside. */
  long dataBytes() {
    return rows * table.rowBytes();
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
