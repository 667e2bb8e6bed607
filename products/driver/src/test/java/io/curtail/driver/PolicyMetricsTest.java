/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyMetricsTest {
  @ParameterizedTest
  @ValueSource(strings = {"MicrometerMetricsFactory", "MicroProfileMetricsFactory"})
  void should_publish_nothing_when_the_registry_is_of_another_library(String factory) {
    DefaultDriverContext context =
        new DefaultDriverContext(
            DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.METRICS_FACTORY_CLASS, factory)
                .build(),
            ProgrammaticArguments.builder().withMetricRegistry("no registry at all").build());

    assertThat(PolicyMetrics.create(context, "default", "s0|default", () -> 0))
        .isSameAs(PolicyMetrics.NONE);
  }
}
