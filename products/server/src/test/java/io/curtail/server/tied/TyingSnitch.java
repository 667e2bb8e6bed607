/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server.tied;

import org.apache.cassandra.locator.GossipingPropertyFileSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.MBeanWrapper;

/**
 * For the proof of tied reads only: a fixed order, by address and this node last, so that a test
 * knows which replica gets the first copy and which the second.
 */
public final class TyingSnitch extends GossipingPropertyFileSnitch {
  private final Ties ties = new Ties();

  @Override
  public void gossiperStarting() {
    super.gossiperStarting();
    ties.install();
    MBeanWrapper.instance.registerMBean(ties, TiesMBean.NAME);
  }

  @Override
  public <C extends ReplicaCollection<? extends C>> C sortedByProximity(
      InetAddressAndPort address, C replicas) {
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    C order =
        replicas.sorted(
            (Replica a, Replica b) ->
                a.endpoint().equals(self)
                    ? (b.endpoint().equals(self) ? 0 : 1)
                    : b.endpoint().equals(self) ? -1 : a.endpoint().compareTo(b.endpoint()));
    ties.ordered(order);
    return order;
  }
}
