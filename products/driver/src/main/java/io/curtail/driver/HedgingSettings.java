/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import io.curtail.selection.hedging.Hedging;
import java.time.Duration;

/** The settings of {@link HedgingOption}, read from a profile and checked. Immutable. */
final class HedgingSettings {
  final double share;
  final long leastDelayNanos;

  /**
   * @throws IllegalArgumentException if a value is out of its range; the message names the option
   */
  HedgingSettings(DriverExecutionProfile profile) {
    share = profile.getDouble(HedgingOption.SHARE, 0.02);
    if (!(share > 0 && share <= Hedging.MOST_SHARE)) {
      throw WeightedSettings.invalid(
          HedgingOption.SHARE, share, "above 0 and at most " + Hedging.MOST_SHARE);
    }
    leastDelayNanos =
        WeightedSettings.nanos(
            profile,
            HedgingOption.LEAST_DELAY,
            Duration.ofMillis(1),
            Duration.ZERO,
            Duration.ofMinutes(1));
  }

  boolean isSame(HedgingSettings other) {
    return share == other.share && leastDelayNanos == other.leastDelayNanos;
  }
}
