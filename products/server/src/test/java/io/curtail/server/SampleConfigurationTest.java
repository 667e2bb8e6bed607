/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.YamlConfigurationLoader;
import org.junit.jupiter.api.Test;

/** What a release ships in {@code conf/}. */
class SampleConfigurationTest {
  private static final Path CONF = Path.of("../../packaging/conf");

  @Test
  void should_observe_first_when_the_sample_settings_are_used() throws Exception {
    Settings settings =
        Settings.defaults().with(new SettingsFile(CONF.resolve("curtail.properties")).read());
    assertThat(settings.mode).isEqualTo(Mode.OBSERVE);
    assertThat(settings.delegateSnitch()).isEqualTo("GossipingPropertyFileSnitch");
  }

  @Test
  void should_install_the_snitch_when_the_sample_lines_are_in_the_yaml() throws Exception {
    Config config =
        new YamlConfigurationLoader()
            .loadConfig(CONF.resolve("cassandra-server.yaml").toUri().toURL());
    assertThat(config.endpoint_snitch).isEqualTo(CurtailSnitch.class.getName());
    assertThat(config.dynamic_snitch).isFalse();
  }
}
