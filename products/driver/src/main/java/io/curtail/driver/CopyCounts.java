/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import io.curtail.selection.hedging.Hedging.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What became of the requests that waited for longer than their node's delay. Thread-safe. */
final class CopyCounts {
  private final LongAdder asked = new LongAdder();

  /** Sent to another node. */
  final LongAdder sent = new LongAdder();

  /** Answered there first. */
  final LongAdder won = new LongAdder();

  /** Not sent, because copies had cost all that they may. */
  final LongAdder refusedByBudget = new LongAdder();

  /** Sent to a node that had no free thread, and refused it. */
  final LongAdder refusedByNode = new LongAdder();

  private final LongAdder congested = new LongAdder();
  private final LongAdder noRoom = new LongAdder();
  private final LongAdder tooEarly = new LongAdder();

  /** A copy was due. */
  void count(Verdict verdict) {
    asked.increment();
    switch (verdict) {
      case COPY:
        sent.increment();
        break;
      case NO_BUDGET:
        refusedByBudget.increment();
        break;
      case CONGESTED:
        congested.increment();
        break;
      case NO_ROOM:
        noRoom.increment();
        break;
      case TOO_EARLY:
        tooEarly.increment();
        break;
    }
  }

  /** Not sent, because no other node had room, or it would not have helped. */
  long refusedByLoad() {
    return congested.sum() + noRoom.sum() + tooEarly.sum();
  }

  /** By the names that {@link WeightedLeastLoadedMXBean#getCopies} says. */
  Map<String, Long> toMap() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("asked", asked.sum());
    counts.put("sent", sent.sum());
    counts.put("won", won.sum());
    counts.put("refused-by-node", refusedByNode.sum());
    counts.put("refused-by-budget", refusedByBudget.sum());
    counts.put("refused-congested", congested.sum());
    counts.put("refused-no-room", noRoom.sum());
    counts.put("refused-too-early", tooEarly.sum());
    return counts;
  }
}
