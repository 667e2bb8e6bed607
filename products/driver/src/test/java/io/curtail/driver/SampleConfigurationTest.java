/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a release ships in {@code conf/}. */
class SampleConfigurationTest {
  @Test
  void should_name_the_policy_when_the_sample_is_the_configuration() {
    Path file = Path.of("../../packaging/conf/application.conf");
    DriverExecutionProfile profile =
        DriverConfigLoader.fromPath(file).getInitialConfig().getDefaultProfile();
    assertThat(profile.getString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS))
        .isEqualTo(WeightedLeastLoadedPolicy.class.getName());
    assertThat(profile.getString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER))
        .isEqualTo("datacenter1");
  }
}
