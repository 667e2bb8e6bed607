/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.cassandra.db.BufferDecoratedKey;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;

/**
 * {@code token:8 | escaped key | 00 00}: the token with its sign bit flipped, each zero byte of the
 * key as {@code 00 FF}.
 */
final class Murmur3PartitionKeys extends PartitionKeys {
  @Override
  public byte[] encode(DecoratedKey key) {
    ByteBuffer bytes = key.getKey();
    int start = bytes.position();
    int end = bytes.limit();
    int zeros = 0;
    for (int i = start; i < end; i++) {
      if (bytes.get(i) == 0) {
        zeros++;
      }
    }
    byte[] encoded = new byte[TOKEN_BYTES + (end - start) + zeros + 2];
    putToken(encoded, key.getToken().getLongValue());
    int at = TOKEN_BYTES;
    for (int i = start; i < end; i++) {
      byte b = bytes.get(i);
      encoded[at++] = b;
      if (b == 0) {
        encoded[at++] = (byte) 0xFF;
      }
    }
    return encoded;
  }

  @Override
  public int length(byte[] record) {
    int at = TOKEN_BYTES;
    while (record[at] != 0 || record[at + 1] != 0) {
      at += record[at] == 0 ? 2 : 1;
    }
    return at + 2;
  }

  @Override
  public DecoratedKey decode(byte[] record, int length) {
    byte[] key = new byte[length - TOKEN_BYTES - 2];
    int size = 0;
    for (int at = TOKEN_BYTES; at < length - 2; at++) {
      key[size++] = record[at];
      if (record[at] == 0) {
        at++;
      }
    }
    long token = ByteBuffer.wrap(record, 0, TOKEN_BYTES).getLong() ^ Long.MIN_VALUE;
    return new BufferDecoratedKey(new LongToken(token), ByteBuffer.wrap(Arrays.copyOf(key, size)));
  }

  @Override
  public boolean isBehindAll(PartitionPosition position) {
    return position.kind() == PartitionPosition.Kind.MAX_BOUND
        && position.getToken().getLongValue() == Long.MAX_VALUE;
  }

  @Override
  byte[] tokenBound(PartitionPosition position) {
    if (isBehindAll(position)) {
      return null;
    }
    long token = position.getToken().getLongValue();
    boolean after = position.kind() == PartitionPosition.Kind.MAX_BOUND;
    byte[] bound = new byte[TOKEN_BYTES];
    putToken(bound, after ? token + 1 : token);
    return bound;
  }

  private static void putToken(byte[] target, long token) {
    ByteBuffer.wrap(target).putLong(token ^ Long.MIN_VALUE);
  }
}
