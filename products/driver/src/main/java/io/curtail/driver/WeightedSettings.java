/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.DriverOption;
import io.curtail.selection.weighted.HealthSettings;
import io.curtail.selection.weighted.Weights;
import java.time.Duration;

/** The settings of {@link WeightedOption}, read from a profile and checked. Immutable. */
final class WeightedSettings {
  private static final int MAX_SCORED_PLAN_SIZE = 64;
  static final int MAX_IN_FLIGHT = 32768;

  final int scoredPlanSize;
  final Weights weights;
  final HealthSettings health;
  final long startingIntervalNanos;

  /**
   * @throws IllegalArgumentException if a value is out of its range; the message names the option
   */
  WeightedSettings(DriverExecutionProfile profile) {
    scoredPlanSize = integer(profile, WeightedOption.SCORED_PLAN_SIZE, 8, MAX_SCORED_PLAN_SIZE);
    weights =
        new Weights(
            weight(profile, WeightedOption.NON_RACK, 4),
            weight(profile, WeightedOption.NON_REPLICA, 12),
            weight(profile, WeightedOption.STARTING, 16),
            weight(profile, WeightedOption.UNHEALTHY, 64));
    startingIntervalNanos =
        nanos(
            profile,
            WeightedOption.STARTING_INTERVAL,
            Duration.ofSeconds(30),
            Duration.ZERO,
            Duration.ofHours(1));
    health =
        new HealthSettings(
            integer(profile, WeightedOption.STALLED_IN_FLIGHT, 10, MAX_IN_FLIGHT),
            nanos(
                profile,
                WeightedOption.STALLED_AFTER,
                Duration.ofMillis(200),
                Duration.ofMillis(1),
                Duration.ofMinutes(1)),
            failingRatio(profile));
  }

  static int integer(DriverExecutionProfile profile, DriverOption option, int byDefault, int max) {
    int value = profile.getInt(option, byDefault);
    if (value < 1 || value > max) {
      throw invalid(option, value, "from 1 to " + max);
    }
    return value;
  }

  private static double weight(
      DriverExecutionProfile profile, DriverOption option, double byDefault) {
    double weight = profile.getDouble(option, byDefault);
    if (!Weights.isValid(weight)) {
      throw invalid(option, weight, "from 1 to 1024");
    }
    return weight;
  }

  private static double failingRatio(DriverExecutionProfile profile) {
    double ratio = profile.getDouble(WeightedOption.FAILING_RATIO, 0.5);
    if (!(ratio > 0 && ratio <= 1)) {
      throw invalid(WeightedOption.FAILING_RATIO, ratio, "above 0 and at most 1");
    }
    return ratio;
  }

  static long nanos(
      DriverExecutionProfile profile,
      DriverOption option,
      Duration byDefault,
      Duration min,
      Duration max) {
    Duration value = profile.getDuration(option, byDefault);
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw invalid(option, value, "from " + min + " to " + max);
    }
    return value.toNanos();
  }

  static IllegalArgumentException invalid(DriverOption option, Object value, String allowed) {
    return new IllegalArgumentException(
        option.getPath() + " is " + value + ", but must be " + allowed);
  }
}
