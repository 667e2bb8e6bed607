/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import org.apache.cassandra.db.BufferDecoratedKey;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSource;

/**
 * The keys of a secondary index's hidden table, whose token is the indexed value: Cassandra's own
 * byte-comparable form.
 */
final class LocalPartitionKeys extends PartitionKeys {
  private final IPartitioner partitioner;

  LocalPartitionKeys(IPartitioner partitioner) {
    this.partitioner = partitioner;
  }

  @Override
  public byte[] encode(DecoratedKey key) {
    return Comparables.bytes(key.asComparableBytes(Comparables.VERSION));
  }

  @Override
  public int length(byte[] record) {
    CountedBytes bytes = new CountedBytes(record);
    DecoratedKey.keyFromByteSource(ByteSource.peekable(bytes), Comparables.VERSION, partitioner);
    return bytes.taken;
  }

  @Override
  public DecoratedKey decode(byte[] record, int length) {
    ByteComparable comparable = version -> ByteSource.fixedLength(record, 0, length);
    return BufferDecoratedKey.fromByteComparable(comparable, Comparables.VERSION, partitioner);
  }

  @Override
  public boolean isBehindAll(PartitionPosition position) {
    return false;
  }

  @Override
  byte[] tokenBound(PartitionPosition position) {
    return Comparables.bytes(((ByteComparable) position).asComparableBytes(Comparables.VERSION));
  }

  private static final class CountedBytes implements ByteSource {
    private final byte[] bytes;
    private int taken;

    CountedBytes(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int next() {
      return taken < bytes.length ? bytes[taken++] & 0xFF : END_OF_STREAM;
    }
  }
}
