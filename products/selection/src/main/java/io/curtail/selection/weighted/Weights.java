/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.weighted;

/**
 * By how much {@link WeightedLeastLoaded} multiplies a load. Immutable; each weight is from {@value
 * #MIN} to {@value #MAX}.
 *
 * <p>With Netflix's weights and an equal load the order is local replica (1), replica of another
 * rack (4), local node that is no replica (12), any other node (48). So a replica of another rack
 * is tried once the local one has 4 times its load, and a node that must forward the request once
 * all replicas have 3 times that.
 */
public final class Weights {
  public static final double MIN = 1;
  public static final double MAX = 1024;

  public static final Weights NETFLIX = new Weights(4, 12, 16, 64);

  private final float nonRack;
  private final float nonReplica;
  private final float starting;
  private final float stalled;

  /**
   * @throws IllegalArgumentException if a weight is out of its range
   */
  public Weights(double nonRack, double nonReplica, double starting, double stalled) {
    this.nonRack = checked(nonRack);
    this.nonReplica = checked(nonReplica);
    this.starting = checked(starting);
    this.stalled = checked(stalled);
  }

  private static float checked(double weight) {
    if (!isValid(weight)) {
      throw new IllegalArgumentException(
          "a weight must be from " + MIN + " to " + MAX + ", not " + weight);
    }
    return (float) weight;
  }

  public static boolean isValid(double weight) {
    return weight >= MIN && weight <= MAX;
  }

  /** Returns the weight of where a node is: the product of what applies. */
  public float distance(boolean inLocalRack, boolean isReplica) {
    return (inLocalRack ? 1 : nonRack) * (isReplica ? 1 : nonReplica);
  }

  /** Returns the weight of a node that has just come up. */
  public float starting() {
    return starting;
  }

  /** Returns the weight of a node that stopped answering. */
  public float stalled() {
    return stalled;
  }
}
