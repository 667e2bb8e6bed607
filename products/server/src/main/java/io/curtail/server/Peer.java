/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import io.curtail.selection.LoadSettings;
import io.curtail.selection.ReplicaLoad;
import io.curtail.selection.rate.RateControl;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * A replica as this coordinator sees it: its load, the reads it has not answered, and counts for
 * the operator. Thread-safe.
 */
final class Peer extends ReplicaLoad {
  private static final int POINT_READS = 2_048;
  private static final int RANGE_READS = 256;

  private static final long NO_DOUBT = Long.MIN_VALUE;

  /** Times what they took before: an answer that took longer is in doubt. */
  private static final double JUMP = 2;

  /** A peer that answers late for so long is late. */
  private static final long DOUBT_NANOS = 250_000_000;

  final InetAddressAndPort endpoint;

  /** Its address and port, for people. */
  final String name;

  /** Whether it is this node. */
  final boolean self;

  /** Null where nothing limits the rate: for this node, or with that control. */
  final RateControl rate;

  final LongAdder sent = new LongAdder();
  final LongAdder answered = new LongAdder();
  final LongAdder withoutFeedback = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder expired = new LongAdder();
  final LongAdder untracked = new LongAdder();
  final LongAdder probes = new LongAdder();
  final LongAdder held = new LongAdder();
  final LongAdder chosen = new LongAdder();

  private final SentReads pointReads = new SentReads(POINT_READS);
  private final SentReads rangeReads = new SentReads(RANGE_READS);
  private final AtomicLong probeNotBeforeNanos;

  /** The latest point read of a CQL request that was sent to it; null before the first. */
  volatile Object lastRead;

  private volatile long doubtedAtNanos = NO_DOUBT;
  private volatile double trustedNanos;
  private volatile Proximity proximity;
  private volatile double score = Double.NaN;

  Peer(
      InetAddressAndPort endpoint,
      Proximity proximity,
      LoadSettings load,
      RateControl rate,
      long nowNanos) {
    super(load);
    this.endpoint = endpoint;
    name = endpoint.getHostAddressAndPort();
    this.self = proximity == Proximity.SELF;
    this.proximity = proximity;
    this.rate = rate;
    this.probeNotBeforeNanos = new AtomicLong(nowNanos);
  }

  void onReadSent(long id, boolean range, boolean permitHeld, long nowNanos) {
    sent.increment();
    if (!(range ? rangeReads : pointReads).add(id, nowNanos)) {
      untracked.increment();
      if (permitHeld) {
        rate.onAbandoned();
      }
      return;
    }
    onSent();
    if (rate != null && !permitHeld) {
      rate.acquire(nowNanos);
    }
  }

  /** A range read's time says nothing of a point read's: it only ends. */
  void onReadAnswered(long id, boolean range, Feedback feedback, long nowNanos) {
    long sentAt = (range ? rangeReads : pointReads).remove(id);
    if (sentAt == SentReads.NOT_FOUND) {
      return;
    }
    answered.increment();
    if (feedback == null) {
      withoutFeedback.increment();
    }
    if (range) {
      onAbandoned();
      if (feedback != null && hasFeedback()) {
        onFeedback(queueOnly(feedback), nowNanos);
      }
    } else {
      weigh(nowNanos - sentAt, nowNanos);
      onResponse(nowNanos - sentAt, feedback, nowNanos);
    }
    if (rate != null) {
      rate.onResponse(nowNanos - sentAt, nowNanos);
    }
  }

  private Feedback queueOnly(Feedback of) {
    return new Feedback(of.waiting(), of.active(), of.slots(), (long) serviceTimeNanos());
  }

  /** The peer answered with an error; the message does not say to which kind of read. */
  void onReadFailed(long id, long timeoutNanos, long nowNanos) {
    long sentAt = pointReads.remove(id);
    if (sentAt == SentReads.NOT_FOUND) {
      sentAt = rangeReads.remove(id);
    }
    if (sentAt == SentReads.NOT_FOUND) {
      return; // not a read, or one that ended
    }
    failed.increment();
    onFailure(nowNanos - sentAt, timeoutNanos, nowNanos);
    if (rate != null) {
      rate.onFailure(nowNanos);
    }
  }

  /** Ends what the peer did not answer in time. Many at once are one event of the peer. */
  void sweep(long pointTimeoutNanos, long rangeTimeoutNanos, long nowNanos) {
    if (outstanding() == 0) {
      return;
    }
    int ended = pointReads.removeExpired(nowNanos, pointTimeoutNanos);
    int endedRanges = rangeReads.removeExpired(nowNanos, rangeTimeoutNanos);
    expired.add(ended + (long) endedRanges);
    for (int i = 0; i < ended + endedRanges; i++) {
      if (i == 0 && ended > 0) {
        onFailure(pointTimeoutNanos, pointTimeoutNanos, nowNanos);
      } else {
        onAbandoned();
      }
      if (rate != null) {
        rate.onFailure(nowNanos);
      }
    }
  }

  /** Ends all that is outstanding: the peer is gone, nobody will answer. */
  void forgetOutstanding(long nowNanos) {
    int ended =
        pointReads.removeExpired(nowNanos, Long.MIN_VALUE)
            + rangeReads.removeExpired(nowNanos, Long.MIN_VALUE);
    for (int i = 0; i < ended; i++) {
      onAbandoned();
      if (rate != null) {
        rate.onAbandoned();
      }
    }
  }

  /** Returns whether it has not answered for so long, or never. */
  boolean isSilent(long forNanos, long nowNanos) {
    return !hasResponded() || responseAgeNanos(nowNanos) >= forNanos;
  }

  // The response time is nearly that of the latest answer, and that may have met a pause.
  private void weigh(long tookNanos, long nowNanos) {
    boolean doubted = isDoubted(nowNanos);
    double before = doubted ? trustedNanos : responseTimeNanos();
    if (!hasResponded() || tookNanos <= JUMP * before) {
      doubtedAtNanos = NO_DOUBT;
    } else if (!doubted) {
      trustedNanos = before;
      doubtedAtNanos = nowNanos;
    }
  }

  private boolean isDoubted(long nowNanos) {
    long at = doubtedAtNanos;
    return at != NO_DOUBT && nowNanos - at < DOUBT_NANOS;
  }

  /**
   * Returns whether it was faster than the given response time until answers that took more than
   * twice as long came, a moment ago.
   */
  boolean wasFaster(double thanNanos, long nowNanos) {
    return isDoubted(nowNanos) && trustedNanos < thanNanos;
  }

  /** Takes the right to probe it now; one thread gets it, once in such a time. */
  boolean takeProbe(long afterNanos, long nowNanos) {
    long notBefore = probeNotBeforeNanos.get();
    return nowNanos - notBefore >= 0
        && probeNotBeforeNanos.compareAndSet(notBefore, nowNanos + afterNanos);
  }

  Proximity proximity() {
    return proximity;
  }

  void proximity(Proximity value) {
    proximity = value;
  }

  /** In the last ranking it took part in; for people, not for ranking. */
  double score() {
    return score;
  }

  void score(double value) {
    score = value;
  }
}
