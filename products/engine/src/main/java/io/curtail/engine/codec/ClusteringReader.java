/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.util.Arrays;
import java.util.Map;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.ByteArrayAccessor;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.utils.ByteArrayUtil;
import org.apache.cassandra.utils.bytecomparable.ByteSource;

/**
 * Reads clusterings of the usual types from their comparable form, as Cassandra's {@link
 * ClusteringComparator#clusteringFromByteComparable} does, which asks for one byte after the other.
 * What is not as usual it leaves to that: nulls, empty values that are none of their type's, zeros
 * in a text, damage. Immutable.
 */
final class ClusteringReader {
  /** How a value is written: see {@code asComparableBytes} of its type in Cassandra. */
  private enum Form {
    /** Four bytes in order. */
    DATE,
    /** Four bytes, the sign turned. */
    INT,
    /** Eight bytes, the sign turned. */
    TIMESTAMP,
    /** One to nine bytes, by the first. */
    LONG,
    /** Sixteen bytes, the version first. */
    UUID,
    /** Sixteen bytes, the time first and the signs of the rest turned. */
    TIME_UUID,
    /** Any bytes up to a zero. */
    BYTES
  }

  private static final Map<AbstractType<?>, Form> FORMS =
      Map.of(
          AsciiType.instance, Form.BYTES,
          BytesType.instance, Form.BYTES,
          Int32Type.instance, Form.INT,
          LongType.instance, Form.LONG,
          SimpleDateType.instance, Form.DATE,
          TimestampType.instance, Form.TIMESTAMP,
          TimeUUIDType.instance, Form.TIME_UUID,
          UTF8Type.instance, Form.BYTES,
          UUIDType.instance, Form.UUID);

  private static final long SIGN = 1L << 63;
  private static final long SIGNS = 0x8080808080808080L;
  private static final int UNKNOWN = -1;

  private final Form[] forms;

  /** What each byte was turned with: 0xFF where the order is reversed. */
  private final int[] flips;

  /** For clusterings of some types, which it may not know. */
  ClusteringReader(ClusteringComparator comparator) {
    int size = comparator.size();
    forms = new Form[size];
    flips = new int[size];
    for (int i = 0; i < size; i++) {
      AbstractType<?> type = comparator.subtype(i);
      forms[i] = FORMS.get(type.unwrap());
      flips[i] = type.isReversed() ? 0xFF : 0;
    }
  }

  /**
   * The clustering that a part of some bytes is.
   *
   * @return null if Cassandra's method has to tell
   */
  Clustering<?> read(byte[] bytes, int start, int end) {
    byte[][] values = new byte[forms.length][];
    int at = start;
    for (int i = 0; i < forms.length; i++) {
      if (forms[i] == null || at >= end || bytes[at] != ByteSource.NEXT_COMPONENT) {
        return null;
      }
      at++;
      int length = length(forms[i], bytes, at, end, flips[i]);
      if (length == UNKNOWN || length > end - at) {
        return null;
      }
      values[i] = value(forms[i], bytes, at, length, flips[i]);
      if (values[i] == null) {
        return null;
      }
      at += length;
    }
    return at == end - 1 && bytes[at] == ByteSource.TERMINATOR
        ? ByteArrayAccessor.instance.factory().clustering(values)
        : null;
  }

  private static int length(Form form, byte[] bytes, int at, int end, int flip) {
    switch (form) {
      case DATE:
      case INT:
        return Integer.BYTES;
      case TIMESTAMP:
        return Long.BYTES;
      case LONG:
        return lengthOfLong(bytes, at, end, flip);
      case BYTES:
        return lengthOfBytes(bytes, at, end, flip);
      default:
        return 2 * Long.BYTES;
    }
  }

  /** As many more bytes as bits follow the sign that are like it. */
  private static int lengthOfLong(byte[] bytes, int at, int end, int flip) {
    if (end - at < 2) {
      return UNKNOWN;
    }
    int first = (byte) (bytes[at] ^ flip);
    int same = Integer.numberOfLeadingZeros(first < 0 ? ~first : first) - 3 * Byte.SIZE;
    // The eighth of these bits is in the second byte.
    boolean isLongest = same == Byte.SIZE && ((bytes[at] ^ bytes[at + 1]) & 0x80) == 0;
    return isLongest ? 1 + Long.BYTES : same;
  }

  /** With the zero that ends them; a zero among them is followed by another sign. */
  private static int lengthOfBytes(byte[] bytes, int at, int end, int flip) {
    for (int i = at; i < end - 1; i++) {
      if (bytes[i] == (byte) flip) {
        int next = (bytes[i + 1] ^ flip) & 0xFF;
        return next >= ByteSource.ESCAPED_0_CONT ? UNKNOWN : i + 1 - at;
      }
    }
    return UNKNOWN;
  }

  private static byte[] value(Form form, byte[] bytes, int at, int length, int flip) {
    switch (form) {
      case DATE:
        return ByteArrayUtil.bytes((int) number(bytes, at, length, flip));
      case INT:
        int turned = (int) number(bytes, at, length, flip);
        return ByteArrayUtil.bytes(turned ^ Integer.MIN_VALUE);
      case TIMESTAMP:
        return ByteArrayUtil.bytes(number(bytes, at, length, flip) ^ SIGN);
      case LONG:
        return ByteArrayUtil.bytes(ofLong(bytes, at, length, flip));
      case BYTES:
        return ofBytes(bytes, at, length - 1, flip);
      default:
        long high = number(bytes, at, Long.BYTES, flip);
        long low = number(bytes, at + Long.BYTES, Long.BYTES, flip);
        return form == Form.UUID ? ofUuid(high, low) : ofTimeUuid(high, low ^ SIGNS);
    }
  }

  private static long number(byte[] bytes, int at, int length, int flip) {
    long number = 0;
    for (int i = at; i < at + length; i++) {
      number = (number << Byte.SIZE) | ((bytes[i] ^ flip) & 0xFF);
    }
    return number;
  }

  private static long ofLong(byte[] bytes, int at, int length, int flip) {
    if (length > Long.BYTES) {
      return number(bytes, at + 1, Long.BYTES, flip) ^ SIGN;
    }
    // Of each byte one bit is taken by the length; the signs are put where those were.
    long written = number(bytes, at, length, flip);
    long signs = -1L << (7 * length - 1);
    boolean isNegative = ((bytes[at] ^ flip) & 0x80) == 0;
    return isNegative ? written | signs : written & ~signs;
  }

  private static byte[] ofBytes(byte[] bytes, int at, int length, int flip) {
    byte[] value = Arrays.copyOfRange(bytes, at, at + length);
    for (int i = 0; flip != 0 && i < length; i++) {
      value[i] ^= (byte) flip;
    }
    return value;
  }

  private static byte[] ofUuid(long high, long low) {
    long version = high >>> 60;
    return version == 1
        ? ofTimeUuid(high, low)
        : uuid(((high << 4) & ~0xFFFFL) | (version << 12) | (high & 0xFFF), low);
  }

  private static byte[] ofTimeUuid(long high, long low) {
    return high >>> 60 == 1
        ? uuid((high << 32) | ((high >>> 16) & 0xFFFF0000L) | (high >>> 48), low)
        : null;
  }

  private static byte[] uuid(long high, long low) {
    byte[] value = new byte[2 * Long.BYTES];
    ByteArrayUtil.putLong(value, 0, high);
    ByteArrayUtil.putLong(value, Long.BYTES, low);
    return value;
  }
}
