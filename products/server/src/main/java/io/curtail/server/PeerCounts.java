/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.concurrent.atomic.LongAdder;

/** What came of the reads of one peer, for the operator. Thread-safe. */
final class PeerCounts {
  /** Reads that were ordered and go to it first. */
  final LongAdder chosen = new LongAdder();

  final LongAdder sent = new LongAdder();
  final LongAdder answered = new LongAdder();
  final LongAdder withoutFeedback = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder expired = new LongAdder();

  /** Reads sent whose end nobody will see, because too many were outstanding. */
  final LongAdder untracked = new LongAdder();

  final LongAdder probes = new LongAdder();

  /** Reads that it gave back, or this node itself sent away, instead of letting them wait. */
  final LongAdder gaveBack = new LongAdder();

  /** Of those of any replica, reads that went to it then. */
  final LongAdder passedTo = new LongAdder();

  /** Reads that waited for a permit and would have gone to it first. */
  final LongAdder held = new LongAdder();
}
