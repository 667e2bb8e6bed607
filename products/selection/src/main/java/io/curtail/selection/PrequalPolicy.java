/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Prequal's rule on asynchronous probes. A replica is hot when its requests in flight are above a
 * quantile of those seen lately; among the cold ones the lowest latency wins, and if all are hot
 * the fewest in flight.
 *
 * <p>Each read probes three servers at random. A probe serves as long as it is younger than a
 * second; between probes this client's own sends since then are added. The latency is what the
 * server expects at that load, {@code S * max(1, (inFlight + 1) / slots)}.
 *
 * <p>Reference: Wydrowski, Kleinberg, Rumble, Archer, "Load is not what you should balance:
 * Introducing Prequal", NSDI 2024. Departure: the paper keeps 16 probes of interchangeable servers;
 * here a read has only its replicas to choose from, so the last probe of every server is kept.
 */
final class PrequalPolicy implements ProbingPolicy {
  static final LoadSettings LOAD = LoadSettings.PAPER.withMemory(AtProbe::new);

  private static final double PROBES_PER_READ = 3;
  private static final double HOT_QUANTILE = 0.84;
  private static final long MAX_AGE_NANOS = 1_000_000_000L;
  private static final int LEVELS = 256;
  private static final int WINDOW = 1_024;
  private static final int PROBES_BETWEEN_QUANTILES = 16;

  private final AtomicIntegerArray seenAtLevel = new AtomicIntegerArray(LEVELS);
  private final AtomicInteger probes = new AtomicInteger();
  private volatile int hotLevel = LEVELS;

  @Override
  public double probesPerRead() {
    return PROBES_PER_READ;
  }

  @Override
  public void onProbe(Feedback feedback) {
    int level = Math.min(LEVELS - 1, feedback.waiting() + feedback.active());
    if (seenAtLevel.addAndGet(level, 16) > 16 * WINDOW) {
      forgetHalf();
    }
    if (probes.incrementAndGet() % PROBES_BETWEEN_QUANTILES == 0) {
      hotLevel = quantile();
    }
  }

  private void forgetHalf() {
    for (int i = 0; i < LEVELS; i++) {
      seenAtLevel.set(i, seenAtLevel.get(i) / 2);
    }
  }

  private int quantile() {
    long total = 0;
    for (int i = 0; i < LEVELS; i++) {
      total += seenAtLevel.get(i);
    }
    long below = 0;
    for (int i = 0; i < LEVELS; i++) {
      below += seenAtLevel.get(i);
      if (below >= HOT_QUANTILE * total) {
        return i;
      }
    }
    return LEVELS;
  }

  @Override
  public void rank(Candidates candidates) {
    int hotLevel = this.hotLevel;
    for (int i = 0; i < candidates.size(); i++) {
      candidates.score(i, score(candidates, i, hotLevel));
    }
    candidates.sortByScore(C3Policy.COLD_OUTSTANDING_LIMIT);
  }

  // Hot replicas sort behind all cold ones: an hour a request in flight.
  private static double score(Candidates candidates, int place, int hotLevel) {
    ReplicaLoad replica = candidates.get(place);
    if (!replica.hasFeedback() || replica.feedbackAgeNanos(candidates.nowNanos()) > MAX_AGE_NANOS) {
      return Double.NaN;
    }
    int own = Math.max(0, candidates.outstanding(place) - ((AtProbe) replica.memory()).outstanding);
    int inFlight = replica.lastWaiting() + replica.lastActive() + own;
    if (inFlight > hotLevel) {
      return inFlight * 3.6e12;
    }
    return replica.serviceTimeNanos()
        * Math.max(1, (inFlight + 1.0) / Math.max(1, replica.slots()));
  }

  /** This client's outstanding requests when the replica last said something of itself. */
  private static final class AtProbe implements ReplicaMemory {
    int outstanding;

    @Override
    public void onFeedback(Feedback feedback, int outstandingNow) {
      outstanding = outstandingNow;
    }
  }
}
