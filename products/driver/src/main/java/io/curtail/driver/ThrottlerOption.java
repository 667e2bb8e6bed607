/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverOption;
import edu.umd.cs.findbugs.annotations.NonNull;

/**
 * The options of {@link AdaptiveThrottler}, besides the driver's own {@code
 * advanced.throttler.max-queue-size}; each is described in the {@code reference.conf} of this jar.
 */
public enum ThrottlerOption implements DriverOption {
  /** How many of this session's requests may be in flight to a node: 1 to 32768. */
  MAX_IN_FLIGHT("advanced.throttler.adaptive.max-in-flight"),
  /** What limits the rate to a node: {@code none}, {@code cubic} or {@code aimd}. */
  RATE_CONTROL("advanced.throttler.adaptive.rate-control");

  private final String path;

  ThrottlerOption(String path) {
    this.path = path;
  }

  @NonNull
  @Override
  public String getPath() {
    return path;
  }
}
