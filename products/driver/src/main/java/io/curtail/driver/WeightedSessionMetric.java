/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metrics.SessionMetric;
import edu.umd.cs.findbugs.annotations.NonNull;

/**
 * What {@link WeightedLeastLoadedPolicy} publishes for the session when {@link
 * WeightedOption#METRICS} is on. All are gauges, named by the driver's metric id generator.
 */
public enum WeightedSessionMetric implements SessionMetric {
  /** How many query plans the policy made. */
  PLANS("load-balancing.plans"),
  /** How often a fault made the policy do as the driver does. */
  FALL_BACKS("load-balancing.fall-backs"),
  /** How many requests wait for a replica that is within its limits. */
  BACKLOG_LENGTH("backlog.length"),
  /** How many waited or wait. */
  BACKLOG_ADMITTED("backlog.admitted"),
  /** How long those waited that wait no longer, in all, in milliseconds. */
  BACKLOG_WAITED_MILLIS("backlog.waited-millis"),
  /** How many failed because as many waited as may. */
  BACKLOG_REFUSED("backlog.refused");

  private final String path;

  WeightedSessionMetric(String path) {
    this.path = path;
  }

  @NonNull
  @Override
  public String getPath() {
    return path;
  }

  boolean isOfBacklog() {
    return path.startsWith("backlog.");
  }

  /**
   * @param policy with a backlog, if this is of one
   */
  double valueOf(WeightedLeastLoadedPolicy policy) {
    ThrottlerBacklog backlog = policy.plans().backlog();
    switch (this) {
      case PLANS:
        return policy.plans().made();
      case FALL_BACKS:
        return policy.faults().faults();
      case BACKLOG_LENGTH:
        return backlog.size();
      case BACKLOG_ADMITTED:
        return backlog.admitted();
      case BACKLOG_WAITED_MILLIS:
        return backlog.waitedNanos() / 1e6;
      case BACKLOG_REFUSED:
        return backlog.refused();
    }
    throw new AssertionError(this);
  }
}
