/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What the plug-in did since the node started. Thread-safe. */
final class Counts {
  /** Reads that Curtail put in order. */
  final LongAdder ranked = new LongAdder();

  /** Reads that it would have put in order. */
  final LongAdder observed = new LongAdder();

  /** Of those observed, reads that Curtail would have sent elsewhere first. */
  final LongAdder observedElsewhere = new LongAdder();

  /**
   * The response time that these would have saved by the averages of the moment; may be below 0.
   */
  final LongAdder expectedGainMicros = new LongAdder();

  /** Rankings that were no permutation, so that the stock order was used. */
  final LongAdder fellBack = new LongAdder();

  final LongAdder feedbackSent = new LongAdder();
  final LongAdder probes = new LongAdder();

  /** Reads that waited for a replica, and for how long. */
  final LongAdder held = new LongAdder();

  final LongAdder heldMicros = new LongAdder();

  /** Reads sent though no replica had room: the wait was over, or the backlog full. */
  final LongAdder overdrawn = new LongAdder();

  /** Reads refused because the backlog was full. */
  final LongAdder overloaded = new LongAdder();

  /** Reads that rank+rate would have held. */
  final LongAdder wouldHold = new LongAdder();

  Map<String, LongAdder> all() {
    Map<String, LongAdder> all = new LinkedHashMap<>();
    all.put("ranked", ranked);
    all.put("observed", observed);
    all.put("observed_elsewhere", observedElsewhere);
    all.put("expected_gain_us", expectedGainMicros);
    all.put("fell_back", fellBack);
    all.put("feedback_sent", feedbackSent);
    all.put("probes", probes);
    all.put("held", held);
    all.put("held_us", heldMicros);
    all.put("overdrawn", overdrawn);
    all.put("overloaded", overloaded);
    all.put("would_hold", wouldHold);
    return all;
  }
}
