/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * The Apache Java driver's default: replicas in random order; a minority that is unhealthy moves to
 * the back; of the first two the one with fewer requests in flight goes first.
 *
 * <p>A replica is unhealthy when at least 10 requests are in flight to it and fewer than two
 * responses came from it in the last 200 ms.
 *
 * <p>Source: java-driver-core 4.19.3, {@code DefaultLoadBalancingPolicy}. Not modelled: a node that
 * came up within the last minute is diced out of the first two places.
 */
final class DriverDefaultPolicy implements RankingPolicy {
  private static final int BUSY_IN_FLIGHT = 10;
  private static final long RESPONSE_WINDOW_NANOS = 200_000_000L;

  @Override
  public void rank(Ranking ranking) {
    ranking.shuffle();
    if (ranking.size() > 2) {
      moveUnhealthyMinorityBack(ranking);
    }
    if (ranking.size() > 1 && ranking.get(0).outstanding() > ranking.get(1).outstanding()) {
      ranking.swap(0, 1);
    }
  }

  private static void moveUnhealthyMinorityBack(Ranking ranking) {
    int unhealthy = 0;
    for (int i = 0; i < ranking.size(); i++) {
      unhealthy += isUnhealthy(ranking.get(i), ranking.nowNanos()) ? 1 : 0;
    }
    if (unhealthy == 0 || 2 * unhealthy >= ranking.size()) {
      return;
    }
    int healthy = 0;
    for (int i = 0; i < ranking.size(); i++) {
      if (!isUnhealthy(ranking.get(i), ranking.nowNanos())) {
        ranking.moveUp(i, healthy++);
      }
    }
  }

  static boolean isUnhealthy(ReplicaLoad replica, long nowNanos) {
    return replica.outstanding() >= BUSY_IN_FLIGHT
        && (replica.responses() < 2
            || replica.previousResponseAgeNanos(nowNanos) > RESPONSE_WINDOW_NANOS);
  }
}
