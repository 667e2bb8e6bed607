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
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;

/**
 * The parts of the ring of which this node is a replica in a keyspace, and will be as long as no
 * {@linkplain #check check} fails. For one thread.
 */
final class OwnedRanges {
  private final TokenMetadata ring = StorageService.instance.getTokenMetadata();
  private final Keyspace keyspace;
  private final Set<Range<Token>> ranges;
  private AbstractReplicationStrategy strategy;
  private long version;

  /**
   * @throws IllegalStateException as {@link #check} does
   */
  OwnedRanges(String keyspace) {
    this.keyspace = Keyspace.open(keyspace);
    ranges = look();
    check();
  }

  private Set<Range<Token>> look() {
    // Before the ranges: what changes meanwhile is looked at again.
    version = ring.getRingVersion();
    strategy = keyspace.getReplicationStrategy();
    return new HashSet<>(
        strategy
            .getAddressReplicas(ring.cloneOnlyTokenMap(), FBUtilities.getBroadcastAddressAndPort())
            .ranges());
  }

  /**
   * Looks again.
   *
   * @throws IllegalStateException if nodes join, leave or move now, or the ranges are others since
   */
  void check() {
    boolean isChanging =
        !StorageService.instance.isNormal()
            || !ring.getBootstrapTokens().isEmpty()
            || ring.getSizeOfLeavingEndpoints() + ring.getSizeOfMovingEndpoints() > 0;
    boolean isOther =
        version != ring.getRingVersion() || strategy != keyspace.getReplicationStrategy();
    if (isChanging || (isOther && !look().equals(ranges))) {
      throw RingParts.changing();
    }
  }

  /** The other parts of the ring, in its order; none goes round its end. */
  List<Range<Token>> complement() {
    return RingParts.complement(ranges);
  }
}
