/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import org.rocksdb.RocksIterator;

/** What is taken of an iterator where the C library does not load. */
public final class Chunks {
  private Chunks() {}

  public static byte[] inJava(
      RocksIterator records, byte[] bound, boolean reversed, int mostRecords, int mostBytes) {
    return RecordChunk.inJava(records, bound, reversed, mostRecords, mostBytes);
  }
}
