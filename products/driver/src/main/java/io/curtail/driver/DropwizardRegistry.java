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
  public void register(MetricId id, DoubleSupplier gauge) {
    registry.remove(id.getName());
    Gauge<Double> dropwizardGauge = gauge::getAsDouble;
    registry.register(id.getName(), dropwizardGauge);
  }

  @Override
  public void remove(MetricId id) {
    registry.remove(id.getName());
  }
}
