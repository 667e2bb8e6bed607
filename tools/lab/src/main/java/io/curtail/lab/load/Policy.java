/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import io.curtail.selection.delay.ReplicaDelay;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A load balancing policy as a user of the driver configures it. Immutable.
 *
 * @param name how the report calls it
 * @param className its class; the driver finds its own policies by simple name
 * @param options further settings under {@code basic.load-balancing-policy}, such as {@code
 *     weighted.non-rack}
 * @param others settings elsewhere, by their whole path under {@code datastax-java-driver}
 * @param hearsNodes whether sessions ask nodes for their load, as {@code FeedbackSessionBuilder}'s
 */
public record Policy(
    String name,
    String className,
    Map<String, String> options,
    Map<String, String> others,
    boolean hearsNodes) {
  public static final Policy STOCK_DEFAULT =
      new Policy("stock-default", "DefaultLoadBalancingPolicy", Map.of());
  public static final Policy STOCK_BASIC =
      new Policy("stock-basic", "BasicLoadBalancingPolicy", Map.of());
  public static final Policy WEIGHTED_LEAST_LOADED =
      new Policy("weighted-least-loaded", "io.curtail.driver.WeightedLeastLoadedPolicy", Map.of());

  public static final Policy ADAPTIVE =
      new Policy("adaptive", "io.curtail.driver.AdaptivePolicy", Map.of());

  /** For how long AdaptivePolicy remembers response times, by default. */
  public static final Duration ADAPTIVE_MEMORY =
      Duration.ofNanos(ReplicaDelay.DEFAULT_MEMORY_NANOS);

  private static final String MEMORY = "adaptive.memory";

  /** With second copies of slow requests; the lab's requests may all be repeated. */
  public static final Policy ADAPTIVE_HEDGED =
      copying(
          "adaptive-hedged",
          ADAPTIVE.className,
          Map.of(
              "advanced.speculative-execution-policy.class",
              "io.curtail.driver.AdaptiveSpeculativeExecution"));

  /**
   * The driver's own second copies, after a delay that is to be the 99th percentile when all is
   * well; 10 ms unless an option says otherwise.
   */
  public static final Policy STOCK_SPECULATIVE =
      copying(
          "stock-speculative",
          STOCK_DEFAULT.className,
          Map.of(
              "advanced.speculative-execution-policy.class",
              "ConstantSpeculativeExecutionPolicy",
              "advanced.speculative-execution-policy.max-executions",
              "2",
              "advanced.speculative-execution-policy.delay",
              "10 milliseconds"));

  /** The driver's own second copies after this delay. */
  public static Policy stockSpeculative(Duration delay) {
    Map<String, String> others = new LinkedHashMap<>(STOCK_SPECULATIVE.others);
    others.put("advanced.speculative-execution-policy.delay", delay.toMillis() + " milliseconds");
    return new Policy(
        STOCK_SPECULATIVE.name, STOCK_SPECULATIVE.className, STOCK_SPECULATIVE.options, others);
  }

  private static Policy copying(String name, String className, Map<String, String> settings) {
    Map<String, String> others = new LinkedHashMap<>(settings);
    others.put("advanced.netty.timer.tick-duration", "1 millisecond");
    others.put("basic.request.default-idempotence", "true");
    return new Policy(name, className, Map.of(), others);
  }

  /** All that have a name. */
  public static final List<Policy> NAMED =
      List.of(
          STOCK_DEFAULT,
          STOCK_SPECULATIVE,
          STOCK_BASIC,
          WEIGHTED_LEAST_LOADED,
          ADAPTIVE,
          ADAPTIVE_HEDGED);

  public Policy {
    options = Map.copyOf(options);
    others = Map.copyOf(others);
  }

  /** For sessions that ask only the nodes that they were given. */
  public Policy ofContactPoints() {
    Map<String, String> changed = new LinkedHashMap<>(options);
    changed.put("evaluator.class", OnlyContactPoints.class.getName());
    return new Policy(name, className, changed, others, hearsNodes);
  }

  /**
   * The same for requests that take so many times as long: what it remembers of response times is
   * as old, unless an option says otherwise. Stock policies remember none.
   */
  public Policy inSlowMotion(int factor) {
    if (factor == 1 || !className.equals(ADAPTIVE.className) || options.containsKey(MEMORY)) {
      return this;
    }
    Map<String, String> slowed = new LinkedHashMap<>(options);
    slowed.put(MEMORY, ADAPTIVE_MEMORY.multipliedBy(factor).toMillis() + " milliseconds");
    return new Policy(name, className, slowed, others, hearsNodes);
  }

  /**
   * The same where nodes run {@code curtail-server}, whose reports only AdaptivePolicy looks at.
   */
  public Policy onNodesThatReport() {
    return new Policy(name, className, options, others, className.equals(ADAPTIVE.className));
  }

  /** A policy whose sessions ask nodes for nothing. */
  public Policy(
      String name, String className, Map<String, String> options, Map<String, String> others) {
    this(name, className, options, others, false);
  }

  /** A policy that needs no settings elsewhere. */
  public Policy(String name, String className, Map<String, String> options) {
    this(name, className, options, Map.of());
  }

  /**
   * Understands the names of {@link #NAMED}, or a class name; options follow as {@code
   * NAME,option=value,...}, those that begin with {@code advanced.} by their whole path.
   *
   * @throws IllegalArgumentException if there is no such policy, or no such option of a class of
   *     ours or the driver's
   */
  public static Policy parse(String text) {
    String[] parts = text.split(",", -1);
    Policy policy = named(parts[0]);
    Map<String, String> options = new LinkedHashMap<>(policy.options());
    Map<String, String> others = new LinkedHashMap<>(policy.others());
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "policy: option=value expected, not \"" + parts[i] + "\"");
      }
      String option = parts[i].substring(0, equals);
      (PolicyOptions.isElsewhere(option) ? others : options)
          .put(option, parts[i].substring(equals + 1));
    }
    if (parts.length == 1) {
      return policy;
    }
    Policy changed = new Policy(text, policy.className(), options, others);
    PolicyOptions.check(changed);
    return changed;
  }

  private static Policy named(String name) {
    for (Policy known : NAMED) {
      if (known.name().equals(name)) {
        return known;
      }
    }
    if (name.indexOf('.') > 0 && exists(name)) {
      return new Policy(name.substring(name.lastIndexOf('.') + 1), name, Map.of());
    }
    throw new IllegalArgumentException(
        "policy: "
            + NAMED.stream().map(Policy::name).collect(Collectors.joining(", "))
            + ", or a class on the class path, to which CURTAIL_CLASS_PATH adds, not \""
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
