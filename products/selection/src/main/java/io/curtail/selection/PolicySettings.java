/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import io.curtail.selection.delay.ReplicaDelay;

/** What a user can tune of the policies. Immutable; start from {@link #DEFAULTS}. */
public final class PolicySettings {
  /** The paper's constants where it has them. */
  public static final PolicySettings DEFAULTS =
      new PolicySettings(
          150, 3, 1, 1_000_000_000L, 20_000_000L, ReplicaDelay.DEFAULT_MEMORY_NANOS, false);

  private final double clients;
  private final double exponent;
  private final double badnessThreshold;
  private final long decayNanos;
  private final long feedbackMemoryNanos;
  private final long responseMemoryNanos;
  private final boolean tiesInOrder;

  private PolicySettings(
      double clients,
      double exponent,
      double badnessThreshold,
      long decayNanos,
      long feedbackMemoryNanos,
      long responseMemoryNanos,
      boolean tiesInOrder) {
    this.clients = clients;
    this.exponent = exponent;
    this.badnessThreshold = badnessThreshold;
    this.decayNanos = decayNanos;
    this.feedbackMemoryNanos = feedbackMemoryNanos;
    this.responseMemoryNanos = responseMemoryNanos;
    this.tiesInOrder = tiesInOrder;
  }

  /** The number of clients (drivers, or coordinators) that read from the same servers: C3's w. */
  public PolicySettings withClients(double value) {
    require(value >= 0, "the number of clients must be at least 0, not " + value);
    return new PolicySettings(
        value,
        exponent,
        badnessThreshold,
        decayNanos,
        feedbackMemoryNanos,
        responseMemoryNanos,
        tiesInOrder);
  }

  /** C3's b, by which a long queue counts more than in proportion; at least 1. */
  public PolicySettings withExponent(double value) {
    require(value >= 1, "the exponent must be at least 1, not " + value);
    return new PolicySettings(
        clients,
        value,
        badnessThreshold,
        decayNanos,
        feedbackMemoryNanos,
        responseMemoryNanos,
        tiesInOrder);
  }

  /** How much worse a replica must be before the dynamic snitch leaves the ring's order. */
  public PolicySettings withBadnessThreshold(double value) {
    require(value >= 0, "the badness threshold must be at least 0, not " + value);
    return new PolicySettings(
        clients,
        exponent,
        value,
        decayNanos,
        feedbackMemoryNanos,
        responseMemoryNanos,
        tiesInOrder);
  }

  /** The age at which a C3 score is half way to the group's median; 0 for never. */
  public PolicySettings withDecayNanos(long value) {
    require(value >= 0, "the decay must be at least 0, not " + value + " ns");
    return new PolicySettings(
        clients,
        exponent,
        badnessThreshold,
        value,
        feedbackMemoryNanos,
        responseMemoryNanos,
        tiesInOrder);
  }

  /** The age at which Curtail's policy believes half of what a server said of itself. */
  public PolicySettings withFeedbackMemoryNanos(long value) {
    require(value > 0, "the memory of feedback must be above 0, not " + value + " ns");
    return new PolicySettings(
        clients, exponent, badnessThreshold, decayNanos, value, responseMemoryNanos, tiesInOrder);
  }

  /** How long {@link LeastDelayPolicy} remembers response times; see {@link ReplicaDelay}. */
  public PolicySettings withResponseMemoryNanos(long value) {
    require(value > 0, "the memory of response times must be above 0, not " + value + " ns");
    return new PolicySettings(
        clients, exponent, badnessThreshold, decayNanos, feedbackMemoryNanos, value, tiesInOrder);
  }

  /** Whether least outstanding breaks ties in the order of the ring, not at random. */
  public PolicySettings withTiesInOrder(boolean value) {
    return new PolicySettings(
        clients,
        exponent,
        badnessThreshold,
        decayNanos,
        feedbackMemoryNanos,
        responseMemoryNanos,
        value);
  }

  public double clients() {
    return clients;
  }

  public double exponent() {
    return exponent;
  }

  public double badnessThreshold() {
    return badnessThreshold;
  }

  public long decayNanos() {
    return decayNanos;
  }

  public long feedbackMemoryNanos() {
    return feedbackMemoryNanos;
  }

  public long responseMemoryNanos() {
    return responseMemoryNanos;
  }

  public boolean tiesInOrder() {
    return tiesInOrder;
  }

  private static void require(boolean valid, String message) {
    if (!valid) {
      throw new IllegalArgumentException(message);
    }
  }
}
