/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.codec.ColumnDictionary;
import io.curtail.engine.codec.Keys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * What must be known of tables besides their records, in the default column family: the version of
 * the format, the numbers of columns, and what each generation is.
 *
 * <p>What it says is on the disk before it returns, and so before any record that rests on it. It
 * is in RocksDB's own log, the only one to use that. What RocksDB cannot read or write is an {@link
 * org.apache.cassandra.io.FSError}. Thread-safe.
 */
public final class Catalog {
  /**
   * 2: writes are in the engine's log, which the first does not read. 3: each generation has its
   * state; before, the catalog had only the last dead one of each table.
   */
  private static final int FORMAT = 3;

  private static final byte[] FORMAT_KEY = key("format");
  private static final String GENERATION = "generation/";
  private static final String TEMPORARY = "temporary/";

  /** An engine that knows no other kind takes this for both. */
  private static final String GARBAGE = "garbage/";

  private static final String ROW_GARBAGE = "row-garbage/";

  /** Of formats before 3: the last dead generation of a table. */
  private static final String DEAD = "dead/";

  private final Database database;
  private final ColumnFamilyHandle family;

  /** By table: all generations have the same, or two would give one number to two columns. */
  private final Map<String, ColumnDictionary> columns = new ConcurrentHashMap<>();

  Catalog(Database database, ColumnFamilyHandle family) {
    this.database = database;
    this.family = family;
  }

  /**
   * Marks a new database, brings an older one up to date, or refuses one that a newer engine wrote.
   *
   * @param families the column families of tables
   * @throws ConfigurationException if the format is newer than this engine
   */
  void checkFormat(Set<String> families) {
    byte[] written = database.get(family, FORMAT_KEY);
    if (written != null && written[0] > FORMAT) {
      throw new ConfigurationException(
          "rocksdb memtable: "
              + database.directory
              + " has format "
              + written[0]
              + ", this engine knows formats up to "
              + FORMAT
              + ": install the version of curtail-engine that wrote it, or a newer one",
          false);
    }
    if (written != null && written[0] < 3) {
      giveStates(families);
    }
    if (written == null || written[0] < FORMAT) {
      put(FORMAT_KEY, new byte[] {FORMAT});
    }
  }

  private void giveStates(Set<String> families) {
    for (String name : families) {
      FamilyName generation = FamilyName.parse(name);
      byte[] dead = database.get(family, key(DEAD + generation.table));
      boolean isDead = dead != null && ByteBuffer.wrap(dead).getInt() >= generation.generation;
      setGenerations(Map.of(name, isDead ? GenerationState.DEAD : GenerationState.SERVING));
    }
    entries(DEAD).keySet().forEach(name -> delete(key(DEAD + name)));
  }

  /** The one dictionary of a table, which saves what it learns. */
  public ColumnDictionary columns(String table) {
    return columns.computeIfAbsent(table, this::loadColumns);
  }

  private ColumnDictionary loadColumns(String table) {
    byte[] prefix = key("columns/" + table + "/");
    ColumnDictionary dictionary =
        new ColumnDictionary((id, column) -> put(numbered(prefix, id), column));
    try (ReadOptions reading = DatabaseOptions.readingInOrder();
        RocksIterator entries = database.iterator(family, reading)) {
      entries.seek(prefix);
      while (entries.isValid() && Keys.hasPrefix(entries.key(), prefix)) {
        dictionary.load(
            ByteBuffer.wrap(entries.key(), prefix.length, Integer.BYTES).getInt(), entries.value());
        entries.next();
      }
      database.check(entries);
    }
    return dictionary;
  }

  /** The state of each generation, by the name of its column family. */
  Map<String, GenerationState> generations() {
    Map<String, GenerationState> states = new HashMap<>();
    entries(GENERATION).forEach((name, state) -> states.put(name, GenerationState.of(state[0])));
    return states;
  }

  /** The states of some generations: all are on the disk when this returns, or none is. */
  void setGenerations(Map<String, GenerationState> states) {
    write(
        batch -> {
          for (Map.Entry<String, GenerationState> each : states.entrySet()) {
            batch.put(family, key(GENERATION + each.getKey()), new byte[] {each.getValue().code});
          }
        });
  }

  void removeGeneration(String name) {
    delete(key(GENERATION + name));
  }

  private Map<String, byte[]> entries(String prefix) {
    byte[] from = key(prefix);
    Map<String, byte[]> found = new HashMap<>();
    try (ReadOptions reading = DatabaseOptions.readingInOrder();
        RocksIterator entries = database.iterator(family, reading)) {
      for (entries.seek(from);
          entries.isValid() && Keys.hasPrefix(entries.key(), from);
          entries.next()) {
        String key = new String(entries.key(), StandardCharsets.UTF_8);
        found.put(key.substring(prefix.length()), entries.value());
      }
      database.check(entries);
    }
    return found;
  }

  /**
   * The tables that may have temporary data files, with the names of the unfinished files that were
   * there before, which are not ours.
   */
  Map<String, Set<String>> temporaryFiles() {
    Map<String, Set<String>> tables = new HashMap<>();
    entries(TEMPORARY)
        .forEach(
            (table, names) ->
                tables.put(
                    table, Set.of(new String(names, StandardCharsets.UTF_8).split("\n", -1))));
    return tables;
  }

  void setTemporaryFiles(String table, Set<String> others) {
    put(key(TEMPORARY + table), key(String.join("\n", others)));
  }

  void removeTemporaryFiles(String table) {
    delete(key(TEMPORARY + table));
  }

  /** What was ever written to a table that deletes or expires. */
  public Garbage garbage(String table) {
    if (database.get(family, key(GARBAGE + table)) != null) {
      return Garbage.ANYWHERE;
    }
    return database.get(family, key(ROW_GARBAGE + table)) == null ? Garbage.NONE : Garbage.IN_ROWS;
  }

  /** Comes before the first write of its kind. */
  public synchronized void addGarbage(String table, Garbage kind) {
    if (garbage(table).compareTo(kind) < 0) {
      put(key((kind == Garbage.IN_ROWS ? ROW_GARBAGE : GARBAGE) + table), new byte[] {1});
    }
  }

  /** The table is gone. */
  public synchronized void forgetGarbage(String table) {
    write(
        batch -> {
          batch.delete(family, key(GARBAGE + table));
          batch.delete(family, key(ROW_GARBAGE + table));
        });
  }

  private void put(byte[] key, byte[] value) {
    write(batch -> batch.put(family, key, value));
  }

  private void delete(byte[] key) {
    write(batch -> batch.delete(family, key));
  }

  private interface Change {
    void addTo(WriteBatch batch) throws RocksDBException;
  }

  private void write(Change change) {
    try (WriteBatch batch = new WriteBatch()) {
      change.addTo(batch);
      database.writeSynced(batch);
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, database.directory);
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
