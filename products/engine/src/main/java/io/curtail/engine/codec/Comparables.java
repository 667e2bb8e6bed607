/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSource;

/** Cassandra's byte-comparable forms, as arrays. Stateless and thread-safe. */
public final class Comparables {
  /** The encoding written to disk: never to change within one format version of the engine. */
  static final ByteComparable.Version VERSION = ByteComparable.Version.OSS50;

  private static final int USUAL_BYTES = 48;

  private Comparables() {}

  /**
   * The {@linkplain Keys#record key} of the record of a clustering, or of a bound of clusterings:
   * as {@link ClusteringComparator#asByteComparable} writes it, but with the values of {@link
   * ComparableTypes}.
   *
   * @throws IllegalArgumentException if a type has a tuple within what has no known order of bytes
   */
  public static <V> byte[] record(
      byte[] partition, int kind, ClusteringComparator comparator, ClusteringPrefix<V> prefix) {
    if (comparator.size() == 0) {
      return Keys.record(partition, kind);
    }
    ByteWriter out = new ByteWriter(partition.length + USUAL_BYTES);
    out.append(partition);
    out.write(kind);
    for (int i = 0; i < prefix.size(); i++) {
      ComparableTypes.writeComponent(out, comparator.subtype(i), prefix.accessor(), prefix.get(i));
    }
    out.write(prefix.kind().asByteComparableValue(VERSION));
    return out.toArray();
  }

  static byte[] bytes(ByteSource source) {
    ByteWriter out = new ByteWriter(USUAL_BYTES);
    out.write(source);
    return out.toArray();
  }
}
