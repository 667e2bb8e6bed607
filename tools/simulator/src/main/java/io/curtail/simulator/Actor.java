/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

/** Something that events happen to. */
interface Actor {
  /**
   * Something happens now.
   *
   * @param event the actor's own number for the kind of event
   * @param subject what it is about, or null
   */
  void on(int event, Object subject);
}
