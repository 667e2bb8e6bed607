/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import io.curtail.selection.NamedPolicy;
import io.curtail.selection.delay.ReplicaDelay;
import java.time.Duration;

/** The settings of {@link AdaptivePolicy} that are its own. Immutable. */
final class AdaptiveSettings {
  private static final Duration MIN_MEMORY = Duration.ofMillis(1);
  private static final Duration MIN_INTERVAL = Duration.ofMillis(10);
  private static final Duration MAX_INTERVAL = Duration.ofHours(1);

  private static final int MAX_CLIENTS = 10_000;

  final NamedPolicy ranking;
  final int clients;
  final long memoryNanos;
  final long probeIntervalNanos;
  final double probeShare;

  /**
   * @throws IllegalArgumentException if a value is out of its range; the message names the option
   */
  AdaptiveSettings(DriverExecutionProfile profile) {
    String name = profile.getString(AdaptiveOption.RANKING, Rankings.ADAPTIVE);
    try {
      ranking = Rankings.named(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          AdaptiveOption.RANKING.getPath() + ": " + e.getMessage(), e);
    }
    clients = profile.getInt(AdaptiveOption.CLIENTS, 1);
    if (clients < 1 || clients > MAX_CLIENTS) {
      throw WeightedSettings.invalid(AdaptiveOption.CLIENTS, clients, "from 1 to " + MAX_CLIENTS);
    }
    memoryNanos =
        WeightedSettings.nanos(
            profile,
            AdaptiveOption.MEMORY,
            Duration.ofNanos(ReplicaDelay.DEFAULT_MEMORY_NANOS),
            MIN_MEMORY,
            MAX_INTERVAL);
    probeIntervalNanos =
        WeightedSettings.nanos(
            profile,
            AdaptiveOption.PROBE_INTERVAL,
            Duration.ofSeconds(1),
            MIN_INTERVAL,
            MAX_INTERVAL);
    probeShare = profile.getDouble(AdaptiveOption.PROBE_SHARE, 0.01);
    if (!(probeShare >= 0 && probeShare <= 1)) {
      throw WeightedSettings.invalid(AdaptiveOption.PROBE_SHARE, probeShare, "from 0 to 1");
    }
  }
}
