/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.cassandra.net;

import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Cassandra's own connections to a peer where no node runs: to make them itself it asks the system
 * tables for the peer's preferred address.
 */
public final class PeerConnections {
  private PeerConnections() {}

  /** Makes them; they connect when a message is sent. */
  public static void make(InetAddressAndPort peer) {
    make(new OutboundConnectionSettings(peer));
  }

  /** The same where no more than a kibibyte of messages may wait. */
  public static void makeSmall(InetAddressAndPort peer) {
    make(
        new OutboundConnectionSettings(peer)
            .withApplicationSendQueueCapacityInBytes(1024)
            .withApplicationReserveSendQueueCapacityInBytes(
                1, MessagingService.instance().outboundGlobalReserveLimit));
  }

  private static void make(OutboundConnectionSettings settings) {
    OutboundConnections unused =
        OutboundConnections.tryRegister(
            MessagingService.instance().channelManagers,
            settings.to,
            settings.withConnectTo(settings.to).withDefaults(ConnectionCategory.MESSAGING));
  }

  /** Ends them. */
  public static void close(InetAddressAndPort peer) {
    var unused = MessagingService.instance().channelManagers.remove(peer).close(false);
  }
}
