/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A load balancing policy as a user of the driver configures it. Immutable.
 *
 * @param name how the report calls it
 * @param className its class; the driver finds its own policies by simple name
 * @param options further settings under {@code basic.load-balancing-policy}, such as {@code
 *     weighted.non-rack}
 * @param others settings elsewhere, by their whole path under {@code datastax-java-driver}
 */
public record Policy(
    String name, String className, Map<String, String> options, Map<String, String> others) {
  public static final Policy STOCK_DEFAULT =
      new Policy("stock-default", "DefaultLoadBalancingPolicy", Map.of());
  public static final Policy STOCK_BASIC =
      new Policy("stock-basic", "BasicLoadBalancingPolicy", Map.of());
  public static final Policy WEIGHTED_LEAST_LOADED =
      new Policy("weighted-least-loaded", "io.curtail.driver.WeightedLeastLoadedPolicy", Map.of());

  public static final Policy ADAPTIVE =
      new Policy("adaptive", "io.curtail.driver.AdaptivePolicy", Map.of());

  /** With second copies of slow requests; the lab's requests may all be repeated. */
  public static final Policy ADAPTIVE_HEDGED =
      new Policy(
          "adaptive-hedged",
          ADAPTIVE.className,
          Map.of(),
          Map.of(
              "advanced.speculative-execution-policy.class",
              "io.curtail.driver.AdaptiveSpeculativeExecution",
              "advanced.netty.timer.tick-duration",
              "1 millisecond",
              "basic.request.default-idempotence",
              "true"));

  public Policy {
    options = Map.copyOf(options);
    others = Map.copyOf(others);
  }

  /** A policy that needs no settings elsewhere. */
  public Policy(String name, String className, Map<String, String> options) {
    this(name, className, options, Map.of());
  }

  /**
   * Understands {@code stock-default}, {@code stock-basic}, {@code weighted-least-loaded}, {@code
   * adaptive}, {@code adaptive-hedged}, or a class name; options follow as {@code
   * NAME,option=value,...}.
   *
   * @throws IllegalArgumentException if there is no such policy
   */
  public static Policy parse(String text) {
    String[] parts = text.split(",", -1);
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "policy: option=value expected, not \"" + parts[i] + "\"");
      }
      options.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
    }
    Policy policy = named(parts[0]);
    return options.isEmpty()
        ? policy
        : new Policy(text, policy.className(), options, policy.others());
  }

  private static Policy named(String name) {
    for (Policy known :
        new Policy[] {
          STOCK_DEFAULT, STOCK_BASIC, WEIGHTED_LEAST_LOADED, ADAPTIVE, ADAPTIVE_HEDGED
        }) {
      if (known.name().equals(name)) {
        return known;
      }
    }
    if (name.indexOf('.') > 0 && exists(name)) {
      return new Policy(name.substring(name.lastIndexOf('.') + 1), name, Map.of());
    }
    throw new IllegalArgumentException(
        "policy: stock-default, stock-basic, weighted-least-loaded, adaptive, adaptive-hedged,"
            + " or a class on the class path, not \""
            + name
            + "\"");
  }

  private static boolean exists(String className) {
    try {
      Class.forName(className, false, Policy.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
