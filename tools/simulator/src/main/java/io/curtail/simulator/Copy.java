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

  final Read read;
  final Server server;
  final long sentNanos;
  State state = State.ON_THE_WAY;
  Copy nextOfRead;
  long serviceNanos;

  /** When its service ends, if the server does not pause. */
  long dueNanos;

  /** The work it makes, as a share of a data read's. */
  double cost = 1;

  Feedback feedback;
  boolean failed;

  /** Sent only so that the servers are seen: it answers nobody. */
  boolean shadow;

  /** The client no longer counts it as outstanding. */
  boolean settled;

  /** Where it may go from here, or null if it stays. */
  Route route;

  /** A second copy for a slow read: a server that has no free slot drops it. */
  boolean hedge;

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
