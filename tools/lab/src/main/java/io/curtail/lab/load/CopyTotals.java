/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.util.Map;

/**
 * What became of the second copies that clients' requests might have had. A stock driver sends all
 * that are due.
 *
 * @param asked requests that waited for so long that one was due
 * @param sent to another node
 * @param won answered by that node first
 * @param refusedByBudget as copies had cost all that they may
 * @param refusedCongested as too many of the latest answers were slow
 * @param refusedNoRoom as no other node was well
 * @param refusedTooEarly as no other node would have answered by then
 */
public record CopyTotals(
    long asked,
    long sent,
    long won,
    long refusedByBudget,
    long refusedCongested,
    long refusedNoRoom,
    long refusedTooEarly) {
  public static final CopyTotals NONE = new CopyTotals(0, 0, 0, 0, 0, 0, 0);

  /** By the names of {@code WeightedLeastLoadedMXBean.getCopies}. */
  static CopyTotals of(Map<String, Long> counts) {
    return new CopyTotals(
        counts.get("asked"),
        counts.get("sent"),
        counts.get("won"),
        counts.get("refused-by-budget"),
        counts.get("refused-congested"),
        counts.get("refused-no-room"),
        counts.get("refused-too-early"));
  }

  /** Of a driver that refuses none. */
  static CopyTotals sent(long sent, long won) {
    return new CopyTotals(sent, sent, won, 0, 0, 0, 0);
  }

  public CopyTotals plus(CopyTotals other) {
    return plus(other, 1);
  }

  CopyTotals minus(CopyTotals other) {
    return plus(other, -1);
  }

  private CopyTotals plus(CopyTotals other, int sign) {
    return new CopyTotals(
        asked + sign * other.asked,
        sent + sign * other.sent,
        won + sign * other.won,
        refusedByBudget + sign * other.refusedByBudget,
        refusedCongested + sign * other.refusedCongested,
        refusedNoRoom + sign * other.refusedNoRoom,
        refusedTooEarly + sign * other.refusedTooEarly);
  }
}
