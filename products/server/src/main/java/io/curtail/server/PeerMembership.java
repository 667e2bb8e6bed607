/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import org.apache.cassandra.locator.InetAddressAndPort;

/** Forgets of peers what gossip says is over. Thread-safe. */
final class PeerMembership implements Membership {
  private final LiveSettings live;
  private final Host host;
  private final PassedReads passed;

  PeerMembership(LiveSettings live, Host host, PassedReads passed) {
    this.passed = passed;
    this.live = live;
    this.host = host;
  }

  @Override
  public void onDown(InetAddressAndPort endpoint) {
    Peer peer = live.policy().peers().get(endpoint);
    if (peer != null) {
      peer.takesCarriedReads = false;
      peer.reads.forgetOutstanding(host.nanoTime());
    }
  }

  @Override
  public void onRestarted(InetAddressAndPort endpoint) {
    onRemoved(endpoint);
  }

  @Override
  public void onRemoved(InetAddressAndPort endpoint) {
    live.policy().peers().remove(endpoint);
    passed.forget(endpoint);
  }
}
