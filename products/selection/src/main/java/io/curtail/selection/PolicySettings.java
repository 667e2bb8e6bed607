/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import io.curtail.selection.delay.ReplicaDelay;

/** What a user can tune of the policies. Immutable; {@link Builder} says what each setting is. */
public final class PolicySettings {
  /** The paper's constants where it has them. */
  public static final PolicySettings DEFAULTS = builder().build();

  final double clients;
  final double exponent;
  final double badnessThreshold;
  final long feedbackMemoryNanos;
  final long responseMemoryNanos;
  final boolean tiesInOrder;

  private PolicySettings(Builder builder) {
    clients = builder.clients;
    exponent = builder.exponent;
    badnessThreshold = builder.badnessThreshold;
    feedbackMemoryNanos = builder.feedbackMemoryNanos;
    responseMemoryNanos = builder.responseMemoryNanos;
    tiesInOrder = builder.tiesInOrder;
  }

  /** Returns the defaults, to be changed. */
  public static Builder builder() {
    return new Builder();
  }

  /** Each method throws {@link IllegalArgumentException} if the value is out of its range. */
  public static final class Builder {
    private double clients = 150;
    private double exponent = 3;
    private double badnessThreshold = 1;
    private long feedbackMemoryNanos = 20_000_000L;
    private long responseMemoryNanos = ReplicaDelay.DEFAULT_MEMORY_NANOS;
    private boolean tiesInOrder;

    private Builder() {}

    /** The clients (drivers, or coordinators) that read from the same servers: C3's w; from 0. */
    public Builder clients(double value) {
      require(value >= 0, "the number of clients must be at least 0, not " + value);
      clients = value;
      return this;
    }

    /** C3's b, by which a long queue counts more than in proportion; at least 1. */
    public Builder exponent(double value) {
      require(value >= 1, "the exponent must be at least 1, not " + value);
      exponent = value;
      return this;
    }

    /** How much worse a replica must be before the dynamic snitch leaves the ring's order. */
    public Builder badnessThreshold(double value) {
      require(value >= 0, "the badness threshold must be at least 0, not " + value);
      badnessThreshold = value;
      return this;
    }

    /** The age at which Curtail's policy believes half of what a server said of itself; from 1. */
    public Builder feedbackMemoryNanos(long value) {
      require(value > 0, "the memory of feedback must be above 0, not " + value + " ns");
      feedbackMemoryNanos = value;
      return this;
    }

    /** How long {@link LeastDelayPolicy} remembers response times; from 1. */
    public Builder responseMemoryNanos(long value) {
      require(value > 0, "the memory of response times must be above 0, not " + value + " ns");
      responseMemoryNanos = value;
      return this;
    }

    /** Whether least outstanding breaks ties in the order of the ring, not at random. */
    public Builder tiesInOrder(boolean value) {
      tiesInOrder = value;
      return this;
    }

    public PolicySettings build() {
      return new PolicySettings(this);
    }

    private static void require(boolean valid, String message) {
      if (!valid) {
        throw new IllegalArgumentException(message);
      }
    }
  }
}
