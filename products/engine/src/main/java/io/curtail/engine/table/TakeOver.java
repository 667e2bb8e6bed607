/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.Keys;
import io.curtail.engine.codec.RangeRecord;
import io.curtail.engine.store.Batch;
import io.curtail.engine.store.Database;
import io.curtail.engine.store.DatabaseOptions;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.store.StorageErrors;
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
public final class TakeOver {
  private static final Logger logger = LoggerFactory.getLogger(TakeOver.class);
  private static final int BATCH_BYTES = 1 << 20;

  private TakeOver() {}

  /** Adds the records of a column family to a table that nobody reads yet; may be done again. */
  public static void take(
      Database database, TableMetadata metadata, FamilyName from, TableStore to) {
    logger.info("Taking the records of {} into generation {}", from, to.generation);
    try (Family.Use use = database.use(from.toString())) {
      takeOver(database, metadata, use.handle, to);
    }
  }

  private static void takeOver(
      Database database, TableMetadata metadata, ColumnFamilyHandle from, TableStore to) {
    try (ReadOptions reading = DatabaseOptions.readingInOrder();
        RocksIterator records = database.iterator(from, reading)) {
      Batch batch = new Batch();
      for (records.seekToFirst(); records.isValid(); records.next()) {
        byte[] key = records.key();
        int length = to.keys.length(key);
        if (key[length] == Keys.RANGE) {
          // Reads the set that it changes, so what came before must be there.
          write(database, batch);
          RangeTombstone range = RangeRecord.decode(records.value());
          byte[] partition = Arrays.copyOf(key, length);
          RangeRecords.add(to, batch, metadata.comparator, partition, List.of(range).iterator());
          write(database, batch);
        } else {
          batch.put(to.familyToWrite(), key, joined(database, to, key, records.value()));
        }
        if (batch.size() > BATCH_BYTES) {
          write(database, batch);
        }
      }
      database.check(records);
      write(database, batch);
      database.logSync.sync();
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, database.directory);
    }
  }

  /** Fragments of both generations, reconciled when they are read. */
  private static byte[] joined(Database database, TableStore to, byte[] key, byte[] older) {
    byte[] newer = database.get(to.familyToWrite(), key);
    if (newer == null) {
      return older;
    }
    byte[] both = Arrays.copyOf(newer, newer.length + older.length);
    System.arraycopy(older, 0, both, newer.length, older.length);
    return both;
  }

  private static void write(Database database, Batch batch) {
    // Nobody reads a table that is being opened.
    database.write(batch, List.of());
    batch.clear();
  }
}
