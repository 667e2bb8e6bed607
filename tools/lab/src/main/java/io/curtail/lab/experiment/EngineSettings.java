/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.load.LabTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a user may choose where nodes of different storage are compared.
 *
 * @param heapMebibytes of each node, 256 to 16384
 * @param offHeapMebibytes that each node may use for caches and write buffers, 64 to 65536
 * @param memoryMebibytes the most that each node's process may have, its files in the system's
 *     cache included; 0 for no limit
 * @param parameters of RocksDB's memtable, over those that the memory above makes
 * @param jars that an operator would put into a node's {@code lib/}
 */
public record EngineSettings(
    LabTable table,
    int heapMebibytes,
    int offHeapMebibytes,
    int memoryMebibytes,
    Map<String, String> parameters,
    List<Path> jars) {

  /** Parameters without which the nodes would not be comparable. */
  private static final Set<String> SET_HERE =
      Set.of("absorb", "block_cache", "sync", "sync_period", "write_buffers");

  /** A heap of 1 GiB, 768 MiB beside it, no limit. */
  public static final EngineSettings DEFAULT =
      new EngineSettings(LabTable.EMP, 1_024, 768, 0, Map.of(), List.of());

  public EngineSettings {
    require(heapMebibytes >= 256 && heapMebibytes <= 16_384, "heap: 256 to 16384 MiB");
    require(offHeapMebibytes >= 64 && offHeapMebibytes <= 65_536, "off-heap: 64 to 65536 MiB");
    int least = heapMebibytes + offHeapMebibytes;
    require(
        memoryMebibytes == 0 || memoryMebibytes >= least,
        "memory: at least heap and off-heap together, " + least + " MiB, or 0 for no limit");
    for (String name : parameters.keySet()) {
      require(!SET_HERE.contains(name), "parameter: " + name + " is the lab's to set");
    }
    parameters = Map.copyOf(parameters);
    jars = List.copyOf(jars);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
