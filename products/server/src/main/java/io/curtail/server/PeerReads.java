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

  void onSent(long id, ReadKind kind, boolean permitHeld, long nowNanos) {
    peer.counts.sent.increment();
    if (!sent(kind).add(id, nowNanos)) {
      peer.counts.untracked.increment();
      if (permitHeld) {
        peer.rate.onAbandoned();
      }
      return;
    }
    peer.load(kind).onSent(nowNanos);
    if (peer.rate != null && !permitHeld) {
      peer.rate.acquire(nowNanos);
    }
  }

  private SentReads sent(ReadKind kind) {
    return kind == ReadKind.POINT ? pointReads : rangeReads;
  }

  /** The times tell of reads of the same kind, the queue of all. */
  void onAnswered(long id, ReadKind kind, Feedback feedback, long nowNanos) {
    long sentAt = sent(kind).remove(id);
    if (sentAt == SentReads.NOT_FOUND) {
      return;
    }
    long tookNanos = nowNanos - sentAt;
    peer.counts.answered.increment();
    peer.load(kind).onResponse(tookNanos, feedback, nowNanos);
    if (feedback == null) {
      peer.counts.withoutFeedback.increment();
    } else {
      peer.load(kind.other()).onQueue(feedback, nowNanos);
    }
    if (peer.rate != null) {
      peer.rate.onResponse(tookNanos, nowNanos);
    }
  }

  /** The peer answered with an error; the message does not say to which kind of read. */
  void onFailed(
      long id, FailureCause cause, long pointTimeoutNanos, long rangeTimeoutNanos, long nowNanos) {
    ReadKind kind = ReadKind.POINT;
    long timeoutNanos = pointTimeoutNanos;
    long sentAt = pointReads.remove(id);
    if (sentAt == SentReads.NOT_FOUND) {
      kind = ReadKind.RANGE;
      timeoutNanos = rangeTimeoutNanos;
      sentAt = rangeReads.remove(id);
    }
    if (sentAt == SentReads.NOT_FOUND) {
      return; // not a read, or one that ended
    }
    peer.counts.failed.increment();
    if (cause == FailureCause.READ) {
      peer.load(kind).onAbandoned();
      if (peer.rate != null) {
        peer.rate.onResponse(nowNanos - sentAt, nowNanos);
      }
      return;
    }
    peer.load(kind).onFailure(nowNanos - sentAt, timeoutNanos, nowNanos);
    if (peer.rate != null) {
      peer.rate.onFailure(nowNanos);
    }
  }

  /**
   * The peer gave a read back, perhaps with a report: its queue, and how long reads took lately.
   */
  void onReturned(long id, Feedback feedback, long nowNanos) {
    if (pointReads.remove(id) == SentReads.NOT_FOUND) {
      return;
    }
    peer.point.onAbandoned();
    if (peer.rate != null) {
      peer.rate.onAbandoned();
    }
    if (feedback != null) {
      if (feedback.serviceTimeNanos() > 0) {
        peer.point.onFeedback(feedback, nowNanos);
      } else {
        peer.point.onQueue(feedback, nowNanos); // it has not read anything yet
      }
      peer.load(ReadKind.RANGE).onQueue(feedback, nowNanos);
    }
  }

  /** Ends what the peer did not answer in time. */
  void sweep(long pointTimeoutNanos, long rangeTimeoutNanos, long nowNanos) {
    if (peer.outstanding() > 0) {
      sweep(ReadKind.POINT, pointTimeoutNanos, nowNanos);
      sweep(ReadKind.RANGE, rangeTimeoutNanos, nowNanos);
    }
  }

  // Many at once are one event of the peer.
  private void sweep(ReadKind kind, long timeoutNanos, long nowNanos) {
    int ended = sent(kind).removeExpired(nowNanos, timeoutNanos);
    peer.counts.expired.add(ended);
    for (int i = 0; i < ended; i++) {
      if (i == 0) {
        peer.load(kind).onFailure(timeoutNanos, timeoutNanos, nowNanos);
      } else {
        peer.load(kind).onAbandoned();
      }
      if (peer.rate != null) {
        peer.rate.onFailure(nowNanos);
      }
    }
  }

  /** Ends all that is outstanding: the peer is gone, nobody will answer. */
  void forgetOutstanding(long nowNanos) {
    for (ReadKind kind : ReadKind.values()) {
      int ended = sent(kind).removeExpired(nowNanos, Long.MIN_VALUE);
      for (int i = 0; i < ended; i++) {
        peer.load(kind).onAbandoned();
        if (peer.rate != null) {
          peer.rate.onAbandoned();
        }
      }
    }
  }
}
