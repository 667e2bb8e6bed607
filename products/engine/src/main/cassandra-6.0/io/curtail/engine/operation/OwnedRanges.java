/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.tcm.ClusterMetadata;

/**
 * The parts of the ring of which this node is a replica in a keyspace, and will be as long as no
 * {@linkplain #check check} fails. For one thread.
 */
final class OwnedRanges {
  private final Keyspace keyspace;
  private final Set<Range<Token>> ranges;

  /**
   * @throws IllegalStateException as {@link #check} does
   */
  OwnedRanges(String keyspace) {
    this.keyspace = Keyspace.open(keyspace);
    ranges = look(ClusterMetadata.current());
    check();
  }

  private Set<Range<Token>> look(ClusterMetadata cluster) {
    return new HashSet<>(cluster.localWriteRanges(keyspace.getMetadata()).ranges());
  }

  /**
   * Looks again.
   *
   * @throws IllegalStateException if nodes join, leave or move now, or the ranges are others since
   */
  void check() {
    ClusterMetadata cluster = ClusterMetadata.current();
    if (!cluster.inProgressSequences.isEmpty() || !look(cluster).equals(ranges)) {
      throw RingParts.changing();
    }
  }

  /** The other parts of the ring, in its order; none goes round its end. */
  List<Range<Token>> complement() {
    return RingParts.complement(ranges);
  }
}
