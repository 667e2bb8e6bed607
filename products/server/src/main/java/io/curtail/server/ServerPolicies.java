/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.HostAbility;
import io.curtail.selection.NamedPolicy;
import io.curtail.selection.Policies;
import java.util.stream.Collectors;

/** The policies that are on a node what they are elsewhere; the others are refused. */
final class ServerPolicies {
  private ServerPolicies() {}

  /**
   * Returns the policy of that name.
   *
   * @throws IllegalArgumentException if there is none, or none that a node can run; the message
   *     says why, and names those it can
   */
  static NamedPolicy named(String name) {
    NamedPolicy policy = Policies.named(name);
    if (policy.runsOnNode()) {
      return policy;
    }
    String why =
        policy.needs().stream()
            .sorted()
            .map(ServerPolicies::whyNot)
            .collect(Collectors.joining(", and "));
    String possible =
        Policies.all().values().stream()
            .filter(NamedPolicy::runsOnNode)
            .map(NamedPolicy::name)
            .collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "policy: '" + name + "' cannot run on a node: " + why + "; use one of " + possible);
  }

  private static String whyNot(HostAbility needed) {
    switch (needed) {
      case COUNT_OUTSTANDING_EVERYWHERE:
        return "it compares outstanding requests, and those of a node to itself pass no message";
      case WEIGH_DISTANCE:
        return "it weighs distances, for which there is badness_threshold";
      case SEND_PROBES:
        return "it asks for probes of its own, and a node only copies reads";
      case TELL_EACH_ANSWER:
        return "it needs every answer by itself, and a node knows its own by their mean";
      default:
        throw new AssertionError(needed);
    }
  }
}
