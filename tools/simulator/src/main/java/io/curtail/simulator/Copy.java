/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.Feedback;
import io.curtail.selection.passing.Route;

/** A read as sent to one server. */
final class Copy {
  /** Where a copy is. */
  enum State {
    ON_THE_WAY,
    WAITING,
    STARTED,
    DROPPED
  }

  /** What a server without a free slot does with a copy. */
  enum IfBusy {
    WAITS,
    DROPPED,

    /** Dropped if others wait there already. */
    DROPPED_BEHIND_OTHERS,

    /** Waits behind all others. */
    WAITS_LAST,

    /** Waits behind all others, and makes way for them when it is served. */
    MAKES_WAY
  }

  final Read read;
  final Server server;
  final long sentNanos;
  State state = State.ON_THE_WAY;
  Copy nextOfRead;
  long serviceNanos;

  /** What is left of its service, once that has begun. */
  double leftNanos;

  /** When its service ends, if the server does not pause. */
  long dueNanos;

  /** The work it makes, as a share of a data read's. */
  double cost = 1;

  Feedback feedback;
  boolean failed;
  boolean answered;

  /** Its service is beyond those that the read needs. */
  boolean extra;

  /** Sent only so that the servers are seen: it answers nobody. */
  boolean shadow;

  /** The client no longer counts it as outstanding. */
  boolean settled;

  /** Where it may go from here, or null if it stays. */
  Route route;

  IfBusy ifBusy = IfBusy.WAITS;

  /** Where the read has, or may get, its second copy; null if it gets none. */
  Server sibling;

  /** The sibling may have a copy and must be told when this one starts. */
  boolean tied;

  Copy(Read read, Server server, long sentNanos) {
    this.read = read;
    this.server = server;
    this.sentNanos = sentNanos;
  }
}
