/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import io.curtail.engine.compare.Shadow;
import io.curtail.engine.compare.Shadows;
import io.curtail.engine.operation.Absorb;
import io.curtail.engine.operation.CleanUp;
import io.curtail.engine.operation.CopyOut;
import io.curtail.engine.operation.PartitionDump;
import io.curtail.engine.operation.StoredTable;
import io.curtail.engine.operation.Tasks;
import io.curtail.engine.operation.Verification;
import io.curtail.engine.snapshot.Restore;
import io.curtail.engine.store.CompactionRoom;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.NativeIterators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.sstable.CorruptSSTableException;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.rocksdb.Checkpoint;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;

/** {@link EngineMXBean} over the running engine. Thread-safe. */
final class EngineControl implements EngineMXBean {
  private final Engine engine;

  EngineControl(Engine engine) {
    this.engine = engine;
  }

  private void syncBeforeFlush() throws IOException {
    try {
      engine.database.syncBeforeFlush();
    } catch (FSError e) {
      throw new IOException(e.getCause().getMessage());
    }
  }

  /** What who asked is told, who may not have the class; the node hears as of a failed request. */
  private static IOException told(FSError e) {
    JVMStabilityInspector.inspectThrowable(e);
    return new IOException(e.getCause().getMessage());
  }

  @Override
  public void flush(String keyspace, String table) throws IOException {
    syncBeforeFlush();
    try (Family.Use use = memtable(keyspace, table).store().use()) {
      if (use != null) {
        engine.database.families.flush(use);
      }
    } catch (RocksDBException e) {
      throw new IOException(e.getMessage());
    }
  }

  @Override
  public void compact(String keyspace, String table) throws IOException {
    syncBeforeFlush();
    // Not alone: that would hold up the compactions of all other tables.
    try (Family.Use use = memtable(keyspace, table).store().use();
        CompactRangeOptions options =
            new CompactRangeOptions().setExclusiveManualCompaction(false)) {
      engine.database.settings.compactionRoom.look(engine.database.rocksdb);
      if (use != null) {
        engine.database.families.flushBefore(
            use, handle -> engine.database.rocksdb.compactRange(handle, null, null, options));
        engine.database.families.closeIdleIterators(); // they hold the files that were compacted
      }
    } catch (RocksDBException e) {
      throw new IOException(
          CompactionRoom.isShort(e)
              ? "the disk of RocksDB has too little room to compact "
                  + keyspace
                  + "."
                  + table
                  + ": make room"
              : e.getMessage());
    }
  }

  @Override
  public long cleanup(String keyspace, String table) throws IOException {
    StoredTable memtable = memtable(keyspace, table);
    try (Tasks.Task task = engine.tasks.begin(OperationType.CLEANUP, memtable)) {
      return new CleanUp(memtable, task).run();
    } catch (FSError e) {
      throw told(e);
    }
  }

  @Override
  public Set<String> getUnknownTables() {
    return new TreeSet<>(engine.stores.unknown());
  }

  @Override
  public void dropUnknown(String table) throws IOException {
    try {
      engine.stores.dropUnknown(table);
    } catch (FSError e) {
      throw told(e);
    }
  }

  @Override
  public long copyOut(String keyspace, String table) throws IOException {
    StoredTable memtable = memtable(keyspace, table);
    try {
      return CopyOut.run(engine.tasks, memtable);
    } catch (FSError e) {
      throw told(e);
    }
  }

  @Override
  public long absorb(String keyspace, String table) throws IOException {
    StoredTable memtable = memtable(keyspace, table);
    try {
      return Absorb.run(engine.tasks, memtable);
    } catch (FSError | CorruptSSTableException e) {
      JVMStabilityInspector.inspectThrowable(e);
      throw new IOException(e.getMessage());
    }
  }

  @Override
  public long verify(String keyspace, String table) throws IOException {
    StoredTable memtable = memtable(keyspace, table);
    try (Tasks.Task task = engine.tasks.begin(OperationType.VERIFY, memtable)) {
      return Verification.run(memtable.store(), task);
    }
  }

  @Override
  public String dump(String keyspace, String table, String key, int most) throws IOException {
    StoredTable memtable = memtable(keyspace, table);
    try {
      return PartitionDump.of(memtable, key, most);
    } catch (FSError e) {
      throw told(e);
    }
  }

