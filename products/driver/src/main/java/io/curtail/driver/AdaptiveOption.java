/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverOption;
import edu.umd.cs.findbugs.annotations.NonNull;

/**
 * The options that {@link AdaptivePolicy} has besides those of {@link WeightedOption}; each is
 * described in the {@code reference.conf} of this jar.
 */
public enum AdaptiveOption implements DriverOption {
  /** By what replicas are ranked: a policy of {@code selection}. */
  RANKING("basic.load-balancing-policy.adaptive.ranking"),
  /** How many clients send to the same nodes: C3's w, 1 to 10000. */
  CLIENTS("basic.load-balancing-policy.adaptive.clients"),
  /** For how long a node's response times are remembered. */
  MEMORY("basic.load-balancing-policy.adaptive.memory"),
  /** How long nothing must have been sent to a node before a request probes it. */
  PROBE_INTERVAL("basic.load-balancing-policy.adaptive.probe-interval"),
  /** The share of the requests that may be probes: 0 to 1. */
  PROBE_SHARE("basic.load-balancing-policy.adaptive.probe-share");

  private final String path;

  AdaptiveOption(String path) {
    this.path = path;
  }

  @NonNull
  @Override
  public String getPath() {
    return path;
  }
}
