/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.weighted;

/**
 * Weighted least loaded, after Ammar Khaku and Joey Lynch, "Improving Cassandra Client Load
 * Balancing" (ApacheCon 2022), and apache/cassandra-java-driver pull request 1922.
 *
 * <pre>
 * score = min(32768, 1 + outstanding) x distance x (starting ? 16) x (stalled ? 64)
 * </pre>
 *
 * <p>Lower is better, ties are broken at random. It departs from its source in one point: a replica
 * that fails comes behind all that do not, whatever the load. A weight would not do, because a
 * replica that fails fast has next to nothing outstanding: the busier its peers, the better it
 * looks.
 *
 * <p>Stateless but for its weights; thread-safe.
 */
public final class WeightedLeastLoaded {
  /*
   * A sort key is one int: the bits of the (positive) float score, which order like ints, with the
   * lowest 8 of the 23 bits of the mantissa replaced by random ones to break ties.
   */
  private static final int MAX_LOAD = 32768;
  private static final int TIE_BITS = 0xFF;

  /** Above the highest score of a replica that does not fail, 2^15 x 1024^4. */
  private static final float FAILING = 0x1p60f;

  private final Weights weights;

  public WeightedLeastLoaded(Weights weights) {
    this.weights = weights;
  }

  /**
   * Returns the sort key of a replica, the lowest best.
   *
   * @param outstanding this client's requests that the replica has not answered
   * @param distance the weight of where the replica is, see {@link Weights#distance}
   * @param nowNanos monotonic; not looked at unless {@link #needsClock}
   * @param random 32 random bits
   */
  public int key(
      int outstanding,
      float distance,
      ReplicaHealth health,
      StartingRamp ramp,
      long nowNanos,
      int random) {
    float score = Math.min(MAX_LOAD, 1 + outstanding) * distance;
    if (!ramp.isOver() && fraction(random) < ramp.chanceAt(nowNanos)) {
      score *= weights.starting();
    }
    if (health.mayBeUnhealthy(outstanding)) {
      if (health.isStalled(outstanding, nowNanos)) {
        score *= weights.stalled();
      }
      if (health.isFailing(nowNanos)) {
        score *= FAILING;
      }
    }
    return key(score, random);
  }

  /** Returns whether {@link #key} would look at the time. */
  public static boolean needsClock(int outstanding, ReplicaHealth health, StartingRamp ramp) {
    return !ramp.isOver() || health.mayBeUnhealthy(outstanding);
  }

  /**
   * Returns the sort key of any positive score: equal scores sort at random.
   *
   * @param random 32 random bits
   */
  public static int key(float score, int random) {
    return (Float.floatToRawIntBits(score) & ~TIE_BITS) | (random >>> 24);
  }

  /** From 0 to 1, from bits that do not break ties. */
  private static float fraction(int random) {
    return (random & 0xFFFFFF) * 0x1p-24f;
  }
}
