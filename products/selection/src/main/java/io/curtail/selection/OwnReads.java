/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * A coordinator as a replica of its own reads, of one kind: they pass no message, so what a peer
 * reports with an answer is taken from its read stage and from what its reads took, whoever sent
 * them. Averaged as the answers of peers are, so that scores compare.
 *
 * <p>Nobody counts the reads that the coordinator has in its own read stage, as those outstanding
 * at a peer are counted: the stage's queue is looked at for each ranking, and it has the reads of
 * all coordinators, so there is nothing to extrapolate.
 *
 * <p>One thread at a time calls {@link #sample}; all else is thread-safe.
 */
public final class OwnReads {
  /** Between two samples, at least. */
  public static final long SAMPLE_NANOS = 10_000_000;

  /** How long a look at the queue is good for. */
  private static final long FRESH_NANOS = 200_000;

  /** What is recent. */
  private static final double MEMORY_NANOS = 100e6;

  /** What is usual. */
  private static final double LONG_MEMORY_NANOS = 60e9;

  private static final double AVERAGED_READS = 16;

  /** Times the usual service time. */
  private static final double SLOW = 2;

  /** The coordinator's own read stage. */
  @FunctionalInterface
  public interface Stage {
    /**
     * What it says of itself now.
     *
     * @param serviceNanos of a read, to be said with it
     */
    Feedback look(long serviceNanos);
  }

  private final Stage stage;
  private final FadingMean recent = new FadingMean(MEMORY_NANOS);
  private final FadingMean usual = new FadingMean(LONG_MEMORY_NANOS);
  private long sampledAtNanos;
  private volatile long latestNanos;
  private volatile double recentNanos;
  private volatile double meanNanos;
  private volatile boolean slow;

  /**
   * @param nowNanos of a clock that only goes on, as all times here
   */
  public OwnReads(Stage stage, long nowNanos) {
    this.stage = stage;
    sampledAtNanos = nowNanos;
  }

  /**
   * Takes reads that ended since the last sample for one answer of the coordinator to itself.
   *
   * @param load what is known of the coordinator as a replica
   * @param reads how many; none changes nothing
   * @param nanos their service times together
   */
  public void sample(ReplicaLoad load, long reads, long nanos, long nowNanos) {
    if (reads == 0) {
      return;
    }
    long elapsed = nowNanos - sampledAtNanos;
    sampledAtNanos = nowNanos;
    recentNanos = recent.add(reads, nanos, elapsed);
    slow = recentNanos > SLOW * usual.add(reads, nanos, elapsed);
    latestNanos = nanos / reads;
    double before = meanNanos;
    double forgotten = Math.pow(1 - 1 / AVERAGED_READS, (double) reads);
    meanNanos = before == 0 ? latestNanos : latestNanos + (before - latestNanos) * forgotten;
    Feedback feedback = stage.look(latestNanos);
    load.onSent();
    load.onResponse(responseNanos(feedback), feedback, nowNanos);
  }

  // As a peer's response time has: the wait for a thread, and the service.
  private long responseNanos(Feedback feedback) {
    return latestNanos + latestNanos * feedback.waiting() / Math.max(1, feedback.slots());
  }

  /** Looks at the queue again, for a ranking that is about to look at the load. */
  public void refresh(ReplicaLoad load, long nowNanos) {
    if (load.hasFeedback() && load.feedbackAgeNanos(nowNanos) > FRESH_NANOS) {
      load.onFeedback(stage.look(latestNanos), nowNanos);
    }
  }

  /** Returns the average of about the last tenth of a second, in nanoseconds; 0 before a read. */
  public double recentNanos() {
    return recentNanos;
  }

  /** Returns the average of about the last sixteen reads, in nanoseconds; 0 before the first. */
  public double meanNanos() {
    return meanNanos;
  }

  /** Returns whether reads take more than twice as long now as on average in the last minute. */
  public boolean areSlow() {
    return slow;
  }

  /** A mean in which what was long ago weighs little: 1/e of its weight after the memory's time. */
  private static final class FadingMean {
    private final double memoryNanos;
    private double count;
    private double sum;

    FadingMean(double memoryNanos) {
      this.memoryNanos = memoryNanos;
    }

    double add(long moreCount, long moreSum, long elapsedNanos) {
      double kept = Math.exp(-elapsedNanos / memoryNanos);
      count = kept * count + moreCount;
      sum = kept * sum + moreSum;
      return sum / count;
    }
  }
}
