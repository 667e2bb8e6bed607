/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.metrics.NodeMetric;
import com.datastax.oss.driver.api.core.metrics.SessionMetric;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.metrics.MetricId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes {@link WeightedSessionMetric}, {@link WeightedNodeMetric} and {@link HedgingNodeMetric}
 * in the registry the driver publishes in: Dropwizard, Micrometer or MicroProfile. Guarded by the
 * policy's membership lock; the gauges are read by any thread.
 */
class PolicyMetrics {
  /** Publishes nothing. */
  static final PolicyMetrics NONE = new PolicyMetrics(null, null, null, null);

  private static final Logger LOG = LoggerFactory.getLogger(PolicyMetrics.class);

  /** One library's registry. */
  interface Registry {
    /**
     * In place of what has that id.
     *
     * @return takes the gauge out again: what has its id then may be another, as nodes change their
     *     addresses and applications the tags of their registry
     */
    Runnable register(MetricId id, DoubleSupplier gauge);
  }

  private final Registry registry;
  private final InternalDriverContext context;
  private final String pathPrefix;
  private final LongSupplier nanoClock;

  /** What takes out the gauges of a policy or node. */
  private final Map<Object, List<Runnable>> published = new ConcurrentHashMap<>();

  private PolicyMetrics(
      Registry registry, InternalDriverContext context, String pathPrefix, LongSupplier nanoClock) {
    this.registry = registry;
    this.context = context;
    this.pathPrefix = pathPrefix;
    this.nanoClock = nanoClock;
  }

  /**
   * The policies of several profiles publish side by side: the name of a profile leads its paths.
   */
  static PolicyMetrics create(
      InternalDriverContext context, String profile, String logPrefix, LongSupplier nanoClock) {
    Registry registry;
    try {
      registry = registry(context);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn(
          "[{}] {} is on, but the metric registry that the session was given is not of the kind that "
              + "{} says. No metrics are published.",
          logPrefix,
          WeightedOption.METRICS.getPath(),
          DefaultDriverOption.METRICS_FACTORY_CLASS.getPath(),
          e);
      return NONE;
    }
    if (registry == null) {
      LOG.warn(
          "[{}] {} is on, but the driver has no metric registry: with Dropwizard enable one of its "
              + "metrics, else pass a registry with SessionBuilder.withMetricRegistry. No metrics are "
              + "published.",
          logPrefix,
          WeightedOption.METRICS.getPath());
      return NONE;
    }
    boolean isDefault = profile.equals(DriverExecutionProfile.DEFAULT_NAME);
    return new PolicyMetrics(registry, context, isDefault ? "" : profile + ".", nanoClock);
  }

  void add(WeightedLeastLoadedPolicy policy) {
    forEach(policy, (metric, value) -> publish(policy, id(metric), value));
  }

  void remove(WeightedLeastLoadedPolicy policy) {
    takeOut(policy);
  }

  void add(TrackedNode node) {
    forEach(node, (metric, value) -> publish(node, id(node, metric), value));
  }

  void remove(TrackedNode node) {
    takeOut(node);
  }

  private void publish(Object owner, MetricId id, DoubleSupplier value) {
    published
        .computeIfAbsent(owner, of -> new CopyOnWriteArrayList<>())
        .add(registry.register(id, value));
  }

  private void takeOut(Object owner) {
    List<Runnable> gauges = published.remove(owner);
    if (gauges != null) {
      gauges.forEach(this::orWarn);
    }
  }

  private void forEach(
      WeightedLeastLoadedPolicy policy, BiConsumer<SessionMetric, DoubleSupplier> action) {
    orWarn(
        () -> {
          for (WeightedSessionMetric metric : WeightedSessionMetric.values()) {
            if (policy.plans().backlog() != null || !metric.isOfBacklog()) {
              action.accept(metric, () -> metric.valueOf(policy));
            }
          }
        });
  }

  private void forEach(TrackedNode node, BiConsumer<NodeMetric, DoubleSupplier> action) {
    orWarn(
        () -> {
          for (WeightedNodeMetric metric : WeightedNodeMetric.values()) {
            action.accept(metric, () -> metric.valueOf(node, nanoClock.getAsLong()));
          }
          Hedges hedges = node.hedges;
          if (hedges != null) {
            for (HedgingNodeMetric metric : HedgingNodeMetric.values()) {
              action.accept(metric, () -> metric.valueOf(node, hedges));
            }
          }
        });
  }

  /** A registry that fails costs the metrics, not the policy. */
  private void orWarn(Runnable action) {
    try {
      if (registry != null) {
        action.run();
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("[{}] The metric registry failed", context.getSessionName(), e);
    }
  }

  private MetricId id(SessionMetric metric) {
    return context.getMetricIdGenerator().sessionMetricId(() -> pathPrefix + metric.getPath());
  }

  private MetricId id(TrackedNode node, NodeMetric metric) {
    NodeMetric prefixed = () -> pathPrefix + metric.getPath();
    return context.getMetricIdGenerator().nodeMetricId(node.node, prefixed);
  }

  private static Registry registry(InternalDriverContext context) {
    String factory =
        context
            .getConfig()
            .getDefaultProfile()
            .getString(DefaultDriverOption.METRICS_FACTORY_CLASS, "DefaultMetricsFactory");
    if (factory.endsWith("MicrometerMetricsFactory")) {
      return MicrometerRegistry.of(context.getMetricRegistry());
    }
    if (factory.endsWith("MicroProfileMetricsFactory")) {
      return MicroProfileRegistry.of(context.getMetricRegistry());
    }
    return context
        .getMetricsFactory()
        .getMetrics()
        .map(metrics -> (Registry) new DropwizardRegistry(metrics.getRegistry()))
        .orElse(null);
  }
}
