/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import java.util.List;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;

/** What is the same of a node's parts of the ring in every release of Cassandra. */
final class RingParts {
  private RingParts() {}

  /** The other parts of the ring, in its order; none goes round its end. */
  static List<Range<Token>> complement(Set<Range<Token>> ranges) {
    Token least = DatabaseDescriptor.getPartitioner().getMinimumToken();
    return Range.normalize(new Range<>(least, least).subtractAll(Range.normalize(ranges)));
  }

  /** Why nothing may be removed while they are about to change. */
  static IllegalStateException changing() {
    return new IllegalStateException(
        "nodes join, leave or move now, or the keyspace is altered, so this node may get back what"
            + " it would remove: try again when that is over");
  }
}