  @Override
  public synchronized void checkpoint(String directory) throws IOException {
    Path path = Path.of(directory);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(directory + " is not an absolute path");
    }
    engine.absorber.refuseWhileAnyWait();
    syncBeforeFlush();
    try (Checkpoint checkpoint = Checkpoint.create(engine.database.rocksdb)) {
      engine.database.families.flushAllBefore(() -> checkpoint.createCheckpoint(directory));
    } catch (RocksDBException e) {
      throw new IOException(e.getMessage());
    }
    try {
      // RocksDB leaves it out, and a start would take the copy for another node's.
      Files.copy(
          Path.of(engine.database.directory, "IDENTITY"),
          path.resolve("IDENTITY"),
          REPLACE_EXISTING);
    } catch (IOException e) {
      new File(path).deleteRecursive();
      throw e;
    }
  }

  @Override
  public Map<String, Map<String, String>> getTables() {
    Map<String, Map<String, String>> tables = new TreeMap<>();
    for (StoredTable memtable : engine.stores.memtables()) {
      Map<String, String> values = new TreeMap<>();
      EngineMetrics.ofTable(memtable)
          .forEach((name, value) -> values.put(name, String.valueOf(value)));
      tables.put(memtable.name(), values);
    }
    return tables;
  }

  @Override
  public long compare(String keyspace, String table) {
    return Shadows.NODE.get(keyspace, table).compare();
  }

  @Override
  public String comparePartition(String keyspace, String table, String key) {
    return Shadows.NODE.get(keyspace, table).compare(key).name();
  }

  @Override
  public Map<String, Map<String, String>> getCompared() {
    Map<String, Map<String, String>> tables = new TreeMap<>();
    for (Shadow shadow : Shadows.NODE.all()) {
      Map<String, String> values = new TreeMap<>();
      shadow.values().forEach((name, value) -> values.put(name, String.valueOf(value)));
      tables.put(shadow.name(), values);
    }
    return tables;
  }

  @Override
  public Map<String, Double> getProgress() {
    return engine.tasks.progress();
  }

  @Override
  public long sweep(String keyspace, String table) throws IOException {
    StoredTable memtable = memtable(keyspace, table);
    try {
      long entries = engine.sweeper.sweepEntries(memtable);
      return entries + engine.sweeper.sweep(memtable);
    } catch (FSError e) {
      throw told(e);
    }
  }

  @Override
  public long restore(String keyspace, String table, String snapshot) throws IOException {
    TableMetadata metadata = memtable(keyspace, table).metadata();
    try {
      return Restore.restore(engine.database, metadata, snapshot);
    } catch (FSError e) {
      throw told(e);
    }
  }

  @Override
  public void verifyChecksums() throws IOException {
    try {
      engine.database.rocksdb.verifyChecksum();
    } catch (RocksDBException e) {
      throw new IOException(e.getMessage());
    }
  }

  @Override
  public void syncLog() throws IOException {
    syncBeforeFlush();
  }

  @Override
  public String property(String keyspace, String table, String name) throws IOException {
    try (Family.Use use = memtable(keyspace, table).store().use()) {
      return use == null ? "" : engine.database.rocksdb.getProperty(use.handle, name);
    } catch (RocksDBException e) {
      throw new IOException(e.getMessage());
    }
  }

  @Override
  public Map<String, Long> getCounters() {
    Map<String, Long> counters = new TreeMap<>();
    for (TickerType type : TickerType.values()) {
      if (type != TickerType.TICKER_ENUM_MAX) {
        counters.put(
            type.name().toLowerCase(Locale.ROOT),
            engine.database.statistics().getTickerCount(type));
      }
    }
    return counters;
  }

  @Override
  public Map<String, Long> getMemoryBytes() {
    return engine.database.memoryBytes();
  }

  @Override
  public long getLogBytes() {
    return engine.database.logBytes();
  }

  @Override
  public long getOpenIterators() {
    return NativeIterators.open();
  }

  @Override
  public boolean isMergingNatively() {
    return engine.database.isMergingNatively();
  }

  private StoredTable memtable(String keyspace, String table) {
    for (StoredTable memtable : engine.stores.memtables()) {
      if (memtable.name().equals(keyspace + "." + table)) {
        return memtable;
      }
    }
    throw new IllegalArgumentException(keyspace + "." + table + " is not stored in RocksDB");
  }
}
