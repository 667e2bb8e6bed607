/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.cassandra.utils.bytecomparable.ByteSource;

/** A growing array with variable-length integers. Not thread-safe; may be cleared and reused. */
public final class ByteWriter {
  private static final int USUAL_BYTES = 256;
  private static final int MOST_KEPT_BYTES = 1 << 18;

  private final int usual;
  private byte[] bytes;
  private int size;

  /** An empty one of the usual size. */
  public ByteWriter() {
    this(USUAL_BYTES);
  }

  /**
   * @param usual how many bytes it takes before it grows
   */
  ByteWriter(int usual) {
    this.usual = usual;
    bytes = new byte[usual];
  }

  /** How many bytes are written. */
  public int size() {
    return size;
  }

  /** Forgets what is written and keeps the memory, unless that has become much. */
  public void clear() {
    size = 0;
    if (bytes.length > Math.max(usual, MOST_KEPT_BYTES)) {
      bytes = new byte[usual];
    }
  }

  /** A copy of what is written. */
  public byte[] toArray() {
    return Arrays.copyOf(bytes, size);
  }

  /** What is written, followed by other bytes; until more is written. */
  public byte[] array() {
    return bytes;
  }

  /** Writes the low eight bits. */
  public void write(int b) {
    reserve(1);
    bytes[size++] = (byte) b;
  }

  void write(ByteSource source) {
    for (int next = source.next(); next != ByteSource.END_OF_STREAM; next = source.next()) {
      write(next);
    }
  }

  /** Replaces a byte that is written. */
  public void set(int position, int b) {
    bytes[position] = (byte) b;
  }

  /** Turns the order of what is written from a position on around. */
  void invertFrom(int position) {
    for (int i = position; i < size; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
  }

  /** Seven bits a byte, low bits first, the high bit set on all but the last. */
  public void writeUnsigned(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** How many bytes {@link #writeUnsigned} writes. */
  public static int sizeOfUnsigned(int value) {
    return value == 0 ? 1 : (Integer.SIZE - Integer.numberOfLeadingZeros(value) + 6) / 7;
  }

  /** Small for small magnitudes of either sign. */
  void writeSigned(long value) {
    writeUnsigned((value << 1) ^ (value >> 63));
  }

  /** Four bytes, high ones first. */
  public void writeInt(int value) {
    reserve(Integer.BYTES);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  /** Eight bytes, high ones first. */
  public void writeLong(long value) {
    reserve(Long.BYTES);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  /** Length and bytes; the buffer's position stays. */
  void writeBytes(ByteBuffer value) {
    int length = value.remaining();
    writeUnsigned(length);
    reserve(length);
    value.duplicate().get(bytes, size, length);
    size += length;
  }

  /** Length and bytes. */
  public void writeBytes(byte[] value) {
    writeUnsigned(value.length);
    append(value, 0, value.length);
  }

  /** Length and bytes. */
  public void writeBytes(ByteWriter value) {
    writeUnsigned(value.size);
    append(value);
  }

  /** Bytes without their length. */
  public void append(byte[] source) {
    append(source, 0, source.length);
  }

  void append(ByteWriter other) {
    append(other.bytes, 0, other.size);
  }

  /** Some of the bytes, without their length. */
  public void append(byte[] source, int from, int length) {
    reserve(length);
    System.arraycopy(source, from, bytes, size, length);
    size += length;
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
    }
  }
}
