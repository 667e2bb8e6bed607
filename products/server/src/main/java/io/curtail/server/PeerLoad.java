/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.LoadSettings;
import io.curtail.selection.ReplicaLoad;

/** A peer's load as one kind of reads sees it. Thread-safe. */
final class PeerLoad extends ReplicaLoad {
  final Peer peer;

  PeerLoad(Peer peer, LoadSettings settings) {
    super(settings);
    this.peer = peer;
  }

  /** Counts what is outstanding with the other kind. */
  PeerLoad(PeerLoad otherKind, LoadSettings settings) {
    super(settings, otherKind);
    this.peer = otherKind.peer;
  }
}
