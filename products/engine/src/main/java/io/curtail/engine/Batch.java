/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.HashSet;
import java.util.Set;
import org.rocksdb.ColumnFamilyHandle;

/**
 * Changes of records that happen all or not at all, in the bytes that RocksDB's {@code WriteBatch}
 * is made of: so the {@linkplain WriteAheadLog log} keeps what RocksDB gets, and a batch costs one
 * call of native code however many records it has.
 *
 * <p>The bytes: eight for RocksDB's use, the number of changes, then each with its kind, column
 * family, key and value (RocksDB, {@code db/write_batch.cc}). For one thread.
 */
final class Batch {
  private static final int DELETE = 0x4;
  private static final int PUT = 0x5;
  private static final int MERGE = 0x6;

  private static final int SEQUENCE_BYTES = 8;
  private static final int HEADER_BYTES = SEQUENCE_BYTES + 4;

  private final ByteWriter out = new ByteWriter();
  private final Set<Integer> families = new HashSet<>();
  private int count;

  Batch() {
    clear();
  }

  void clear() {
    count = 0;
    families.clear();
    out.clear();
    for (int i = 0; i < HEADER_BYTES; i++) {
      out.write(0);
    }
  }

  /** How many changes there are. */
  int count() {
    return count;
  }

  /** The numbers of the column families that it changes. */
  Set<Integer> families() {
    return families;
  }

  /** The length of {@link #toBytes}. */
  int size() {
    return out.size();
  }

  void put(ColumnFamilyHandle family, byte[] key, byte[] value) {
    change(PUT, family, key);
    out.writeBytes(value);
  }

  void put(ColumnFamilyHandle family, byte[] key, ByteWriter value) {
    change(PUT, family, key);
    out.writeBytes(value);
  }

  void merge(ColumnFamilyHandle family, byte[] key, ByteWriter value) {
    change(MERGE, family, key);
    out.writeBytes(value);
  }

  void delete(ColumnFamilyHandle family, byte[] key) {
    change(DELETE, family, key);
  }

  private void change(int kind, ColumnFamilyHandle family, byte[] key) {
    count++;
    int number = family.getID();
    families.add(number);
    out.write(kind);
    out.writeUnsigned(number);
    out.writeBytes(key);
  }

  /** What RocksDB reads as a {@code WriteBatch}. */
  byte[] toBytes() {
    for (int i = 0; i < 4; i++) {
      out.set(SEQUENCE_BYTES + i, count >>> (Byte.SIZE * i));
    }
    return out.toArray();
  }
}
