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
  static final LoadSettings LOAD = LoadSettings.PAPER.withMemory(LatestResponses::new);

  private static final int BUSY_IN_FLIGHT = 10;
  private static final long RESPONSE_WINDOW_NANOS = 200_000_000L;

  @Override
  public void rank(Candidates candidates) {
    candidates.shuffle();
    if (candidates.size() > 2) {
      moveUnhealthyMinorityBack(candidates);
    }
    if (candidates.size() > 1 && candidates.outstanding(0) > candidates.outstanding(1)) {
      candidates.swap(0, 1);
    }
  }

  private static void moveUnhealthyMinorityBack(Candidates candidates) {
    int unhealthy = 0;
    for (int i = 0; i < candidates.size(); i++) {
      unhealthy += isUnhealthy(candidates, i) ? 1 : 0;
    }
    if (unhealthy == 0 || 2 * unhealthy >= candidates.size()) {
      return;
    }
    int healthy = 0;
    for (int i = 0; i < candidates.size(); i++) {
      if (!isUnhealthy(candidates, i)) {
        candidates.moveUp(i, healthy++);
      }
    }
  }

  private static boolean isUnhealthy(Candidates candidates, int place) {
    return candidates.outstanding(place) >= BUSY_IN_FLIGHT
        && !((LatestResponses) candidates.get(place).memory())
            .twoSince(candidates.nowNanos() - RESPONSE_WINDOW_NANOS);
  }

  /** When the replica's two latest responses came. */
  private static final class LatestResponses implements ReplicaMemory {
    private int responses;
    private long latestAtNanos;
    private long latestButOneAtNanos;

    @Override
    public void onResponse(long elapsedNanos, long nowNanos) {
      latestButOneAtNanos = latestAtNanos;
      latestAtNanos = nowNanos;
      responses = Math.min(2, responses + 1);
    }

    boolean twoSince(long sinceNanos) {
      return responses == 2 && latestButOneAtNanos - sinceNanos >= 0;
    }
  }
}
