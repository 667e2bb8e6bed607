/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.rate.CubicSettings;
import io.curtail.selection.rate.RateControl;
import io.curtail.selection.rate.RateControls;
import java.util.List;

/** The settings of {@link AdaptiveThrottler}. Immutable. */
final class ThrottlerSettings {
  /** Those that need not be told how each request ended, which the driver does not say of all. */
  private static final List<String> RATE_CONTROLS =
      List.of(RateControls.NONE, RateControls.CUBIC, RateControls.AIMD);

  /**
   * In windows of 20 ms: 500 requests a second at first, bursts of 10, and never below 50 a second.
   * The authors' floor of one request in two seconds would hold requests for longer than they wait.
   */
  private static final CubicSettings RATES = CubicSettings.AUTHORS.withRates(10, 10, 1);

  final int maxInFlight;
  final int maxQueueSize;
  final String rateControl;

  /**
   * @throws IllegalArgumentException if a value is out of its range; the message names the option
   */
  ThrottlerSettings(DriverExecutionProfile profile) {
    maxInFlight =
        WeightedSettings.integer(
            profile, ThrottlerOption.MAX_IN_FLIGHT, 256, WeightedSettings.MAX_IN_FLIGHT);
    maxQueueSize = profile.getInt(DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, 10_000);
    if (maxQueueSize < 0) {
      throw WeightedSettings.invalid(
          DefaultDriverOption.REQUEST_THROTTLER_MAX_QUEUE_SIZE, maxQueueSize, "at least 0");
    }
    rateControl = profile.getString(ThrottlerOption.RATE_CONTROL, RateControls.NONE);
    if (!RATE_CONTROLS.contains(rateControl)) {
      throw WeightedSettings.invalid(
          ThrottlerOption.RATE_CONTROL, rateControl, "one of " + String.join(", ", RATE_CONTROLS));
    }
  }

  @Override
  public String toString() {
    return ThrottlerOption.MAX_IN_FLIGHT.getPath()
        + " = "
        + maxInFlight
        + ", "
        + ThrottlerOption.RATE_CONTROL.getPath()
        + " = "
        + rateControl;
  }

  /** Of one node; null if its rate has no limit. */
  @Nullable
  RateControl newRateControl(long nowNanos) {
    return RateControls.create(rateControl, RATES, nowNanos);
  }
}
