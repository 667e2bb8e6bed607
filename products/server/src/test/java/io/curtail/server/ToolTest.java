/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.ChildJvm;
import io.curtail.testnode.NodeFlags;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cassandra's tools that read {@code cassandra.yaml}: sstable tools, {@code stopdaemon}. */
class ToolTest {
  private static final String YAML =
      """
      cluster_name: tools
      partitioner: org.apache.cassandra.dht.Murmur3Partitioner
      commitlog_sync: periodic
      commitlog_sync_period: 1000ms
      endpoint_snitch: io.curtail.server.CurtailSnitch
      dynamic_snitch: false
      """;

  /** Begins as they do. */
  static final class Tool {
    private Tool() {}

    public static void main(String[] none) {
      DatabaseDescriptor.toolInitialization();
      String snitch = DatabaseDescriptor.getEndpointSnitch().getClass().getSimpleName();
      System.out.println(snitch + " " + DatabaseDescriptor.getLocalDataCenter());
    }
  }

  /** {@code -Dcurtail.config} is among the options of the node alone. */
  @Test
  void should_let_tools_run_that_do_not_know_where_the_settings_are(@TempDir Path directory)
      throws Exception {
    Path yaml = Files.writeString(directory.resolve("cassandra.yaml"), YAML);
    List<String> command = new ArrayList<>();
    command.add(ChildJvm.java());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
    command.addAll(NodeFlags.all());
    command.add("-Dcassandra.config=" + yaml.toUri());
    command.add("-Dcassandra.storagedir=" + directory);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Tool.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said.strip()).endsWith("CurtailSnitch datacenter1");
  }
}
