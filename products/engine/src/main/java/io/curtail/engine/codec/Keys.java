/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.util.Arrays;

/**
 * Where a record lies in a column family.
 *
 * <pre>
 * key    = partition | kind:1 | suffix
 * HEADER   suffix empty                        partition deletion and static row
 * RANGE    suffix = end bound, comparable      one range tombstone of a disjoint set
 * ROW      suffix = clustering, comparable     one row; empty in a table without clustering columns
 * </pre>
 *
 * <p>The partition part is prefix-free and sorts as Cassandra sorts partitions, so one partition is
 * one contiguous run: header, range tombstones, rows. A table without clustering columns has one
 * record a partition, a ROW that also holds the partition deletion.
 *
 * <p>Stateless and thread-safe.
 */
public final class Keys {
  /** The kind of what a partition has besides rows and ranges. */
  public static final int HEADER = 0x01;

  /** The kind of a range tombstone. */
  public static final int RANGE = 0x08;

  /** The kind of a row. */
  public static final int ROW = 0x10;

  /** Sorts after every record of a partition. */
  public static final int END = 0xFF;

  private Keys() {}

  /**
   * The key of a record that has no suffix, or a prefix of all records of a kind. {@link
   * Comparables#record} has those with one.
   */
  public static byte[] record(byte[] partition, int kind) {
    byte[] key = Arrays.copyOf(partition, partition.length + 1);
    key[partition.length] = (byte) kind;
    return key;
  }

  /** Whether a key begins with some bytes. */
  public static boolean hasPrefix(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }
}
