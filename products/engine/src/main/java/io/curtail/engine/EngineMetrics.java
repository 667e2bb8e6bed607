/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import com.codahale.metrics.Gauge;
import io.curtail.engine.compare.Shadows;
import io.curtail.engine.operation.StoredTable;
import io.curtail.engine.operation.TableStores;
import io.curtail.engine.store.Database;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.store.Level;
import io.curtail.engine.store.NativeIterators;
import io.curtail.engine.store.StorageErrors;
import io.curtail.engine.table.TableStore;
import java.io.File;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.DefaultNameFactory;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;

/**
 * What there is to see of the node's RocksDB, as gauges in Cassandra's registry, so that whatever
 * exports Cassandra's metrics has them: {@code
 * org.apache.cassandra.metrics:type=CurtailEngine,name=...}. Bytes and counts since the start of
 * the process, but for what is there now. Thread-safe.
 */
final class EngineMetrics {
  private static final long LEVELS_KEPT_NANOS = 1_000_000_000L;

  private final Database database;
  private final TableStores stores;
  private final Map<String, LongSupplier> gauges = new TreeMap<>();

  /** Null until they are asked for. */
  private long[] bytesByLevel;

  private long bytesByLevelAtNanos;

  EngineMetrics(Database database, TableStores stores) {
    this.database = database;
    this.stores = stores;
    gauges.put("Tables", () -> stores.memtables().size());
    gauges.put("Level0Files", this::mostLevel0Files);
    for (int level = 0; level < Level.COUNT; level++) {
      int of = level;
      gauges.put("Level" + level + "Bytes", () -> bytesAt(of));
    }
    property("PendingCompactionBytes", "rocksdb.estimate-pending-compaction-bytes");
    property("WriteBufferBytes", "rocksdb.cur-size-all-mem-tables");
    property("WriteBuffersWaiting", "rocksdb.num-immutable-mem-table");
    property("LiveDataBytes", "rocksdb.estimate-live-data-size");
    property("DataFileBytes", "rocksdb.total-sst-files-size");
    gauges.put("CassandraDataFileBytes", this::cassandraDataFileBytes);
    gauges.put("RunningCompactions", () -> ofDatabase("rocksdb.num-running-compactions"));
    gauges.put("RunningFlushes", () -> ofDatabase("rocksdb.num-running-flushes"));
    gauges.put("BackgroundErrors", this::backgroundErrors);
    gauges.put("BlockCacheBytes", () -> database.memoryBytes().get("block_cache"));
    gauges.put("BlockCachePinnedBytes", () -> database.memoryBytes().get("block_cache_pinned"));
    gauges.put("RecordCacheBytes", () -> database.memoryBytes().get("record_cache"));
    gauges.put("RecordCacheHits", database.recordCache::hits);
    gauges.put("RecordCacheMisses", database.recordCache::misses);
    gauges.put("LogBytes", () -> database.logBytes());
    gauges.put("DiskFreePercent", this::diskFreePercent);
    gauges.put("FailedLogSyncs", () -> database.logSync.hasFailed() ? 1L : 0L);
    gauges.put("TemporaryFileBytes", stores.temporaryFiles::bytes);
    gauges.put("OpenIterators", NativeIterators::open);
    ticker("BlockCacheHits", TickerType.BLOCK_CACHE_HIT);
    ticker("BlockCacheMisses", TickerType.BLOCK_CACHE_MISS);
    ticker("FlushedBytes", TickerType.FLUSH_WRITE_BYTES);
    ticker("CompactionReadBytes", TickerType.COMPACT_READ_BYTES);
    ticker("CompactionWrittenBytes", TickerType.COMPACT_WRITE_BYTES);
    ticker("CompactionsWithoutRoom", TickerType.COMPACTION_CANCELLED);
    gauges.put("StalledMicros", database::stalledMicros);
    gauges.put("WritesStopped", () -> ofDatabase("rocksdb.is-write-stopped"));
    gauges.put("WriteAmplificationPercent", this::writeAmplificationPercent);
    compared("ComparedWrites", "written");
    compared("ComparedSkippedWrites", "skipped");
    compared("ComparedErrors", "errors");
    compared("ComparedPartitions", "compared");
    compared("ComparedDifferences", "differences");
  }

