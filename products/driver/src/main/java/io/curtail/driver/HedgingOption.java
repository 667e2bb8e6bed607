/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverOption;
import edu.umd.cs.findbugs.annotations.NonNull;

/**
 * The options of {@link AdaptiveSpeculativeExecution}; each is described in the {@code
 * reference.conf} of this jar.
 */
public enum HedgingOption implements DriverOption {
  /** The share of the requests that may get a second copy: above 0, at most 0.2. */
  SHARE("advanced.speculative-execution-policy.adaptive.share"),
  /** No request is copied sooner than after this long. */
  LEAST_DELAY("advanced.speculative-execution-policy.adaptive.least-delay");

  private final String path;

  HedgingOption(String path) {
    this.path = path;
  }

  @NonNull
  @Override
  public String getPath() {
    return path;
  }
}
