/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import com.datastax.oss.driver.internal.core.metrics.DefaultMetricId;
import com.datastax.oss.driver.internal.core.metrics.MetricId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegistriesTest {
  private static final MetricId ID = new DefaultMetricId("expected", Map.of("node", "n1"));

  @Test
  void should_replace_and_take_out_a_gauge_when_the_application_adds_tags() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    meters.config().commonTags("application", "shop");
    PolicyMetrics.Registry registry = MicrometerRegistry.of(meters);
    Runnable first = registry.register(ID, () -> 1);
    Runnable second = registry.register(ID, () -> 2);
    assertThat(meters.get("expected").tag("application", "shop").gauge().value()).isEqualTo(2);
    second.run();
    assertThat(meters.getMeters()).isEmpty();
    first.run();
  }

  /** As when a session of the same name is opened before the one that it replaces is closed. */
  @Test
  void should_leave_a_gauge_of_micrometer_that_has_the_name_by_now() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    PolicyMetrics.Registry registry = MicrometerRegistry.of(meters);
    Runnable first = registry.register(ID, () -> 1);
    Runnable second = registry.register(ID, () -> 2);
    first.run();
    assertThat(meters.get("expected").gauge().value()).isEqualTo(2);
    second.run();
    assertThat(meters.getMeters()).isEmpty();
  }

  /** A node may get the address that another had, before that one is taken out. */
  @Test
  void should_leave_a_gauge_that_has_the_name_by_now() {
    MetricRegistry metrics = new MetricRegistry();
    PolicyMetrics.Registry registry = new DropwizardRegistry(metrics);
    Runnable first = registry.register(ID, () -> 1);
    Runnable second = registry.register(ID, () -> 2);
    first.run();
    assertThat(metrics.getGauges().get("expected").getValue()).isEqualTo(2.0);
    second.run();
    assertThat(metrics.getMetrics()).isEmpty();
  }
}
