/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.experiment.EngineSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the two nodes are configured: the same heap, the same memory outside of it, logs synced as
 * often. Two thirds of the memory outside the heap cache data files, a third is for writes; RocksDB
 * charges its write buffers to its cache, so its cache is all of it.
 */
final class NodeOptions {
  private static final String SYNC_PERIOD = "10000ms";
  private static final int DIRECT_MEMORY_BESIDE_MEBIBYTES = 256;

  private NodeOptions() {}

  /** Cassandra's own choice of flags for the G1 collector. */
  static List<String> jvm(EngineSettings settings) {
    return List.of(
        "-XX:-UseSerialGC",
        "-XX:+UseG1GC",
        "-XX:+ParallelRefProcEnabled",
        "-XX:MaxTenuringThreshold=2",
        "-XX:G1HeapRegionSize=" + (settings.heapMebibytes() >= 1_024 ? "16m" : "4m"),
        "-XX:+UnlockExperimentalVMOptions",
        "-XX:G1NewSizePercent=50",
        "-XX:G1RSetUpdatingPauseTimePercent=5",
        "-XX:MaxGCPauseMillis=300",
        "-XX:InitiatingHeapOccupancyPercent=70",
        "-XX:ReservedCodeCacheSize=128m",
        "-XX:MaxDirectMemorySize="
            + (settings.offHeapMebibytes() + DIRECT_MEMORY_BESIDE_MEBIBYTES)
            + "m");
  }

  static Map<String, Object> stock(EngineSettings settings) {
    Map<String, Object> yaml = common();
    yaml.put("memtable_heap_space", settings.heapMebibytes() / 4 + "MiB");
    yaml.put("memtable_offheap_space", settings.offHeapMebibytes() / 3 + "MiB");
    yaml.put("file_cache_enabled", true);
    yaml.put("file_cache_size", settings.offHeapMebibytes() * 2 / 3 + "MiB");
    return yaml;
  }

  /** With data files of Cassandra absorbed or not. */
  static Map<String, Object> rocksdb(EngineSettings settings, boolean absorb) {
    Map<String, Object> yaml = common();
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("absorb", String.valueOf(absorb));
    parameters.put("sync_period", "10s");
    parameters.put("block_cache", settings.offHeapMebibytes() + "MiB");
    parameters.put("write_buffers", settings.offHeapMebibytes() / 3 + "MiB");
    parameters.putAll(settings.parameters());
    yaml.putAll(EngineMemtables.yaml(parameters));
    return yaml;
  }

  private static Map<String, Object> common() {
    Map<String, Object> yaml = new LinkedHashMap<>();
    yaml.put("commitlog_sync_period", SYNC_PERIOD);
    yaml.put("commitlog_segment_size", "32MiB");
    yaml.put("commitlog_total_space", "1024MiB");
    yaml.put("memtable_flush_writers", 2);
    yaml.put("concurrent_compactors", 2);
    yaml.put("compaction_throughput", "64MiB/s");
    yaml.put("concurrent_writes", 32);
    yaml.put("native_transport_max_threads", 128);
    yaml.put("disk_access_mode", "mmap_index_only");
    return yaml;
  }
}
