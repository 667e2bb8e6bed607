/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.codec.Keys;
import io.curtail.engine.codec.RangeRecord;
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
 * Takes the records of older generations into the newest. There are several only when a process
 * died while rows were on their way to Cassandra's data files and the table had been altered back.
 */
final class TakeOver {
  private static final Logger logger = LoggerFactory.getLogger(TakeOver.class);
  private static final int BATCH_BYTES = 1 << 20;

  private TakeOver() {}

  /** Adds the records of a column family to a table that nobody reads yet; may be done again. */
  static void take(Engine engine, TableMetadata metadata, FamilyName from, TableStore to) {
    logger.info("Taking the records of {} into generation {}", from, to.generation);
    try (Family.Use use = engine.use(from.toString())) {
      takeOver(engine, metadata, use.handle, to);
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
          RangeTombstone range = RangeRecord.decode(records.value());
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
