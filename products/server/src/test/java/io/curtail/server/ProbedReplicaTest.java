/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.Replica;
import org.junit.jupiter.api.Test;

/** To which replicas a read may be sent that Cassandra did not send there. */
class ProbedReplicaTest {
  /** With a replication factor of 3/1. */
  @Test
  void should_send_none_to_a_transient_replica() {
    Range<Token> range = new Range<>(new LongToken(0), new LongToken(10));
    EndpointsForToken replicas =
        EndpointsForToken.of(
            new LongToken(5),
            Replica.fullReplica(address(2), range),
            Replica.fullReplica(address(3), range),
            Replica.transientReplica(address(4), range));
    assertThat(Cassandra50Host.isFull(address(2), replicas)).isTrue();
    assertThat(Cassandra50Host.isFull(address(4), replicas)).isFalse();
    assertThat(Cassandra50Host.isFull(address(5), replicas)).isFalse();
  }
}
