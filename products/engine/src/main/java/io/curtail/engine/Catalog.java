/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/**
 * What must be known of tables besides their records, in the default column family: the version of
 * the format, the numbers of columns, and which generations are dead.
 *
 * <p>What it says is on the disk before it returns, and so before any record that rests on it. It
 * is in RocksDB's own log, the only one to use that.
 */
final class Catalog {
  /** 2: writes are in the engine's log, which the first does not read. */
  private static final int FORMAT = 2;

  private static final byte[] FORMAT_KEY = key("format");

  private final Engine engine;
  private final ColumnFamilyHandle family;

  Catalog(Engine engine, ColumnFamilyHandle family) {
    this.engine = engine;
    this.family = family;
  }

  /**
   * Marks a new database, or refuses one that a newer engine wrote.
   *
   * @throws ConfigurationException if the format is newer than this engine
   */
  void checkFormat() {
    byte[] written = engine.get(family, FORMAT_KEY);
    if (written == null || written[0] < FORMAT) {
      put(FORMAT_KEY, new byte[] {FORMAT});
    } else if (written[0] > FORMAT) {
      throw new ConfigurationException(
          "rocksdb memtable: "
              + engine.directory
              + " has format "
              + written[0]
              + ", this engine knows formats up to "
              + FORMAT
              + ": install the version of curtail-engine that wrote it, or a newer one",
          false);
    }
  }

  /** The dictionary of a table, which saves what it learns. */
  ColumnDictionary columns(String table) {
    byte[] prefix = key("columns/" + table + "/");
    ColumnDictionary dictionary =
        new ColumnDictionary((id, column) -> put(numbered(prefix, id), column));
    try (ReadOptions reading = new ReadOptions().setTotalOrderSeek(true);
        RocksIterator entries = engine.iterator(family, reading)) {
      entries.seek(prefix);
      while (entries.isValid() && Keys.hasPrefix(entries.key(), prefix)) {
        dictionary.load(
            ByteBuffer.wrap(entries.key(), prefix.length, Integer.BYTES).getInt(), entries.value());
        entries.next();
      }
      engine.check(entries);
    }
    return dictionary;
  }

  /** The last generation of a table whose data is gone by a truncation; -1 if none is. */
  int deadGeneration(String table) {
    byte[] written = engine.get(family, key("dead/" + table));
    return written == null ? -1 : ByteBuffer.wrap(written).getInt();
  }

  /** Declares a generation and all before it dead; durable when this returns. */
  void setDeadGeneration(String table, int generation) {
    put(key("dead/" + table), ByteBuffer.allocate(Integer.BYTES).putInt(generation).array());
  }

  boolean mayHaveGarbage(String table) {
    return engine.get(family, key("garbage/" + table)) != null;
  }

  void setMayHaveGarbage(String table) {
    put(key("garbage/" + table), new byte[] {1});
  }

  private void put(byte[] key, byte[] value) {
    try (WriteOptions writing = new WriteOptions().setSync(true)) {
      engine.database.put(family, writing, key, value);
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, engine.directory);
    }
  }

  private static byte[] numbered(byte[] prefix, int id) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + Integer.BYTES);
    ByteBuffer.wrap(key, prefix.length, Integer.BYTES).putInt(id);
    return key;
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
