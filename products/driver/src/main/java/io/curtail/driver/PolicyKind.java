/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import io.curtail.selection.ProbeRule;
import io.curtail.selection.delay.LeastDelay;
import java.util.function.LongSupplier;

/** In what the policies of this package differ: how they rank, and what they are called. */
enum PolicyKind {
  WEIGHTED("WeightedLeastLoaded", false) {
    @Override
    Planner planner(
        DriverExecutionProfile profile, WeightedSettings settings, LongSupplier nanoClock) {
      return new WeightedPlanner(settings, nanoClock);
    }
  },

  ADAPTIVE("Adaptive", true) {
    @Override
    Planner planner(
        DriverExecutionProfile profile, WeightedSettings settings, LongSupplier nanoClock) {
      AdaptiveSettings adaptive = new AdaptiveSettings(profile);
      if (!adaptive.ranking.name().equals(Rankings.ADAPTIVE)) {
        ProbeRule probes = new ProbeRule(adaptive.probeIntervalNanos, adaptive.probeShare);
        return new RankedPlanner(adaptive.ranking, adaptive.clients, probes, settings, nanoClock);
      }
      LeastDelay formula =
          new LeastDelay(settings.weights, adaptive.probeIntervalNanos, adaptive.probeShare);
      return new AdaptivePlanner(settings, formula, adaptive.memoryNanos, nanoClock);
    }
  };

  /** As JMX and the log call it; its class is called so, with "Policy" after it. */
  final String title;

  final boolean measuresDelay;

  PolicyKind(String title, boolean measuresDelay) {
    this.title = title;
    this.measuresDelay = measuresDelay;
  }

  /**
   * @throws IllegalArgumentException if an option is out of its range
   */
  abstract Planner planner(
      DriverExecutionProfile profile, WeightedSettings settings, LongSupplier nanoClock);
}
