/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.Candidates;

/** One client's copies of reads beyond those that the reads need. */
interface ExtraCopies {
  /** The replicas are in order, the best first, and a read is about to be sent. */
  default void onRanked(Candidates candidates) {}

  /** A read was sent; the client's candidates are still in its order. */
  void onSent(Read read);

  /** A server answered well. */
  default void onAnswer(Copy copy, long elapsedNanos) {}

  /** Whether the client is told of answers to reads that have all that they need. */
  default boolean hearsLateAnswers() {
    return true;
  }

  /** A read has all the answers that it needs. */
  default void onDone(Read read) {}
}
