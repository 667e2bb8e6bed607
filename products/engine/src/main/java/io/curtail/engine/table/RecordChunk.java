/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.ByteReader;
import io.curtail.engine.codec.ByteWriter;
import io.curtail.engine.codec.RecordDecoder;
import io.curtail.engine.store.Database;
import io.curtail.engine.store.NativeCalls;
import java.util.Arrays;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.utils.ByteArrayUtil;
import org.rocksdb.RocksIterator;

/**
 * Some records that follow each other in RocksDB, copied out of an iterator in one go. Its fields
 * tell of the record that {@link #next} moved to. Not thread-safe.
 */
final class RecordChunk {
  private static final int LENGTHS = 2 * Integer.BYTES;

  /** Keys and values, among other bytes; not to be changed. */
  final byte[] bytes;

  /** Whether there are more records before the bound. */
  final boolean hasMore;

  int keyStart;
  int keyEnd;

  /** The value begins where the key ends. */
  int valueEnd = 1;

  private final int end;

  private final ByteReader value;

  private RecordChunk(byte[] bytes) {
    this(bytes, bytes.length, new ByteReader(bytes));
  }

  private RecordChunk(byte[] bytes, int end, ByteReader value) {
    this.bytes = bytes;
    this.end = end;
    this.value = value;
    hasMore = bytes[0] != 0;
  }

  /** The records of such bytes as {@link #take} takes, of which rows have copies. */
  static RecordChunk copied(byte[] bytes, int end) {
    return new RecordChunk(bytes, end, ByteReader.copying(bytes));
  }

  /**
   * Takes records from where an iterator stands, and moves it behind them.
   *
   * @param bound where to stop, which does not count; null for the end
   * @param mostBytes of records, after which no other is added
   */
  static RecordChunk take(
      Database database,
      RocksIterator records,
      byte[] bound,
      boolean reversed,
      int mostRecords,
      int mostBytes) {
    NativeCalls calls = database.settings.nativeCalls();
    byte[] bytes =
        calls != null
            ? calls.takeRecords(records.getNativeHandle(), bound, reversed, mostRecords, mostBytes)
            : inJava(records, bound, reversed, mostRecords, mostBytes);
    if (bytes == null) {
      throw new OutOfMemoryError("no memory to copy records of RocksDB");
    }
    RecordChunk chunk = new RecordChunk(bytes);
    if (!chunk.hasMore) {
      database.check(records);
    }
    return chunk;
  }

  /** What {@link #take} takes where the C library does not load. */
  static byte[] inJava(
      RocksIterator records, byte[] bound, boolean reversed, int mostRecords, int mostBytes) {
    ByteWriter out = new ByteWriter();
    out.write(0);
    for (int count = 0; records.isValid(); count++) {
      byte[] key = records.key();
      int order = bound == null ? -1 : Arrays.compareUnsigned(key, bound);
      if (reversed ? order <= 0 : order >= 0) {
        break;
      }
      if (count == mostRecords || out.size() > mostBytes) {
        out.set(0, 1);
        break;
      }
      byte[] value = records.value();
      out.writeInt(key.length);
      out.writeInt(value.length);
      out.append(key);
      out.append(value);
      if (reversed) {
        records.prev();
      } else {
        records.next();
      }
    }
    return out.toArray();
  }

  /** Moves to the next record; false if there is none here. */
  boolean next() {
    if (valueEnd == end) {
      return false;
    }
    int lengths = valueEnd;
    keyStart = lengths + LENGTHS;
    keyEnd = keyStart + ByteArrayUtil.getInt(bytes, lengths);
    valueEnd = keyEnd + ByteArrayUtil.getInt(bytes, lengths + Integer.BYTES);
    return true;
  }

  /** The kind of the record, of a partition whose part of the key is so long. */
  int kind(int partitionLength) {
    return bytes[keyStart + partitionLength] & 0xFF;
  }

  /** A copy of the record's value. */
  byte[] valueBytes() {
    return Arrays.copyOfRange(bytes, keyEnd, valueEnd);
  }

  /** A copy of the record's key. */
  byte[] key() {
    return Arrays.copyOfRange(bytes, keyStart, keyEnd);
  }

  /**
   * The row of the record; null as {@link RecordDecoder#row(byte[], int, byte[])} says.
   *
   * @param suffix where the comparable form of the clustering starts in the record's key
   */
  Row row(RecordDecoder decoder, int suffix) {
    return decoder.row(bytes, keyStart + suffix, keyEnd, value());
  }

  /** Reads the record's value; until the next is read. */
  ByteReader value() {
    value.reset(keyEnd, valueEnd);
    return value;
  }
}
