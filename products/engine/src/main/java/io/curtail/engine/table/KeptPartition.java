/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.ByteWriter;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.store.RecordCache;

/**
 * Collects the records of a partition that is read whole, from one view, and has them kept when all
 * are there: as a {@link RecordChunk}, the header first. Not thread-safe.
 */
final class KeptPartition {
  /** Of the records together; a larger partition costs little more than its bytes. */
  static final int MOST_BYTES = 32 << 10;

  /** No record of a partition has such a key. */
  private static final int WHOLE = 0xFE;

  /** The same without the header, of which was not asked. */
  private static final int ROWS = 0xFD;

  private final RecordCache.Place place;

  /** Null when there are too many. */
  private ByteWriter records = new ByteWriter();

  /**
   * @param place that has been looked at before the view was made
   */
  KeptPartition(RecordCache.Place place) {
    this.place = place;
    records.write(0); // no more than these
  }

  /** What is kept of a partition. */
  static int kind(boolean hasHeader) {
    return hasHeader ? WHOLE : ROWS;
  }

  /** Comes before all rows. */
  void header(byte[] partition, byte[] value) {
    if (value.length > MOST_BYTES) {
      records = null;
      return;
    }
    byte[] key = Keys.record(partition, Keys.HEADER);
    records.writeInt(key.length);
    records.writeInt(value.length);
    records.append(key);
    records.append(value);
  }

  /** There is no record. */
  void none() {
    place.keep(records.toArray());
  }

  /** The next rows; with the last of them all is kept. */
  void rows(RecordChunk chunk) {
    if (records == null) {
      return;
    }
    if (records.size() + chunk.bytes.length > MOST_BYTES) {
      records = null;
      return;
    }
    records.append(chunk.bytes, 1, chunk.bytes.length - 1);
    if (!chunk.hasMore) {
      place.keep(records.toArray());
      records = null;
    }
  }
}
