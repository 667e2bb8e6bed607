/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;

/**
 * The reads sent to one peer, from sending to their end, and what their end tells of its load.
 * Thread-safe.
 */
final class PeerReads {
  private static final int POINT_READS = 2_048;
  private static final int RANGE_READS = 256;

  private final Peer peer;
  private final SentReads pointReads = new SentReads(POINT_READS);
  private final SentReads rangeReads = new SentReads(RANGE_READS);

  PeerReads(Peer peer) {
    this.peer = peer;
  }

  void onSent(long id, boolean range, boolean permitHeld, long nowNanos) {
    peer.counts.sent.increment();
    if (!(range ? rangeReads : pointReads).add(id, nowNanos)) {
      peer.counts.untracked.increment();
      if (permitHeld) {
        peer.rate.onAbandoned();
      }
      return;
    }
    peer.onSent();
    if (peer.rate != null && !permitHeld) {
      peer.rate.acquire(nowNanos);
    }
  }

  /** A range read's time says nothing of a point read's: it only ends. */
  void onAnswered(long id, boolean range, Feedback feedback, long nowNanos) {
    long sentAt = (range ? rangeReads : pointReads).remove(id);
    if (sentAt == SentReads.NOT_FOUND) {
      return;
    }
    peer.counts.answered.increment();
    if (feedback == null) {
      peer.counts.withoutFeedback.increment();
    }
    if (range) {
      peer.onAbandoned();
      if (feedback != null && peer.hasFeedback()) {
        peer.onFeedback(queueOnly(feedback), nowNanos);
      }
    } else {
      peer.probing.onAnswered(peer, nowNanos - sentAt, nowNanos);
      peer.onResponse(nowNanos - sentAt, feedback, nowNanos);
    }
    if (peer.rate != null) {
      peer.rate.onResponse(nowNanos - sentAt, nowNanos);
    }
  }

  private Feedback queueOnly(Feedback of) {
    return new Feedback(of.waiting(), of.active(), of.slots(), (long) peer.serviceTimeNanos());
  }

  /** The peer answered with an error; the message does not say to which kind of read. */
  void onFailed(long id, long timeoutNanos, long nowNanos) {
    long sentAt = pointReads.remove(id);
    if (sentAt == SentReads.NOT_FOUND) {
      sentAt = rangeReads.remove(id);
    }
    if (sentAt == SentReads.NOT_FOUND) {
      return; // not a read, or one that ended
    }
    peer.counts.failed.increment();
    peer.onFailure(nowNanos - sentAt, timeoutNanos, nowNanos);
    if (peer.rate != null) {
      peer.rate.onFailure(nowNanos);
    }
  }

  /** Ends what the peer did not answer in time. Many at once are one event of the peer. */
  void sweep(long pointTimeoutNanos, long rangeTimeoutNanos, long nowNanos) {
    if (peer.outstanding() == 0) {
      return;
    }
    int ended = pointReads.removeExpired(nowNanos, pointTimeoutNanos);
    int endedRanges = rangeReads.removeExpired(nowNanos, rangeTimeoutNanos);
    peer.counts.expired.add(ended + (long) endedRanges);
    for (int i = 0; i < ended + endedRanges; i++) {
      if (i == 0 && ended > 0) {
        peer.onFailure(pointTimeoutNanos, pointTimeoutNanos, nowNanos);
      } else {
        peer.onAbandoned();
      }
      if (peer.rate != null) {
        peer.rate.onFailure(nowNanos);
      }
    }
  }

  /** Ends all that is outstanding: the peer is gone, nobody will answer. */
  void forgetOutstanding(long nowNanos) {
    int ended =
        pointReads.removeExpired(nowNanos, Long.MIN_VALUE)
            + rangeReads.removeExpired(nowNanos, Long.MIN_VALUE);
    for (int i = 0; i < ended; i++) {
      peer.onAbandoned();
      if (peer.rate != null) {
        peer.rate.onAbandoned();
      }
    }
  }
}
