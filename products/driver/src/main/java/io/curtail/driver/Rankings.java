/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import io.curtail.selection.HostAbility;
import io.curtail.selection.NamedPolicy;
import io.curtail.selection.Policies;
import io.curtail.selection.rate.RateControls;
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
    String why = whyNot(policy);
    if (why != null) {
      String possible =
          Policies.all().values().stream()
              .filter(each -> whyNot(each) == null)
              .map(NamedPolicy::name)
              .collect(Collectors.joining(", "));
      throw new IllegalArgumentException(
          "'" + name + "' cannot run in a driver: " + why + "; use one of " + possible);
    }
    return policy;
  }

  private static String whyNot(NamedPolicy policy) {
    if (policy.needs().contains(HostAbility.SEND_PROBES)) {
      return "it sends nodes messages of its own, which a driver cannot";
    }
    return policy.rateControl().equals(RateControls.NONE)
        ? null
        : "it holds requests back, and a load balancing policy only orders nodes";
  }
}
