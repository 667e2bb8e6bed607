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

  /** Reads that left this coordinator so that they can be passed on. */
  final LongAdder carried = new LongAdder();

  /** Of those, reads that came back and were sent to another replica. */
  final LongAdder passedOn = new LongAdder();

  /** Of those, reads that came back and had to stay where they came from. */
  final LongAdder passedNowhere = new LongAdder();

  /**
   * What reads that came back or were sent away were expected to take where they came first, less
   * what they took from then on; may be below 0.
   */
  final LongAdder passedGainMicros = new LongAdder();

  /** Reads that came back when nobody waited for them any more. */
  final LongAdder passedTooLate = new LongAdder();

  /** Carried reads that a peer could not take, and that were sent to it as on a stock node. */
  final LongAdder carriedInVain = new LongAdder();

  /**
   * Reads that left as on a stock node, because their replica does not say that it takes others.
   */
  final LongAdder sentPlain = new LongAdder();

  /** This coordinator's own reads, sent to another replica instead of waiting here. */
  final LongAdder sentAway = new LongAdder();

  /** Speculative retries sent elsewhere, because their replica had the read already. */
  final LongAdder redirected = new LongAdder();

  /** As a replica: reads given back instead of waiting here. */
  final LongAdder givenBack = new LongAdder();

  /** As a replica: reads that found a free thread. */
  final LongAdder servedAtOnce = new LongAdder();

  /** As a replica: reads that waited here, because no replica was expected to be done sooner. */
  final LongAdder keptWaiting = new LongAdder();

  /** As a replica: kept reads that were not served, because their time was over. */
  final LongAdder keptTooLong = new LongAdder();

  /** Second copies of this coordinator's slow reads. */
  final LongAdder copiesSent = new LongAdder();

  /** Of those, copies that answered first. */
  final LongAdder copiesFirst = new LongAdder();

  /** For how long the reads of these were still out when their copy had answered. */
  final LongAdder copiesGainMicros = new LongAdder();

  /** Of those, reads that were served twice. */
  final LongAdder copiesInVain = new LongAdder();

  /** Second copies that were due and not sent, as the budget was spent. */
  final LongAdder copiesHeld = new LongAdder();

  /** Second copies that were due and not sent, as there was no room in the cluster. */
  final LongAdder copiesCongested = new LongAdder();

  /** Second copies that might leave, and that no other replica could take. */
  final LongAdder copiesNowhere = new LongAdder();

  /** As a replica: second copies given back, because no thread was free. */
  final LongAdder copiesGivenBack = new LongAdder();

  /** Second copies of drivers that were refused, because no thread was free. */
  final LongAdder copiesRefused = new LongAdder();

  /** Speculative retries that were not sent, because their read has second copies of its own. */
  final LongAdder retriesHeldBack = new LongAdder();

  /** Of those, sent after all: another read of the same request was late. */
  final LongAdder retriesReleased = new LongAdder();

  /** Reads that waited, and with passing on might not have. */
  final LongAdder wouldPass = new LongAdder();

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
    all.put("carried", carried);
    all.put("passed_on", passedOn);
    all.put("passed_nowhere", passedNowhere);
    all.put("passed_too_late", passedTooLate);
    all.put("passed_gain_us", passedGainMicros);
    all.put("carried_in_vain", carriedInVain);
    all.put("sent_plain", sentPlain);
    all.put("sent_away", sentAway);
    all.put("redirected", redirected);
    all.put("given_back", givenBack);
    all.put("served_at_once", servedAtOnce);
    all.put("kept_waiting", keptWaiting);
    all.put("kept_too_long", keptTooLong);
    all.put("would_pass", wouldPass);
    all.put("copies_sent", copiesSent);
    all.put("copies_first", copiesFirst);
    all.put("copies_gain_us", copiesGainMicros);
    all.put("copies_in_vain", copiesInVain);
    all.put("copies_held", copiesHeld);
    all.put("copies_congested", copiesCongested);
    all.put("copies_nowhere", copiesNowhere);
    all.put("copies_given_back", copiesGivenBack);
    all.put("copies_refused", copiesRefused);
    all.put("retries_held_back", retriesHeldBack);
    all.put("retries_released", retriesReleased);
    return all;
  }
}
