/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.codec.ByteWriter;
import io.curtail.engine.log.WriteAheadLog;
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
public final class Batch {
  static final int DELETE = 0x4;
  static final int PUT = 0x5;
  static final int MERGE = 0x6;

  private static final int SEQUENCE_BYTES = 8;

  /** Before the first change. */
  static final int HEADER_BYTES = SEQUENCE_BYTES + 4;

  private final ByteWriter out = new ByteWriter();

  /** Of one, for most batches. */
  private Set<Integer> families = Set.of();

  private ColumnFamilyHandle lastFamily;
  private Set<Integer> lastOnly;
  private int lastNumber;
  private int count;
  private boolean hasHeaders;

  /** An empty one. */
  public Batch() {
    clear();
  }

  /** Forgets all changes and keeps the memory. */
  public void clear() {
    count = 0;
    hasHeaders = false;
    families = Set.of();
    out.clear();
    for (int i = 0; i < HEADER_BYTES; i++) {
      out.write(0);
    }
  }

  /** How many changes there are. */
  public int count() {
    return count;
  }

  /** Says that it changes what holds for other records of a partition, too. */
  public void setHasHeaders() {
    hasHeaders = true;
  }

  /** Whether a reader of several records of a partition might see it in part. */
  boolean mustBeAnnounced() {
    return hasHeaders || count > 1;
  }

  /** The numbers of the column families that it changes. */
  Set<Integer> families() {
    return families;
  }

  /** How many of {@link #bytes} there are. */
  public int size() {
    return out.size();
  }

  /** Makes a record have this value. */
  public void put(ColumnFamilyHandle family, byte[] key, byte[] value) {
    change(PUT, family, key);
    out.writeBytes(value);
  }

  /** Makes a record of one fragment, which has no length yet. */
  public void put(ColumnFamilyHandle family, byte[] key, ByteWriter fragment) {
    change(PUT, family, key);
    writeFragment(fragment);
  }

  /** Adds a fragment, which has no length yet, to a record. */
  public void merge(ColumnFamilyHandle family, byte[] key, ByteWriter fragment) {
    change(MERGE, family, key);
    writeFragment(fragment);
  }

  private void writeFragment(ByteWriter fragment) {
    out.writeUnsigned(ByteWriter.sizeOfUnsigned(fragment.size()) + fragment.size());
    out.writeBytes(fragment);
  }

  /** Removes a record. */
  public void delete(ColumnFamilyHandle family, byte[] key) {
    change(DELETE, family, key);
  }

  private void change(int kind, ColumnFamilyHandle family, byte[] key) {
    setLast(family);
    addLast();
    count++;
    out.write(kind);
    out.writeUnsigned(lastNumber);
    out.writeBytes(key);
  }

  /** RocksDB tells the number in a call of native code. */
  @SuppressWarnings("ReferenceEquality") // a column family has one handle
  private void setLast(ColumnFamilyHandle family) {
    if (family != lastFamily) {
      lastNumber = family.getID();
      lastOnly = Set.of(lastNumber);
      lastFamily = family;
    }
  }

  private void addLast() {
    if (families.isEmpty()) {
      families = lastOnly;
    } else if (!families.contains(lastNumber)) {
      families = new HashSet<>(families);
      families.add(lastNumber);
    }
  }

  /** All changes, until the next. */
  BatchChanges changes() {
    return new BatchChanges(bytes(), size());
  }

  /** What RocksDB reads as a {@code WriteBatch}, followed by other bytes; until the next change. */
  byte[] bytes() {
    for (int i = 0; i < 4; i++) {
      out.set(SEQUENCE_BYTES + i, count >>> (Byte.SIZE * i));
    }
    return out.array();
  }
}
