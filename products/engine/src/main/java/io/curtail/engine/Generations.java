/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a crash can leave besides the current generation of a table: dead ones, which are dropped,
 * and one that was on its way to Cassandra's data files when the table was altered back, whose
 * records are taken over.
 */
final class Generations {
  private static final Logger logger = LoggerFactory.getLogger(Generations.class);
  private static final int BATCH_BYTES = 1 << 20;

  private Generations() {}

  /** The part of a column family's name that all generations of a table share. */
  static String table(String family) {
    return family.substring(0, family.lastIndexOf('/'));
  }

  static int number(String family) {
    return Integer.parseInt(family.substring(family.lastIndexOf('/') + 1));
  }

  /** Leaves the given generation as the only one of its table. */
  static void collect(Engine engine, TableMetadata metadata, TableStore newest) {
    int dead = engine.catalog.deadGeneration(newest.table);
    for (String family : engine.families()) {
      if (!table(family).equals(newest.table) || number(family) == newest.generation) {
        continue;
      }
      if (number(family) > dead) {
        logger.info("Taking the records of {} into generation {}", family, newest.generation);
        takeOver(engine, metadata, engine.family(family), newest);
      }
      engine.dropFamily(family);
    }
  }

  private static void takeOver(
      Engine engine, TableMetadata metadata, ColumnFamilyHandle from, TableStore to) {
    try (ReadOptions reading = new ReadOptions().setTotalOrderSeek(true);
        RocksIterator records = engine.iterator(from, reading)) {
      Batch batch = new Batch();
      for (records.seekToFirst(); records.isValid(); records.next()) {
        byte[] key = records.key();
        int length = to.keys.length(key);
        if (key[length] == Keys.RANGE) {
          // Reads the set that it changes, so what came before must be there.
          write(engine, batch);
          RangeTombstone range = RangeRecords.decode(records.value());
          byte[] partition = Arrays.copyOf(key, length);
          RangeRecords.add(to, batch, metadata.comparator, partition, List.of(range).iterator());
          write(engine, batch);
        } else {
          batch.put(to.familyToWrite(), key, joined(engine, to, key, records.value()));
        }
        if (batch.size() > BATCH_BYTES) {
          write(engine, batch);
        }
      }
      engine.check(records);
      write(engine, batch);
      engine.logSync.sync();
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, engine.directory);
    }
  }

  /** Fragments of both generations, reconciled when they are read. */
  private static byte[] joined(Engine engine, TableStore to, byte[] key, byte[] older) {
    byte[] newer = engine.get(to.familyToWrite(), key);
    if (newer == null) {
      return older;
    }
    byte[] both = Arrays.copyOf(newer, newer.length + older.length);
    System.arraycopy(older, 0, both, newer.length, older.length);
    return both;
  }

  private static void write(Engine engine, Batch batch) {
    // Nobody reads a table that is being opened.
    engine.write(batch, List.of());
    batch.clear();
  }
}
