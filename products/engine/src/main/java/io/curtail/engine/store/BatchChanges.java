/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.nio.ByteBuffer;

/**
 * Goes through the changes of a {@link Batch}, in the bytes that it has them in. For one thread,
 * until the batch changes.
 */
final class BatchChanges {
  /** What {@link #keyFrom} and {@link #valueFrom} are places in. */
  final byte[] bytes;

  /** One of {@link Batch}'s. */
  int kind;

  /** The number of the column family. */
  int family;

  int keyFrom;
  int keyLength;
  int valueFrom;

  /** Zero if the change has no value. */
  int valueLength;

  private final int end;
  private int at = Batch.HEADER_BYTES;

  /**
   * @param bytes of a batch
   * @param size of it, which others may follow
   */
  BatchChanges(byte[] bytes, int size) {
    this.bytes = bytes;
    end = size;
  }

  /** Moves to the next change, at first to the first; false if there is none. */
  boolean next() {
    if (at == end) {
      return false;
    }
    kind = bytes[at++];
    family = readUnsigned();
    keyLength = readUnsigned();
    keyFrom = at;
    at += keyLength;
    valueLength = kind == Batch.DELETE ? 0 : readUnsigned();
    valueFrom = at;
    at += valueLength;
    return true;
  }

  /** Of column family and key, as {@link RecordCache} makes it. */
  long hash() {
    return RecordCache.hash(family, bytes, keyFrom, keyLength);
  }

  /** Copies the value; its length. */
  int copyTo(ByteBuffer memory, int at) {
    ByteBuffer to = memory.duplicate();
    to.position(at);
    to.put(bytes, valueFrom, valueLength);
    return valueLength;
  }

  /**
   * Merges the value into another, as {@link NativeCalls#merge} does.
   *
   * @param calls null if there are none
   * @return the new length; negative if the other is as it was
   */
  int mergeInto(long value, int length, int room, NativeCalls calls) {
    return calls == null ? -1 : calls.merge(value, length, room, bytes, valueFrom, valueLength);
  }

  private int readUnsigned() {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes[at++];
      value |= (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
