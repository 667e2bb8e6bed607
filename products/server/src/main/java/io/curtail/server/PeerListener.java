/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import org.apache.cassandra.locator.InetAddressAndPort;

/** Told what gossip says of peers. */
interface PeerListener {
  /** Taken for dead: nothing outstanding will be answered. */
  void onDown(InetAddressAndPort endpoint);

  /** Started again: what was measured is of another process. */
  void onRestarted(InetAddressAndPort endpoint);

  /** Left the cluster, or was replaced. */
  void onRemoved(InetAddressAndPort endpoint);
}