  void register() {
    gauges.forEach(
        (name, value) ->
            CassandraMetricsRegistry.Metrics.register(
                DefaultNameFactory.createMetricName(MetricGroup.TYPE, name, MetricGroup.SCOPE),
                (Gauge<Long>) value::getAsLong));
  }

  /** All of them now, by name. */
  Map<String, Long> values() {
    Map<String, Long> values = new TreeMap<>();
    gauges.forEach((name, value) -> values.put(name, value.getAsLong()));
    return values;
  }

  /** What there is to see of a table now; the columns of {@code curtail_engine.tables}. */
  static Map<String, Object> ofTable(StoredTable memtable) {
    TableStore store = memtable.store();
    Map<String, Object> values = new TreeMap<>();
    values.put("state", (memtable.isLeaving() ? GenerationState.MOVING_OUT : store.state()).name());
    values.put("generation", store.generation);
    values.put("level0_files", store.level0Files());
    values.put("records_estimate", store.property("rocksdb.estimate-num-keys"));
    values.put("live_bytes", store.property("rocksdb.estimate-live-data-size"));
    values.put("file_bytes", store.property("rocksdb.total-sst-files-size"));
    values.put("write_buffer_bytes", store.property("rocksdb.cur-size-all-mem-tables"));
    values.put(
        "pending_compaction_bytes", store.property("rocksdb.estimate-pending-compaction-bytes"));
    values.put("cassandra_data_files", memtable.dataFiles());
    values.put("cassandra_data_file_bytes", memtable.dataFileBytes());
    return values;
  }

  /** Of files of Cassandra beside tables and indexes, which may wait to be absorbed. */
  private long cassandraDataFileBytes() {
    return stores.memtables().stream().mapToLong(StoredTable::dataFileBytes).sum();
  }

  /** Of all tables; looked at once for all levels, since exporters ask for one after another. */
  private synchronized long bytesAt(int level) {
    long now = System.nanoTime();
    if (bytesByLevel == null || now - bytesByLevelAtNanos > LEVELS_KEPT_NANOS) {
      long[] bytes = new long[Level.COUNT];
      for (StoredTable memtable : stores.memtables()) {
        for (Level one : memtable.store().levels()) {
          if (one.level < bytes.length) {
            bytes[one.level] += one.bytes;
          }
        }
      }
      bytesByLevel = bytes;
      bytesByLevelAtNanos = now;
    }
    return bytesByLevel[level];
  }

  private long mostLevel0Files() {
    return stores.memtables().stream()
        .mapToLong(memtable -> memtable.store().level0Files())
        .max()
        .orElse(0);
  }

  /** Of the file system that RocksDB is on; 100 where it does not say. */
  private long diskFreePercent() {
    File directory = new File(database.directory);
    long total = directory.getTotalSpace();
    return total == 0 ? 100 : Math.round(100.0 * directory.getUsableSpace() / total);
  }

  /** What was written to data files for 100 bytes that were flushed; zero before a flush. */
  private long writeAmplificationPercent() {
    long flushed = count(TickerType.FLUSH_WRITE_BYTES);
    long compacted = count(TickerType.COMPACT_WRITE_BYTES);
    return flushed == 0 ? 0 : Math.round(100.0 * (flushed + compacted) / flushed);
  }

  /** Of all tables that are compared now. */
  private void compared(String name, String value) {
    gauges.put(
        name,
        () ->
            Shadows.NODE.all().stream()
                .mapToLong(shadow -> (Long) shadow.values().get(value))
                .sum());
  }

  private void property(String name, String property) {
    gauges.put(name, () -> database.sum(property));
  }

  private void ticker(String name, TickerType ticker) {
    gauges.put(name, () -> count(ticker));
  }

  /** RocksDB counts a compaction without room each time that it is tried, too. */
  private long backgroundErrors() {
    long errors = ofDatabase("rocksdb.background-errors");
    return Math.max(0, errors - count(TickerType.COMPACTION_CANCELLED));
  }

  private long count(TickerType ticker) {
    return database.statistics().getTickerCount(ticker);
  }

  /** A property that is the same for all column families. */
  private long ofDatabase(String property) {
    try {
      return database.rocksdb.getLongProperty(property);
    } catch (RocksDBException e) {
      throw StorageErrors.reading(e, database.directory);
    }
  }
}
