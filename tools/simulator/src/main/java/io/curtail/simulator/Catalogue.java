/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** What there is to simulate, by name. */
public final class Catalogue {
  private Catalogue() {}

  /** A policy: what it is, and how what is simulated under its name can be installed. */
  public record Policy(String description, Installation installation) {}

  /** Returns the policies by name. */
  public static Map<String, Policy> policies() {
    Map<String, Policy> policies = new LinkedHashMap<>();
    SimulatedPolicy.all()
        .forEach(
            (name, policy) ->
                policies.put(name, new Policy(policy.description(), Installation.of(policy))));
    return policies;
  }

  /**
   * A parameter.
   *
   * @param value its default
   */
  public record Parameter(Object value, String meaning) {}

  /** Returns the parameters by name. */
  public static Map<String, Parameter> parameters() {
    Map<String, Parameter> parameters = new TreeMap<>();
    SimulatedScenario.BASE
        .all()
        .forEach(
            (key, value) ->
                parameters.put(key, new Parameter(value, SimulatedScenario.meaning(key))));
    return parameters;
  }
}
