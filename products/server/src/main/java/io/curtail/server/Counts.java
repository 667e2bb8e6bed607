/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What the plug-in did since the node started. Thread-safe. */
final class Counts {
  private final Map<String, LongAdder> all = new LinkedHashMap<>();

  /** Reads that Curtail put in order. */
  final LongAdder ranked = count("ranked");

  /** Reads that it would have put in order. */
  final LongAdder observed = count("observed");

  /** Of those observed, reads that Curtail would have sent elsewhere first. */
  final LongAdder observedElsewhere = count("observed_elsewhere");

  /**
   * The response time that these would have saved by the averages of the moment; may be below 0.
   */
  final LongAdder expectedGainMicros = count("expected_gain_us");

  /** Rankings that were no permutation, so that the stock order was used. */
  final LongAdder fellBack = count("fell_back");

  final LongAdder feedbackSent = count("feedback_sent");

  final LongAdder probes = count("probes");

  /** Reads that waited for a replica, and for how long. */
  final LongAdder held = count("held");

  final LongAdder heldMicros = count("held_us");

  /** Reads sent though no replica had room: the wait was over, or the backlog full. */
  final LongAdder overdrawn = count("overdrawn");

  /** Reads refused because the backlog was full. */
  final LongAdder overloaded = count("overloaded");

  /** Reads that rank+rate would have held. */
  final LongAdder wouldHold = count("would_hold");

  /** Reads that left this coordinator so that they can be passed on. */
  final LongAdder carried = count("carried");

  /** Of those, reads that came back and were sent to another replica. */
  final LongAdder passedOn = count("passed_on");

  /** Of those, reads that came back and had to stay where they came from. */
  final LongAdder passedNowhere = count("passed_nowhere");

  /** Reads that came back when nobody waited for them any more. */
  final LongAdder passedTooLate = count("passed_too_late");

  /**
   * What reads that came back or were sent away were expected to take where they came first, less
   * what they took from then on; may be below 0.
   */
  final LongAdder passedGainMicros = count("passed_gain_us");

  /** Carried reads that a peer could not take, and that were sent to it as on a stock node. */
  final LongAdder carriedInVain = count("carried_in_vain");

  /**
   * Reads that left as on a stock node, because their replica has not said that it takes others: it
   * does not, or it was forgotten since, as it is after 30 s without an answer.
   */
  final LongAdder sentPlain = count("sent_plain");

  /** This coordinator's own reads, sent to another replica instead of waiting here. */
  final LongAdder sentAway = count("sent_away");

  /** Speculative retries sent elsewhere, because their replica had the read already. */
  final LongAdder redirected = count("redirected");

  /** As a replica: reads given back instead of waiting here. */
  final LongAdder givenBack = count("given_back");

  /** As a replica: reads that found a free thread. */
  final LongAdder servedAtOnce = count("served_at_once");

  /** As a replica: reads that waited here, because no replica was expected to be done sooner. */
  final LongAdder keptWaiting = count("kept_waiting");

  /** As a replica: kept reads that were not served, because their time was over. */
  final LongAdder keptTooLong = count("kept_too_long");

  /** Reads that waited, and with passing on might not have. */
  final LongAdder wouldPass = count("would_pass");

  /** Second copies of this coordinator's slow reads. */
  final LongAdder copiesSent = count("copies_sent");

  /** Of those, copies that answered first. */
  final LongAdder copiesFirst = count("copies_first");

  /** For how long the reads of these were still out when their copy had answered. */
  final LongAdder copiesGainMicros = count("copies_gain_us");

  /** Of those, reads that were served twice. */
  final LongAdder copiesInVain = count("copies_in_vain");

  /** Second copies that were due and not sent, as the budget was spent. */
  final LongAdder copiesHeld = count("copies_held");

  /** Second copies that were due and not sent, as there was no room in the cluster. */
  final LongAdder copiesCongested = count("copies_congested");

  /** Second copies that might leave, and that no other replica could take. */
  final LongAdder copiesNowhere = count("copies_nowhere");

  /** As a replica: second copies given back, because no thread was free. */
  final LongAdder copiesGivenBack = count("copies_given_back");

  /** Second copies of drivers that were refused, because no thread was free. */
  final LongAdder copiesRefused = count("copies_refused");

  /** Speculative retries that were not sent, because their read has second copies of its own. */
  final LongAdder retriesHeldBack = count("retries_held_back");

  /** Of those, sent after all: another read of the same request was late. */
  final LongAdder retriesReleased = count("retries_released");

  private LongAdder count(String name) {
    LongAdder count = new LongAdder();
    all.put(name, count);
    return count;
  }

  /** Returns all by their names, in the order in which to show them. */
  Map<String, LongAdder> all() {
    return Collections.unmodifiableMap(all);
  }
}
