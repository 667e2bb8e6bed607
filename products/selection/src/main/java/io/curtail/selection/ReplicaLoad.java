/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one client (a driver, or a coordinator) knows of one replica. It is measured here and ranked
 * elsewhere, by a {@link RankingPolicy}.
 *
 * <p>For every request call {@link #onSent} once when it is really sent (after any wait in a
 * backlog), then exactly one of {@link #onResponse}, {@link #onFailure} and {@link #onAbandoned}.
 * Response times run from the real send to the answer. All times are monotonic nanoseconds of this
 * host.
 *
 * <p>Thread-safe without locks: any number of threads may record and rank at once. The count of
 * outstanding requests is exact. A sample that meets another thread in the middle of recording is
 * dropped from the averages rather than waited for.
 *
 * <p>Not final: a user hangs its own identity of the replica on a subclass.
 */
public class ReplicaLoad {
  // Averages are plain fields, written only by the thread that holds `recording`. Each that records
  // an answer ends with an atomic update of `outstanding`, and who compares replicas begins with a
  // volatile read of it: that orders the plain reads behind the last completed recording. Mixed
  // reads of two recordings are possible and harmless: each value is one that was true a moment
  // ago.
  private static final double OVERDUE_RESPONSE_TIMES = 8;

  /** More than the threefold between nodes that are as fast as each other in the long run. */
  static final double FAR = 4;

  /** Reads that wait, a slot. With more a closed loop in saturation passes for one with room. */
  private static final double LONG_QUEUE = 0.6;

  /** Times what a read waits in it: then it may be over. */
  private static final double QUEUE_MEMORY = 32;

  /** Times what is averaged over: then the next report would leave little of it. */
  private static final double AVERAGE_MEMORY = 8;

  private static final long NEVER = Long.MIN_VALUE;
  private static final VarHandle OUTSTANDING;
  private static final VarHandle OF_OTHER_KINDS;
  private static final VarHandle RECORDING;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OUTSTANDING = lookup.findVarHandle(ReplicaLoad.class, "outstanding", int.class);
      OF_OTHER_KINDS = lookup.findVarHandle(ReplicaLoad.class, "ofOtherKinds", int.class);
      RECORDING = lookup.findVarHandle(ReplicaLoad.class, "recording", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LoadSettings settings;
  private final ReplicaMemory memory;
  private final double distanceWeight;

  /** Where outstanding requests are counted: here, or with the load this one is a part of. */
  private final ReplicaLoad counter;

  @SuppressWarnings("UnusedVariable") // through OUTSTANDING and RECORDING
  private volatile int outstanding;

  /** Those of loads that are a part of this one. */
  @SuppressWarnings("UnusedVariable")
  private volatile int ofOtherKinds;

  @SuppressWarnings("UnusedVariable")
  private volatile int recording;

  private int slots;
  private int lastWaiting;
  private int lastActive;
  private long responses;
  private long feedbacks;
  private double responseTimeNanos;
  private double serviceTimeNanos;
  private double waiting;
  private long responseAtNanos;
  private long owesSinceNanos;
  private long serviceTimeAtNanos;
  private long feedbackAtNanos;
  private double failurePenaltyNanos;
  private long failureAtNanos;

  /** What the last sample weighed, and how long after the one before it came. */
  private double sampleWeight;

  private long weighedNanos = NEVER;

  public ReplicaLoad(LoadSettings settings) {
    this(settings, 1);
  }

  /**
   * @param distanceWeight how much a policy that knows distance multiplies this replica's load by:
   *     1 in the client's own rack, more further away
   */
  public ReplicaLoad(LoadSettings settings, double distanceWeight) {
    if (!(distanceWeight > 0)) {
      throw new IllegalArgumentException("a distance weight must be above 0");
    }
    this.settings = settings;
    this.memory = settings.memory.get();
    this.distanceWeight = distanceWeight;
    this.counter = this;
  }

  /**
   * The load of the same replica by another kind of requests: with averages of its own, and one
   * count of outstanding requests for both.
   */
  public ReplicaLoad(LoadSettings settings, ReplicaLoad sameReplica) {
    this.settings = settings;
    this.memory = settings.memory.get();
    this.distanceWeight = sameReplica.distanceWeight;
    this.counter = sameReplica.counter;
  }

  /**
   * A request leaves for the replica, of which nobody asks whether it {@linkplain #isOverdue is
   * overdue}.
   */
  public final void onSent() {
    count(1);
  }

  /** A request leaves for the replica now. */
  public final void onSent(long nowNanos) {
    if (owed() <= 0) {
      owesSinceNanos = nowNanos;
    }
    onSent();
  }

  private void count(int change) {
    if (counter == this) {
      OUTSTANDING.getAndAdd(this, change);
    } else {
      OF_OTHER_KINDS.getAndAdd(counter, change);
    }
  }

  /** Returns what the replica has not answered of this kind. */
  private int owed() {
    return counter == this ? outstanding : counter.ofOtherKinds;
  }

  /**
   * The replica answered.
   *
   * @param elapsedNanos from the real send to now
   * @param feedback what came with the answer, or null
   */
  public final void onResponse(long elapsedNanos, Feedback feedback, long nowNanos) {
    if (RECORDING.compareAndSet(this, 0, 1)) {
      recordResponseTime(elapsedNanos, nowNanos);
      memory.onResponse(elapsedNanos, nowNanos);
      if (feedback != null) {
        recordFeedback(feedback, nowNanos);
      }
      RECORDING.setRelease(this, 0);
    }
    count(-1);
  }

  /**
   * The request timed out, or the replica answered with an error of its own. It counts as a sample
   * of at least the timeout, and as a penalty that fades: a replica that fails fast must not look
   * fast.
   *
   * @param elapsedNanos from the real send to now
   * @param timeoutNanos what a client waits at most
   */
  public final void onFailure(long elapsedNanos, long timeoutNanos, long nowNanos) {
    long cost = Math.max(elapsedNanos, timeoutNanos);
    if (RECORDING.compareAndSet(this, 0, 1)) {
      recordResponseTime(cost, nowNanos);
      memory.onFailure(cost, nowNanos);
      failurePenaltyNanos = failurePenaltyNanos(nowNanos) + cost;
      failureAtNanos = nowNanos;
      RECORDING.setRelease(this, 0);
    }
    count(-1);
  }

  /** The request ended without saying anything of the replica: cancelled, or never really sent. */
  public final void onAbandoned() {
    count(-1);
  }

  /**
   * Something about the replica came outside an answer: from a probe, or through another node. It
   * is ignored unless it is younger than what the replica reported before.
   */
  public final void onFeedback(Feedback feedback, long measuredAtNanos) {
    if (measuredAtNanos - feedbackAtNanos <= 0 && feedbacks > 0) {
      return;
    }
    if (RECORDING.compareAndSet(this, 0, 1)) {
      recordFeedback(feedback, measuredAtNanos);
      RECORDING.setRelease(this, 0);
    }
    count(0);
  }

  /**
   * What the replica said of its queue with an answer to another kind of requests: their service
   * time is not of these. As {@link #onFeedback}; also ignored before the first feedback.
   */
  public final void onQueue(Feedback feedback, long measuredAtNanos) {
    if (feedbacks == 0 || measuredAtNanos - feedbackAtNanos <= 0) {
      return;
    }
    if (RECORDING.compareAndSet(this, 0, 1)) {
      recordQueue(feedback, measuredAtNanos);
      RECORDING.setRelease(this, 0);
    }
    count(0);
  }

  private void recordResponseTime(long elapsedNanos, long nowNanos) {
    double weight = weight(responses, nowNanos - responseAtNanos);
    responseTimeNanos += weight * (elapsedNanos - responseTimeNanos);
    responseAtNanos = nowNanos;
    responses++;
  }

  private void recordFeedback(Feedback feedback, long nowNanos) {
    double weight = weight(feedbacks, nowNanos - serviceTimeAtNanos);
    serviceTimeNanos += weight * (feedback.serviceTimeNanos() - serviceTimeNanos);
    serviceTimeAtNanos = nowNanos;
    recordQueue(feedback, nowNanos);
    feedbacks++;
    memory.onFeedback(feedback, outstanding());
  }

  private void recordQueue(Feedback feedback, long nowNanos) {
    double weight = weight(feedbacks, nowNanos - feedbackAtNanos);
    waiting += weight * (feedback.waiting() - waiting);
    lastWaiting = feedback.waiting();
    lastActive = feedback.active();
    slots = feedback.slots();
    feedbackAtNanos = nowNanos;
  }

  private double weight(long samples, long sinceLastNanos) {
    if (samples == 0) {
      return 1;
    }
    if (settings.averagingNanos == 0) {
      return settings.newSampleWeight;
    }
    // An answer and its feedback come together: what they weigh is computed once.
    if (sinceLastNanos != weighedNanos) {
      sampleWeight = 1 - Math.exp(-(double) Math.max(0, sinceLastNanos) / settings.averagingNanos);
      weighedNanos = sinceLastNanos;
    }
    return sampleWeight;
  }

  /**
   * Takes half a step toward what is known of another replica: a replica that is not used for a
   * while becomes average again.
   *
   * @param weight of the step, as of a new sample
   */
  final void blendToward(ReplicaLoad other, double weight) {
    if (RECORDING.compareAndSet(this, 0, 1)) {
      responseTimeNanos += weight * (other.responseTimeNanos - responseTimeNanos) / 2;
      serviceTimeNanos += weight * (other.serviceTimeNanos - serviceTimeNanos) / 2;
      waiting += weight * (other.waiting - waiting) / 2;
      RECORDING.setRelease(this, 0);
    }
  }

  /** Returns this client's requests that the replica has not answered. */
  public final int outstanding() {
    return Math.max(0, counter.outstanding + counter.ofOtherKinds);
  }

  /** Returns those of {@link #outstanding} that are not of this kind. */
  final int outstandingOfOtherKinds() {
    return Math.max(0, counter == this ? ofOtherKinds : counter.outstanding);
  }

  /** Returns whether the replica ever answered this client, or failed it. */
  public final boolean hasResponded() {
    return responses > 0;
  }

  /** Returns whether the replica has not answered this client for so long, or never. */
  public final boolean isUnheardFor(long nanos, long nowNanos) {
    return !hasResponded() || responseAgeNanos(nowNanos) >= nanos;
  }

  /** Returns whether the replica ever said something of itself. */
  public final boolean hasFeedback() {
    return feedbacks > 0;
  }

  /** Returns R, the average response time; 0 before the first response. */
  public final double responseTimeNanos() {
    return responseTimeNanos;
  }

  /** Returns S, the average service time the replica reported; 0 before the first feedback. */
  public final double serviceTimeNanos() {
    return serviceTimeNanos;
  }

  /** Returns Q, the average queue the replica reported (reads being served excluded). */
  public final double waiting() {
    return waiting;
  }

  /** Returns the waiting reads in the last feedback. */
  public final int lastWaiting() {
    return lastWaiting;
  }

  /** Returns the reads being served in the last feedback. */
  public final int lastActive() {
    return lastActive;
  }

  /** Returns how many reads the replica serves at once, 0 if it never said. */
  public final int slots() {
    return slots;
  }

  /** Returns how old the last feedback is. Meaningless before the first one. */
  public final long feedbackAgeNanos(long nowNanos) {
    return Math.max(0, nowNanos - feedbackAtNanos);
  }

  /** Returns how long ago the replica last answered. Meaningless before the first answer. */
  public final long responseAgeNanos(long nowNanos) {
    return Math.max(0, nowNanos - responseAtNanos);
  }

  /**
   * Returns whether the replica owes an answer to such a request, and has for many times what it
   * usually takes: paused, cut off or overloaded. It owes since it last answered, or since a
   * request was sent to it when it owed none. One that never answered, or failed the last request
   * that ended, is overdue at once: what it usually takes is not known, or is a time-out. A read
   * that finds its server busy must not be sent there.
   */
  public final boolean isOverdue(long nowNanos) {
    if (owed() <= 0) {
      return false;
    }
    long owesNanos = Math.min(nowNanos - owesSinceNanos, nowNanos - responseAtNanos);
    return !hasResponded()
        || hasFailedLast()
        || owesNanos > OVERDUE_RESPONSE_TIMES * responseTimeNanos;
  }

  private boolean hasFailedLast() {
    return failurePenaltyNanos > 0 && failureAtNanos == responseAtNanos;
  }

  /**
   * Returns whether the server takes more than four times as long for a read, with nothing before
   * it, as another for all that is known to wait there: one that finds the other busy must not be
   * sent here. By service times, so that one that is only far away is not meant; recent failures
   * count as they do in a score, as who fails at once is never busy. False where the other never
   * said what its reads take, or this one did not and has not failed lately.
   */
  public final boolean isFarSlowerThan(ReplicaLoad other, long nowNanos) {
    double alone = serviceTimeNanos + failurePenaltyNanos(nowNanos);
    double behindQueue =
        other.queueNanos(other.outstanding()) + other.failurePenaltyNanos(nowNanos);
    return other.hasFeedback() && alone > FAR * behindQueue;
  }

  /**
   * Returns whether, by what the server reported not long ago, so many reads wait there on average
   * that a new one finds no slot free.
   */
  public final boolean hasLongQueue(long nowNanos) {
    return slots > 0
        && waiting >= LONG_QUEUE * slots
        && feedbackAgeNanos(nowNanos)
            <= Math.min(
                QUEUE_MEMORY * (queuedReadNanos() - serviceTimeNanos),
                AVERAGE_MEMORY * averagingNanos());
  }

  private long averagingNanos() {
    return settings.averagingNanos == 0
        ? LoadSettings.USUAL_AVERAGING_NANOS
        : settings.averagingNanos;
  }

  /** Returns what a read takes, in ns, that waits behind those that wait there on average. */
  public final double queuedReadNanos() {
    return queueNanos(1);
  }

  /** Returns what the server takes for a read with those that wait and are outstanding. */
  final double queueNanos(int outstanding) {
    return serviceTimeNanos * (1 + (waiting + outstanding) / Math.max(1, slots));
  }

  /** Returns what recent failures add to the time expected of the replica. It fades to 0. */
  public final double failurePenaltyNanos(long nowNanos) {
    if (failurePenaltyNanos == 0) {
      return 0;
    }
    double age = Math.max(0, nowNanos - failureAtNanos);
    return failurePenaltyNanos * Math.exp(-age / settings.failureMemoryNanos);
  }

  /** Returns how much further than the client's own rack the replica counts; 1 in that rack. */
  public final double distanceWeight() {
    return distanceWeight;
  }

  /** Returns what the policy keeps that these settings are of. */
  final ReplicaMemory memory() {
    return memory;
  }
}
