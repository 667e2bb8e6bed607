/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import io.curtail.selection.Feedback;
import java.util.Locale;

/** What the policy knew of a node at one moment. Immutable. */
public final class WeightedNodeState {
  private final String node;
  private final boolean inLocalRack;
  private final int inFlight;
  private final boolean stalled;
  private final boolean failing;
  private final double failureRatio;
  private final double startingChance;
  private final double responseMillis;
  private final double expectedMillis;
  private final double hedgingDelayMillis;
  private final int waiting;
  private final double ratePerSecond;
  private final String reported;
  private final long timesStalled;
  private final long timesFailing;

  WeightedNodeState(TrackedNode tracked, long nowNanos) {
    node = tracked.node.getEndPoint().toString();
    inLocalRack = tracked.inLocalRack;
    inFlight = tracked.lastKnownInFlight();
    stalled = tracked.isStalled(nowNanos);
    failing = tracked.health.isFailing(nowNanos);
    failureRatio = tracked.health.failureRatio(nowNanos);
    startingChance = tracked.ramp.isOver() ? 0 : tracked.ramp.chanceAt(nowNanos);
    responseMillis = tracked.delay.responseTimeNanos(nowNanos) / 1e6;
    expectedMillis =
        responseMillis == 0 ? 0 : tracked.delay.expectedNanos(inFlight, 0, nowNanos) / 1e6;
    Hedges hedges = tracked.hedges;
    hedgingDelayMillis = hedges == null ? 0 : hedges.delayNanos(tracked) / 1e6;
    waiting = tracked.waiting.get();
    ratePerSecond = tracked.rate == null ? 0 : tracked.rate.perSecond();
    Feedback feedback = tracked.reported(nowNanos);
    reported = feedback == null ? "" : feedback.toString();
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

  /**
   * Returns whether the node answers nothing: the latest plan that saw it busy found it silent, or
   * an answer is overdue.
   */
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

  /** Returns the average response time; 0 if {@link AdaptivePolicy} does not know it. */
  public double getResponseMillis() {
    return responseMillis;
  }

  /**
   * Returns how long an answer is expected to take, which is more than the response time while one
   * is overdue; 0 if {@link AdaptivePolicy} does not know it.
   */
  public double getExpectedMillis() {
    return expectedMillis;
  }

  /** Returns after how long a request is copied to another node; 0 for never. */
  public double getHedgingDelayMillis() {
    return hedgingDelayMillis;
  }

  /** Returns how many requests wait for this node or another of their replicas to have room. */
  public int getWaiting() {
    return waiting;
  }

  /** Returns how many requests may be sent a second; 0 if that has no limit. */
  public double getRatePerSecond() {
    return ratePerSecond;
  }

  /**
   * Returns the load that the node reported last; empty if it reported none in the last second, or
   * the session was not built by {@link FeedbackSessionBuilder}.
   */
  public String getReported() {
    return reported;
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
    StringBuilder text = new StringBuilder(node);
    text.append(inLocalRack ? ", local rack" : ", other rack").append(", in flight ");
    text.append(inFlight);
    append(text, ", answers in %.2f ms", responseMillis);
    append(text, ", expected in %.2f ms", expectedMillis);
    append(text, ", copied after %.2f ms", hedgingDelayMillis);
    append(text, ", waited for by %.0f", waiting);
    append(text, ", at most %.0f/s", ratePerSecond);
    text.append(stalled ? ", stalled" : "").append(failing ? ", failing" : "");
    append(text, ", failure ratio %.2f", failureRatio);
    append(text, ", starting %.2f", startingChance);
    text.append(reported.isEmpty() ? "" : ", reports " + reported);
    return text.toString();
  }

  private static void append(StringBuilder text, String format, double value) {
    if (value != 0) {
      text.append(String.format(Locale.ROOT, format, value));
    }
  }
}
