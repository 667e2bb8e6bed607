/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.curtail.selection.HostAbility;
import io.curtail.selection.NamedPolicy;
import io.curtail.selection.Policies;
import java.util.stream.Collectors;

/** Which policies of {@code selection} a driver can run: those that would be others are refused. */
final class Rankings {
  /** AdaptivePolicy's own. */
  static final String ADAPTIVE = "adaptive";

  private Rankings() {}

  /**
   * @throws IllegalArgumentException if there is none of that name, or a driver cannot run it; the
   *     message says why
   */
  static NamedPolicy named(String name) {
    NamedPolicy policy = Policies.named(name);
    if (policy.needs().contains(HostAbility.SEND_PROBES)) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' sends nodes messages of its own, which a driver cannot; use one of "
              + Policies.all().values().stream()
                  .filter(NamedPolicy::runsInDriver)
                  .map(NamedPolicy::name)
                  .collect(Collectors.joining(", ")));
    }
    if (!policy.runsInDriver()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' holds requests back, and a load balancing policy only orders nodes; for all of it"
              + " set this to "
              + policy.rankingAlone()
              + ", "
              + DefaultDriverOption.REQUEST_THROTTLER_CLASS.getPath()
              + " to "
              + AdaptiveThrottler.class.getName()
              + " and "
              + ThrottlerOption.RATE_CONTROL.getPath()
              + " to "
              + policy.rateControl());
    }
    return policy;
  }
}
