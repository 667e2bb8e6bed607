/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The last {@value #KEPT} sampled choices, for an operator who asks why. Thread-safe, bounded. */
final class Decisions {
  static final int KEPT = 256;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** One choice. Immutable. */
  static final class Decision {
    final long number;
    final long atMillis;
    final Mode mode;
    final String stockFirst;
    final String curtailFirst;
    final String chosen;
    final String candidates;
    final String reason;

    Decision(
        long number,
        Mode mode,
        String stockFirst,
        String curtailFirst,
        String chosen,
        String candidates,
        String reason) {
      this.number = number;
      this.atMillis = System.currentTimeMillis();
      this.mode = mode;
      this.stockFirst = stockFirst;
      this.curtailFirst = curtailFirst;
      this.chosen = chosen;
      this.candidates = candidates;
      this.reason = reason;
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
   * @param chosen what the read goes to first
   */
  void record(Mode mode, ReplicaOrder order, Peer chosen, String reason) {
    StringBuilder candidates = new StringBuilder();
    for (int place = 0; place < order.ranked(); place++) {
      Peer peer = order.ranked(place);
      candidates
          .append(place == 0 ? "" : ", ")
          .append(name(peer))
          .append(
              String.format(
                  " score %.3g R %.3f ms S %.3f ms queue %.1f outstanding %d",
                  order.score(place),
                  peer.responseTimeNanos() / 1e6,
                  peer.serviceTimeNanos() / 1e6,
                  peer.waiting(),
                  peer.outstanding()));
    }
    long number = next.getAndIncrement();
    Peer stock = order.stockFirst();
    ring.set(
        (int) (number % KEPT),
        new Decision(
            number,
            mode,
            name(stock),
            name(order.ranked(0)),
            name(chosen),
            candidates.toString(),
            reason));
  }

  private static String name(Peer peer) {
    return peer == null ? "" : peer.name();
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
