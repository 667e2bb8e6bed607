/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.dht.Murmur3Partitioner;

/**
 * The partition part of a key: prefix-free, in the order of {@link PartitionPosition}, and
 * reversible to the very bytes of the partition key.
 *
 * <p>Stateless and thread-safe.
 */
public abstract class PartitionKeys {
  /** With how many bytes all records of a partition begin under Murmur3Partitioner. */
  public static final int TOKEN_BYTES = Long.BYTES;

  /**
   * The codec of a table's partitioner.
   *
   * @throws IllegalArgumentException for a partitioner that the engine does not support
   */
  public static PartitionKeys of(IPartitioner partitioner) {
    if (partitioner instanceof Murmur3Partitioner) {
      return new Murmur3PartitionKeys();
    }
    if (partitioner instanceof LocalPartitioner) {
      return new LocalPartitionKeys(partitioner);
    }
    throw new IllegalArgumentException(
        "the rocksdb memtable needs Murmur3Partitioner, this cluster uses "
            + partitioner.getClass().getSimpleName()
            + ": keep such tables on the default memtable");
  }

  /** The partition part of the keys of a partition. */
  public abstract byte[] encode(DecoratedKey key);

  /** How many leading bytes of a record's key are the partition. */
  public abstract int length(byte[] record);

  /** The partition of a record, whose key has a partition part of this length. */
  public abstract DecoratedKey decode(byte[] record, int length);

  /**
   * The first key at or after a position, as a seek target or an exclusive upper bound.
   *
   * @param after true for the first key behind the position's own partition
   * @return null if the position is the minimum, or {@linkplain #isBehindAll behind everything}
   */
  public final byte[] bound(PartitionPosition position, boolean after) {
    if (position.isMinimum()) {
      return null;
    }
    if (position instanceof DecoratedKey) {
      byte[] partition = encode((DecoratedKey) position);
      return after ? Keys.record(partition, Keys.END) : partition;
    }
    return tokenBound(position);
  }

  /** Whether no key can be at or after a position, so that a range that begins there is empty. */
  public abstract boolean isBehindAll(PartitionPosition position);

  abstract byte[] tokenBound(PartitionPosition position);
}
