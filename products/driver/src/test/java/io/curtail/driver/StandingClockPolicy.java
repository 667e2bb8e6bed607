/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.context.DriverContext;

/** The policy while no time passes: nothing is forgotten, and no ramp goes on. */
public final class StandingClockPolicy extends WeightedLeastLoadedPolicy {
  public StandingClockPolicy(DriverContext context, String profileName) {
    super(context, profileName);
  }

  @Override
  long nanoTime() {
    return 0;
  }
}
