/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.Arrays;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSource;

/** Cassandra's byte-comparable forms, as arrays. */
final class Comparables {
  /** The encoding written to disk: never to change within one format version of the engine. */
  static final ByteComparable.Version VERSION = ByteComparable.Version.OSS50;

  private static final int USUAL_BYTES = 48;
  private static final byte[] NOTHING = {};

  private Comparables() {}

  static byte[] clustering(ClusteringComparator comparator, ClusteringPrefix<?> prefix) {
    return comparator.size() == 0 ? NOTHING : bytes(new ClusteringSource<>(comparator, prefix));
  }

  static byte[] bytes(ByteSource source) {
    byte[] bytes = new byte[USUAL_BYTES];
    int length = 0;
    for (int next = source.next(); next != ByteSource.END_OF_STREAM; next = source.next()) {
      if (length == bytes.length) {
        bytes = Arrays.copyOf(bytes, length * 2);
      }
      bytes[length++] = (byte) next;
    }
    return Arrays.copyOf(bytes, length);
  }
}
