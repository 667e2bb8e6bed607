/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.internal.core.metrics.MetricId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/** Micrometer; loaded only if the driver's metrics factory is the one for Micrometer. */
final class MicrometerRegistry implements PolicyMetrics.Registry {
  private final MeterRegistry registry;

  private MicrometerRegistry(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * @param given what was passed to the session builder; if nothing, the global registry, as in the
   *     driver
   */
  static PolicyMetrics.Registry of(Object given) {
    return new MicrometerRegistry(given == null ? Metrics.globalRegistry : (MeterRegistry) given);
  }

  @Override
  public Runnable register(MetricId id, DoubleSupplier gauge) {
    Gauge.Builder<?> builder =
        Gauge.builder(id.getName(), gauge::getAsDouble).tags(tags(id)).strongReference(true);
    // The registry keeps one that is there. It may have it under other tags, so it is asked.
    registry.remove(builder.register(registry));
    Meter registered = builder.register(registry);
    return () -> {
      if (isThere(registered)) {
        registry.remove(registered);
      }
    };
  }

  /** The registry takes those of one name and tags for the same, another's later one too. */
  private boolean isThere(Meter registered) {
    return registry.getMeters().stream().anyMatch(meter -> meter == registered);
  }

  private static Tags tags(MetricId id) {
    return Tags.of(
        id.getTags().entrySet().stream()
            .map(tag -> Tag.of(tag.getKey(), tag.getValue()))
            .collect(Collectors.toList()));
  }
}
