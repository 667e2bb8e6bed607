/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import org.apache.cassandra.locator.InetAddressAndPort;

/** Forgets of peers what gossip says is over. Thread-safe. */
final class PeerMembership implements PeerListener {
  private final LiveSettings live;
  private final Host host;
  private final PassedReads passed;
  private final Guard guard;

  PeerMembership(LiveSettings live, Host host, PassedReads passed, Guard guard) {
    this.passed = passed;
    this.live = live;
    this.host = host;
    this.guard = guard;
  }

  @Override
  public void onDown(InetAddressAndPort endpoint) {
    guarded(
        () -> {
          Peer peer = live.policy().peers().get(endpoint);
          if (peer != null) {
            peer.takesCarriedReads = false;
            peer.reads.forgetOutstanding(host.nanoTime());
          }
        });
  }

  @Override
  public void onRestarted(InetAddressAndPort endpoint) {
    onRemoved(endpoint);
  }

  @Override
  public void onRemoved(InetAddressAndPort endpoint) {
    guarded(
        () -> {
          live.policy().peers().remove(endpoint);
          passed.forget(endpoint);
        });
  }

  // Others wait for the same news.
  private void guarded(Runnable news) {
    try {
      news.run();
    } catch (Throwable e) {
      guard.failed("hearing of a node", e);
    }
  }
}
