/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.options.EngineOptions;
import io.curtail.engine.options.MemoryShares;
import java.nio.file.Path;
import java.util.HashMap;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.InheritingClass;
import org.apache.cassandra.config.YamlConfigurationLoader;
import org.junit.jupiter.api.Test;

/** What a release ships in {@code conf/}. */
class SampleConfigurationTest {
  @Test
  void should_configure_the_memtable_when_the_sample_lines_are_in_the_yaml() throws Exception {
    Path file = Path.of("../../packaging/conf/cassandra-engine.yaml");
    Config config = new YamlConfigurationLoader().loadConfig(file.toUri().toURL());
    InheritingClass memtable = config.memtable.configurations.get("rocksdb");
    assertThat(memtable.class_name).isEqualTo(RocksMemtable.class.getName());
    InheritingClass byDefault = config.memtable.configurations.get("default");
    assertThat(byDefault.class_name).isEqualTo(GuardedMemtable.class.getName());
    assertThat(config.memtable.configurations)
        .containsKey(byDefault.parameters.get("configuration"));
    assertThat(memtable.parameters).isNull();
    TestNode.start();
    InheritingClass compared = config.memtable.configurations.get("compared");
    assertThat(compared.class_name).isEqualTo(ComparedMemtable.class.getName());
    assertThat(ComparedMemtable.factory(new HashMap<>(compared.parameters))).isNotNull();
    EngineOptions options = EngineOptions.take(new HashMap<>());
    assertThat(options.blockCacheBytes).isEqualTo(MemoryShares.ofProcess().blockCacheBytes);
    assertThat(options.writeBuffersBytes).isBetween(8L << 20, options.logBytes);
    assertThat(options.writeBufferBytes).isBetween(8L << 20, options.writeBuffersBytes);
  }
}
