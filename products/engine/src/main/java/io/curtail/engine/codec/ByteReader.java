/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.cassandra.utils.ByteArrayUtil;

/**
 * Reads what {@link ByteWriter} wrote. Byte strings are slices of the array, but for those of
 * {@link #copy}. Bytes that cannot have been written are a {@link DamagedRecordException} that says
 * where. Not thread-safe.
 */
public final class ByteReader {
  private final byte[] bytes;
  private final boolean isCopying;
  private int at;
  private int end;

  /** Reads all of an array, which must not be changed meanwhile. */
  public ByteReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  /** Reads a part, to the end exclusive. */
  public ByteReader(byte[] bytes, int start, int end) {
    this(bytes, start, end, false);
  }

  private ByteReader(byte[] bytes, int start, int end, boolean isCopying) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
    this.isCopying = isCopying;
  }

  /** Reads an array that may change later: what is read of it is copied. */
  public static ByteReader copying(byte[] bytes) {
    return new ByteReader(bytes, 0, bytes.length, true);
  }

  /** Reads another part of the same array. */
  public void reset(int start, int newEnd) {
    at = start;
    end = newEnd;
  }

  boolean hasRemaining() {
    return at < end;
  }

  int position() {
    return at;
  }

  /** Makes the bytes up to a position the only ones left, and returns the former end. */
  int limit(int newEnd) {
    if (newEnd < at || newEnd > bytes.length) {
      throw corrupt("a length of " + (newEnd - at));
    }
    int former = end;
    end = newEnd;
    return former;
  }

  int read() {
    if (at >= end) {
      throw corrupt("the end");
    }
    return bytes[at++] & 0xFF;
  }

  long readUnsigned() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = read();
      value |= (long) (b & 0x7F) << shift;
      if (b < 0x80) {
        return value;
      }
    }
    throw corrupt("an endless number");
  }

  int readLength() {
    long length = readUnsigned();
    if (length < 0 || length > end - at) {
      throw corrupt("a length of " + length);
    }
    return (int) length;
  }

  long readSigned() {
    long value = readUnsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  long readLong() {
    if (end - at < Long.BYTES) {
      throw corrupt("the end");
    }
    long value = ByteArrayUtil.getLong(bytes, at);
    at += Long.BYTES;
    return value;
  }

  ByteBuffer readBytes() {
    return slice(readLength());
  }

  /** Whether a slice is a copy, too. */
  boolean isCopying() {
    return isCopying;
  }

  /** The next bytes, whose {@linkplain #readLength length} was read. */
  ByteBuffer slice(int length) {
    if (isCopying) {
      return ByteBuffer.wrap(copy(length));
    }
    ByteBuffer value = ByteBuffer.wrap(bytes, at, length).slice();
    at += length;
    return value;
  }

  /** As {@link #slice}, but not a part of this array. */
  byte[] copy(int length) {
    byte[] value =
        length == 0 ? ByteArrayUtil.EMPTY_BYTE_ARRAY : Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return value;
  }

  void skipBytes() {
    int length = readLength();
    at += length;
  }

  DamagedRecordException corrupt(String what) {
    return new DamagedRecordException(
        "a record of " + bytes.length + " bytes is damaged: " + what + " at byte " + at);
  }
}
