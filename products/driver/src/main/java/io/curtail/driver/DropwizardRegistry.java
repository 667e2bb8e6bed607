/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.datastax.oss.driver.internal.core.metrics.MetricId;
import java.util.function.DoubleSupplier;

/**
 * Dropwizard Metrics, the driver's default. Tags are not part of it: the id's name holds the node.
 */
final class DropwizardRegistry implements PolicyMetrics.Registry {
  private final MetricRegistry registry;

  DropwizardRegistry(MetricRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Runnable register(MetricId id, DoubleSupplier gauge) {
    String name = id.getName();
    registry.remove(name);
    Gauge<Double> registered = gauge::getAsDouble;
    registry.register(name, registered);
    return () ->
        registry.removeMatching((other, metric) -> other.equals(name) && metric == registered);
  }
}
