/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.delay;

import io.curtail.selection.weighted.ReplicaHealth;
import io.curtail.selection.weighted.StartingRamp;
import io.curtail.selection.weighted.Weights;

/**
 * Ranks replicas by the delay that this client has to expect.
 *
 * <pre>
 * score    = excess x max(1, excess / (1 + 2d))^2 x (1 + outstanding) x distance
 *                   x (starting ? 16) x (1 + u / 4)                             lower is better
 * excess   = max(1, slowness / (1 + d))
 * slowness = expected delay / the least one among the candidates that do not fail, at most 1024
 * d        = the doubt in the delay or in the least one, which is more, above 0 and at most 1
 *
 * of one that fails: 2^90 x (1 + outstanding) x distance x (1 + u / 4)
 * </pre>
 *
 * <p>The expected delay is {@link ReplicaDelay}'s; u is drawn from [0, 1) for each replica and
 * request, so that clients that know the same do not choose the same. A delay times the requests
 * outstanding is Finagle's {@code PeakEwma} and what C3 is with exponent 1. The square departs from
 * them: with hundreds of requests outstanding elsewhere, a product alone sends some to a replica
 * that is slow by as much and idle, though its peers answer at once.
 *
 * <p>What differs by no more than chance counts as equally quick: clients that follow such
 * differences crowd where it was quick. Averages of a few answers differ by twice, those of
 * hundreds by a tenth; the doubt in a delay is {@link ReplicaDelay#uncertainty}.
 *
 * <p>A replica that fails comes behind all that do not, as in {@link
 * io.curtail.selection.weighted.WeightedLeastLoaded}; of those that fail, as all may in an
 * overload, the least loaded comes first. Their delays do not count, nor are others measured by
 * them unless all fail: an error is quick, and what is left is averaged no more.
 *
 * <p>Being near counts among replicas that are about as quick: one in the client's rack that is
 * slower than {@value #NEAR} times the quickest is weighed like one of another rack.
 *
 * <p>A node that is no replica forwards the request to one, so it is never better than they are,
 * however quick its other answers and however few its requests: with the replicas of a hot row it
 * would look best, and its coordinator would only add copies of its own to their queues.
 *
 * <p>A replica that was left is found again by probes: ordinary requests that are sent to it
 * although another is better. One that would not come first if it were the quickest, as it is
 * further away, is probed until it answers, and then only after {@value #INTERVALS_OF_THE_FAR}
 * intervals of silence: it costs next to nothing, and shows in time that the near ones have got
 * slow.
 *
 * <p>Stateless but for its settings; thread-safe.
 */
public final class LeastDelay {
  /** What a replica is taken to need before any has answered. */
  public static final double UNKNOWN_NANOS = 1e6;

  private static final float NEAR = 2;

  /** A minute, by the default interval: what was once slow by chance must not count for ever. */
  private static final int INTERVALS_OF_THE_FAR = 60;

  private static final float MAX_SLOWNESS = 1024;
  private static final int MAX_LOAD = 32768;
  private static final float RANDOM_BAND = 0.25f;

  /**
   * Above the highest score of a replica that does not fail, 1024^3 x 2^15 x 1024^3; the highest of
   * one that does is 1.25 x 2^125, which a float holds.
   */
  private static final float FAILING = 0x1p90f;

  private final Weights weights;
  private final long probeIntervalNanos;
  private final double probeShare;

  /**
   * @param weights of distance and of starting
   * @param probeIntervalNanos between two probes of a replica, above 0
   * @param probeShare of the requests that may be probes, 0 to 1
   * @throws IllegalArgumentException if a value is out of its range
   */
  public LeastDelay(Weights weights, long probeIntervalNanos, double probeShare) {
    if (probeIntervalNanos < 1 || !(probeShare >= 0 && probeShare <= 1)) {
      throw new IllegalArgumentException(
          "no probes: each " + probeIntervalNanos + " ns, a share of " + probeShare);
    }
    this.weights = weights;
    this.probeIntervalNanos = probeIntervalNanos;
    this.probeShare = probeShare;
  }

  /** Returns the weight of where a replica is. */
  public float distance(boolean inLocalRack, boolean isReplica) {
    return weights.distance(inLocalRack, isReplica);
  }

  /**
   * Returns whether a replica in the client's rack is preferred for that. Where all candidates are
   * there, being near is no advantage to lose.
   *
   * @param isAnyFar whether a candidate is in another rack
   * @param slowness as in {@link #score}
   */
  public boolean countsAsNear(boolean isAnyFar, float slowness) {
    return !isAnyFar || slowness <= NEAR;
  }

  /**
   * Returns the score of a replica, above 0, the lowest best.
   *
   * @param slowness its expected delay divided by the least one of the candidates that do not fail,
   *     above 0
   * @param doubt the greater of the two delays' {@link ReplicaDelay#uncertainty}, above 0 and at
   *     most 1
   * @param outstanding this client's requests that the replica has not answered
   * @param random 32 random bits
   */
  public float score(
      float slowness,
      float doubt,
      int outstanding,
      float distance,
      ReplicaHealth health,
      StartingRamp ramp,
      long nowNanos,
      int random) {
    int load = Math.min(MAX_LOAD, 1 + outstanding);
    float band = 1 + RANDOM_BAND * (random >>> 16) * 0x1p-16f;
    if (health.isFailing(nowNanos)) {
      return FAILING * load * distance * band;
    }
    // In comparisons, not Math.min and max: those tell -0 from 0, which takes longer than all else.
    float times = (slowness < MAX_SLOWNESS ? slowness : MAX_SLOWNESS) / (1 + doubt);
    float slow = 1 + 2 * doubt;
    if (times < 1) {
      times = 1;
    } else if (times > slow) {
      float beyond = times / slow;
      times = times * beyond * beyond;
    }
    float score = times * load * distance;
    if (!ramp.isOver() && (random & 0xFFFF) * 0x1p-16f < ramp.chanceAt(nowNanos)) {
      score *= weights.starting();
    }
    return score * band;
  }

  /**
   * Returns the score of a node that is no replica of the request: at least that of the best
   * replica, weighed as such a node, unless all replicas fail.
   *
   * @param score its own by {@link #score}
   * @param bestReplica the lowest score of a replica; infinite if none is known
   */
  public float forwarding(float score, float bestReplica) {
    return bestReplica < FAILING ? Math.max(score, bestReplica * distance(true, false)) : score;
  }

  /**
   * Returns whether this request may be a probe.
   *
   * @param random 32 random bits
   */
  public boolean mayProbe(int random) {
    return (random >>> 8) * 0x1p-24 < probeShare;
  }

  /**
   * Returns whether the request is to go to a replica other than the best, to learn how it is; see
   * {@link ReplicaDelay#claimProbe}. One that would not come first if it were quick is asked until
   * it answers, and seldom after that: what is known of all tells whether the best has got slow.
   *
   * @param bestScore the lowest score among the candidates
   */
  public boolean claimProbe(
      float bestScore,
      float distance,
      ReplicaDelay delay,
      ReplicaHealth health,
      StartingRamp ramp,
      long nowNanos) {
    int intervals = distance <= bestScore || delay.isUnknown() ? 1 : INTERVALS_OF_THE_FAR;
    return !health.isFailing(nowNanos)
        && ramp.isOver()
        && delay.claimProbe(intervals * probeIntervalNanos, nowNanos);
  }
}
