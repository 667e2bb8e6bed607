/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

/** What becomes of a read that would have to wait at the server its client chose. */
enum SecondChance {
  /** It waits. */
  NONE,

  /** Its client holds it back: {@link OnOff}. */
  HELD_BACK,

  /** The server passes it on to another replica. */
  PASSED_ON,

  /** The server returns it to the client, which sends it to another replica. */
  RETURNED,

  /**
   * It waits; its client, told so, sends a second copy to another replica, and the server that
   * starts first claims the read from the other. Dean and Barroso, "The Tail at Scale", 2013.
   */
  TIED;

  boolean hasRoute() {
    return this == PASSED_ON || this == RETURNED;
  }
}
