/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.internal.core.metrics.MetricId;
import java.util.function.DoubleSupplier;
import org.eclipse.microprofile.metrics.Gauge;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.MetricType;
import org.eclipse.microprofile.metrics.Tag;

/**
 * MicroProfile Metrics; loaded only if the driver's metrics factory is the one for MicroProfile.
 */
final class MicroProfileRegistry implements PolicyMetrics.Registry {
  private final MetricRegistry registry;

  private MicroProfileRegistry(MetricRegistry registry) {
    this.registry = registry;
  }

  /** Returns null without a registry: MicroProfile has no global one. */
  static PolicyMetrics.Registry of(Object given) {
    return given == null ? null : new MicroProfileRegistry((MetricRegistry) given);
  }

  @Override
  public Runnable register(MetricId id, DoubleSupplier gauge) {
    MetricID known = new MetricID(id.getName(), tags(id));
    registry.remove(known);
    Metadata metadata =
        Metadata.builder().withName(id.getName()).withType(MetricType.GAUGE).build();
    Gauge<Double> microProfileGauge = gauge::getAsDouble;
    registry.register(metadata, microProfileGauge, tags(id));
    return () ->
        registry.removeMatching(
            (other, metric) -> other.equals(known) && metric == microProfileGauge);
  }

  private static Tag[] tags(MetricId id) {
    return id.getTags().entrySet().stream()
        .map(tag -> new Tag(tag.getKey(), tag.getValue()))
        .toArray(Tag[]::new);
  }
}
