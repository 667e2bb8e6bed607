/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.DriverOption;
import java.time.Duration;

/**
 * The settings of {@link WeightedLeastLoadedPolicy}, checked. Immutable.
 *
 * <p>The weights are Netflix's. They multiply: with an equal load the order is local replica (1),
 * replica of another rack (4), local node that is no replica (12), any other node (48). So a
 * replica of another rack is tried once the local one has 4 times its load, and a node that must
 * forward the request once all replicas have 3 times that.
 */
final class Weights {
  static final int MAX_SCORED_PLAN_SIZE = 64;

  final int scoredPlanSize;
  final float nonRack;
  final float nonReplica;
  final float starting;
  final float unhealthy;
  final long startingIntervalNanos;

  /**
   * @throws IllegalArgumentException if a value is out of its range; the message names the option
   */
  Weights(DriverExecutionProfile profile) {
    scoredPlanSize = profile.getInt(WeightedOption.SCORED_PLAN_SIZE, 8);
    if (scoredPlanSize < 1 || scoredPlanSize > MAX_SCORED_PLAN_SIZE) {
      throw invalid(
          WeightedOption.SCORED_PLAN_SIZE, scoredPlanSize, "from 1 to " + MAX_SCORED_PLAN_SIZE);
    }
    nonRack = weight(profile, WeightedOption.NON_RACK, 4);
    nonReplica = weight(profile, WeightedOption.NON_REPLICA, 12);
    starting = weight(profile, WeightedOption.STARTING, 16);
    unhealthy = weight(profile, WeightedOption.UNHEALTHY, 64);
    Duration interval =
        profile.getDuration(WeightedOption.STARTING_INTERVAL, Duration.ofSeconds(30));
    if (interval.isNegative() || interval.compareTo(Duration.ofHours(1)) > 0) {
      throw invalid(WeightedOption.STARTING_INTERVAL, interval, "from 0 to 1 hour");
    }
    startingIntervalNanos = interval.toNanos();
  }

  private static float weight(
      DriverExecutionProfile profile, WeightedOption option, double byDefault) {
    double weight = profile.getDouble(option, byDefault);
    if (!(weight >= 1 && weight <= 1024)) {
      throw invalid(option, weight, "from 1 to 1024");
    }
    return (float) weight;
  }

  private static IllegalArgumentException invalid(
      DriverOption option, Object value, String allowed) {
    return new IllegalArgumentException(
        option.getPath() + " is " + value + ", but must be " + allowed);
  }
}
