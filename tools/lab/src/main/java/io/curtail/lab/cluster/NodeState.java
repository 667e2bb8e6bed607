/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

/** What a node is doing, as seen from outside. */
public enum NodeState {
  /** Accepts clients. */
  UP,
  /** Its process lives but does not accept clients: it starts, or something is wrong. */
  NOT_SERVING,
  /** Held by SIGSTOP. */
  PAUSED,
  /** Its process is gone. */
  DOWN
}
