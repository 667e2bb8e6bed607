/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;

/** The last {@value #KEPT} sampled choices, for an operator who asks why. Thread-safe, bounded. */
final class Decisions {
  static final int KEPT = 256;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /**
   * One choice. Immutable. Holds numbers, and makes text of them for who reads the table: text
   * costs more than all the rest of a choice, and the read would wait for it.
   */
  static final class Decision {
    final long number;
    final long atMillis;
    final Mode mode;
    final String reason;
    final String stockFirst;
    final String chosen;
    final Journey journey = new Journey();
    private final Candidate[] candidates;

    Decision(
        long number,
        Mode mode,
        String stockFirst,
        String chosen,
        Candidate[] candidates,
        String reason) {
      this.number = number;
      this.atMillis = System.currentTimeMillis();
      this.mode = mode;
      this.stockFirst = stockFirst;
      this.chosen = chosen;
      this.candidates = candidates;
      this.reason = reason;
    }

    String curtailFirst() {
      return candidates[0].name;
    }

    /** All that were ranked, the best first, each with the terms of its score at that time. */
    String candidates() {
      return Arrays.stream(candidates).map(Candidate::toString).collect(Collectors.joining(", "));
    }
  }

  /** A replica as it was when it was ranked. */
  private static final class Candidate {
    final String name;
    final double score;
    final double responseTimeNanos;
    final double serviceTimeNanos;
    final double waiting;
    final int outstanding;

    Candidate(PeerLoad load, double score) {
      name = load.peer.name;
      this.score = score;
      responseTimeNanos = load.responseTimeNanos();
      serviceTimeNanos = load.serviceTimeNanos();
      waiting = load.waiting();
      outstanding = load.outstanding();
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s score %.3g R %.3f ms S %.3f ms queue %.1f outstanding %d",
          name,
          score,
          responseTimeNanos / 1e6,
          serviceTimeNanos / 1e6,
          waiting,
          outstanding);
    }
  }

  private final AtomicReferenceArray<Decision> ring = new AtomicReferenceArray<>(KEPT);
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong notBeforeNanos;

  Decisions(long nowNanos) {
    notBeforeNanos = new AtomicLong(nowNanos);
  }

  /** Returns whether to record the choice being made, at most so often. */
  boolean wants(int perSecond, long nowNanos) {
    long notBefore = notBeforeNanos.get();
    return perSecond > 0
        && nowNanos - notBefore >= 0
        && notBeforeNanos.compareAndSet(notBefore, nowNanos + SECOND_NANOS / perSecond);
  }

  /**
   * Keeps a choice, and returns what is to be told where the read goes from there.
   *
   * @param chosen what the read goes to first
   */
  Journey record(Mode mode, ReplicaSorter sorter, Peer chosen, String reason) {
    Candidate[] candidates = new Candidate[sorter.ranked()];
    for (int place = 0; place < candidates.length; place++) {
      candidates[place] = new Candidate(sorter.load(place), sorter.score(place));
    }
    long number = next.getAndIncrement();
    Decision decision =
        new Decision(number, mode, name(sorter.stockFirst()), name(chosen), candidates, reason);
    ring.set((int) (number % KEPT), decision);
    return decision.journey;
  }

  private static String name(Peer peer) {
    return peer == null ? "" : peer.name;
  }

  /** Returns those kept, the oldest first. */
  List<Decision> all() {
    List<Decision> all = new ArrayList<>();
    for (int i = 0; i < KEPT; i++) {
      Decision decision = ring.get(i);
      if (decision != null) {
        all.add(decision);
      }
    }
    all.sort((a, b) -> Long.compare(a.number, b.number));
    return all;
  }
}
