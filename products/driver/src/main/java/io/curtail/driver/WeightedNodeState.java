/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

/** What the policy knew of a node at one moment. Immutable. */
public final class WeightedNodeState {
  private final String node;
  private final boolean inLocalRack;
  private final int inFlight;
  private final boolean stalled;
  private final boolean failing;
  private final double failureRatio;
  private final double startingChance;
  private final long timesStalled;
  private final long timesFailing;

  WeightedNodeState(TrackedNode tracked, long nowNanos) {
    node = tracked.node.getEndPoint().toString();
    inLocalRack = tracked.inLocalRack;
    inFlight = tracked.lastKnownInFlight();
    stalled = tracked.health.wasStalled();
    failing = tracked.health.isFailing(nowNanos);
    failureRatio = tracked.health.failureRatio(nowNanos);
    startingChance = tracked.ramp.isOver() ? 0 : tracked.ramp.chanceAt(nowNanos);
    timesStalled = tracked.health.timesStalled();
    timesFailing = tracked.health.timesFailing();
  }

  /** Returns the address that the driver connects to. */
  public String getNode() {
    return node;
  }

  /** Returns true also when no local rack is set. */
  public boolean isInLocalRack() {
    return inLocalRack;
  }

  /** Returns this client's requests that the node has not answered. */
  public int getInFlight() {
    return inFlight;
  }

  /** Returns whether the latest plan that saw the node busy found it silent. */
  public boolean isStalled() {
    return stalled;
  }

  public boolean isFailing() {
    return failing;
  }

  /** Returns the decayed share of failures among the node's responses, 0 to 1. */
  public double getFailureRatio() {
    return failureRatio;
  }

  /** Returns the chance that the node counts as starting: 1 when it comes up, falling to 0. */
  public double getStartingChance() {
    return startingChance;
  }

  /** Returns how often the node began to stall, since it came up. */
  public long getTimesStalled() {
    return timesStalled;
  }

  /** Returns how often the node began to fail, since it came up. */
  public long getTimesFailing() {
    return timesFailing;
  }

  @Override
  public String toString() {
    return node
        + (inLocalRack ? ", local rack" : ", other rack")
        + ", in flight "
        + inFlight
        + (stalled ? ", stalled" : "")
        + (failing ? ", failing" : "")
        + ", failure ratio "
        + failureRatio
        + ", starting "
        + startingChance;
  }
}
