/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.RecordDecoder;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.utils.AbstractIterator;

/**
 * The rows of a {@link KeptPartition}, from memory of the thread that is given back after the last,
 * or when this is closed: of rows that nobody asks for there is no copy. Not thread-safe.
 */
final class KeptRows extends AbstractIterator<Row> implements AutoCloseable {
  private static final ThreadLocal<Spare> SPARES = ThreadLocal.withInitial(Spare::new);

  private final RecordDecoder decoder;
  private final int suffix;

  /** Null when it is closed. */
  private RecordChunk records;

  private boolean isAtRow;

  /**
   * @param records in memory that was {@linkplain #takeMemory taken}; the one that it has moved to
   *     is the first row
   * @param isAtRow false if it has moved behind the last
   * @param suffix where the comparable form of the clustering starts in a record's key
   */
  KeptRows(RecordChunk records, boolean isAtRow, RecordDecoder decoder, int suffix) {
    this.records = records;
    this.isAtRow = isAtRow;
    this.decoder = decoder;
    this.suffix = suffix;
  }

  /** Memory of a thread, for one partition at a time. */
  private static final class Spare {
    private byte[] memory;
  }

  /** Room for the records of a partition. */
  static byte[] takeMemory() {
    Spare spare = SPARES.get();
    byte[] memory = spare.memory;
    spare.memory = null;
    return memory == null ? new byte[KeptPartition.MOST_BYTES] : memory;
  }

  /** Gives it back, once. */
  static void giveBack(byte[] memory) {
    SPARES.get().memory = memory;
  }

  @Override
  protected Row computeNext() {
    Row row = null;
    while (records != null && row == null) {
      if (isAtRow) {
        row = records.row(decoder, suffix);
        isAtRow = records.next();
      } else {
        close();
      }
    }
    return row == null ? endOfData() : row;
  }

  @Override
  public void close() {
    if (records != null) {
      giveBack(records.bytes);
      records = null;
    }
  }
}
