/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

/** What a replica does with a carried read when none of its read threads is free. */
enum CarriedTerms {
  /** It waits: it has been everywhere else, or is not to leave. */
  STAYS(0),
  /** It waits, or is given back if another replica is expected to be done sooner. */
  MAY_LEAVE(1),
  /** It is given back: it is a second copy. */
  AT_ONCE(2);

  /** In a message. */
  final byte code;

  CarriedTerms(int code) {
    this.code = (byte) code;
  }

  /**
   * Returns the terms of a message.
   *
   * @throws IllegalArgumentException if there are none of that code
   */
  static CarriedTerms of(byte code) {
    for (CarriedTerms terms : values()) {
      if (terms.code == code) {
        return terms;
      }
    }
    throw new IllegalArgumentException("terms " + code + " of a carried read");
  }
}
