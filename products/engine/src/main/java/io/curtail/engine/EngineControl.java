/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;

/** {@link EngineMXBean} over the running engine. Thread-safe. */
final class EngineControl implements EngineMXBean {
  private final Engine engine;

  EngineControl(Engine engine) {
    this.engine = engine;
  }

  @Override
  public void flush(String keyspace, String table) throws IOException {
    try (Family.Use use = memtable(keyspace, table).store().use();
        FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
      if (use != null) {
        engine.database.flush(options, use.handle);
      }
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void compact(String keyspace, String table) throws IOException {
    try (Family.Use use = memtable(keyspace, table).store().use()) {
      if (use != null) {
        engine.database.compactRange(use.handle);
      }
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  @Override
  public long sweep(String keyspace, String table) {
    return engine.sweeper.sweep(memtable(keyspace, table));
  }

  @Override
  public long restore(String keyspace, String table, String snapshot) throws IOException {
    return Restore.restore(engine, memtable(keyspace, table).metadata(), snapshot);
  }

  @Override
  public void verifyChecksums() throws IOException {
    try {
      engine.database.verifyChecksum();
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void syncLog() {
    engine.logSync.sync();
  }

  @Override
  public String property(String keyspace, String table, String name) throws IOException {
    try (Family.Use use = memtable(keyspace, table).store().use()) {
      return use == null ? "" : engine.database.getProperty(use.handle, name);
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  @Override
  public Map<String, Long> getCounters() {
    Map<String, Long> counters = new TreeMap<>();
    for (TickerType type : TickerType.values()) {
      if (type != TickerType.TICKER_ENUM_MAX) {
        counters.put(
            type.name().toLowerCase(Locale.ROOT), engine.statistics().getTickerCount(type));
      }
    }
    return counters;
  }

  @Override
  public Map<String, Long> getMemoryBytes() {
    return engine.memoryBytes();
  }

  @Override
  public long getLogBytes() {
    return engine.log.bytes();
  }

  @Override
  public long getOpenIterators() {
    return NativeIterators.open();
  }

  @Override
  public boolean isMergingNatively() {
    return engine.isMergingNatively();
  }

  private RocksMemtable memtable(String keyspace, String table) {
    for (RocksMemtable memtable : engine.stores.memtables()) {
      if (memtable.metadata().keyspace.equals(keyspace) && memtable.metadata().name.equals(table)) {
        return memtable;
      }
    }
    throw new IllegalArgumentException(keyspace + "." + table + " is not stored in RocksDB");
  }
}
