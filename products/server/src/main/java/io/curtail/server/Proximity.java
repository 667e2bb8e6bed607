/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

/** How near a replica is to this coordinator, the nearest first. */
enum Proximity {
  /** This node: reading it takes no message. */
  SELF,
  RACK,
  DATA_CENTER,
  REMOTE;

  boolean isInDataCenter() {
    return this != REMOTE;
  }
}
