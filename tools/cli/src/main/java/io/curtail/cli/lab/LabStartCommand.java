/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.curtail.cli.option.EngineJars;
import io.curtail.cli.option.HeapOption;
import io.curtail.cli.output.Output;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.Jit;
import io.curtail.lab.network.ZoneLatencies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code curtail lab start}. */
@Command(
    name = "start",
    description =
        "Starts a cluster and leaves it up in the background, for your own client to connect to.")
final class LabStartCommand implements Callable<Integer> {
  private static final ObjectMapper YAML = new YAMLMapper();

  @Mixin private LabChoice lab;
  @Mixin private Output output;

  @Option(
      names = {"-n", "--nodes"},
      description = "1 to 12; three if not given, with --engine one.")
  private Integer nodes;

  @Option(
      names = "--zones",
      description = "1 to 3, each a rack; three, or as many as nodes, if not given.")
  private Integer zones;

  @Mixin private final HeapOption heap = new HeapOption(384);
  @Mixin private final ClusterOptions clusterOptions = new ClusterOptions(Jit.C1);

  @Option(
      names = "--cassandra-version",
      paramLabel = "VERSION",
      description = "A release of Cassandra 5.0 on Maven Central; fetched if it is not here.")
  private String cassandraVersion;

  @Option(
      names = "--class-path",
      paramLabel = "JAR",
      showDefaultValue = Visibility.NEVER,
      description = "A jar to add to the nodes' class path, as if in lib/; may be repeated.")
  private List<Path> classPath = List.of();

  @Option(
      names = "--yaml",
      paramLabel = "KEY=VALUE",
      showDefaultValue = Visibility.NEVER,
      description = "A setting of cassandra.yaml, such as concurrent_reads=8; may be repeated.")
  private Map<String, String> yaml = Map.of();

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      showDefaultValue = Visibility.NEVER,
      description = "An option of the nodes' JVM; may be repeated.")
  private List<String> jvmOptions = List.of();

  @Option(
      names = "--raise-priority",
      description = "Run the nodes before other work on this machine; needs root.")
  private boolean raisedPriority;

  @Option(
      names = "--engine",
      description =
          "Give the nodes the RocksDB storage engine and make a table in it, "
              + EngineLab.TABLE
              + ", to try.")
  private boolean engine;

  @Override
  public Integer call() throws IOException {
    Cluster cluster = Cluster.start(clusterSpec(), output::progress);
    cluster.network().use(ZoneLatencies.TALK);
    cluster.detach();
    LabView view = LabView.of(cluster);
    if (engine) {
      output.progress("creating " + EngineLab.TABLE + " with memtable = 'rocksdb'");
      EngineLab.createTable(view, lab.stopCommand(), output::progress);
    }
    output.print(view, () -> view.toText() + hints(view));
    return 0;
  }

  private ClusterSpec clusterSpec() {
    ClusterSpecBuilder builder =
        ClusterSpec.builder()
            .name(lab.name())
            .directory(lab.directory())
            .nodes(nodes != null ? nodes : engine ? 1 : 3)
            .heapMebibytes(heap.mebibytes())
            .jit(clusterOptions.jit())
            .networking(clusterOptions.networking())
            .raisedPriority(raisedPriority)
            .addYaml(settings().entrySet());
    if (zones != null) {
      builder.zones(zones);
    }
    if (cassandraVersion != null) {
      builder.cassandraVersion(cassandraVersion);
    }
    builder.addClassPath(classPath);
    if (engine) {
      builder.addClassPath(EngineJars.engine());
    }
    builder.addJvmOptions(jvmOptions);
    return builder.build();
  }

  /** Values are YAML themselves: numbers, true, or {@code {a: {b: c}}}. */
  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    if (engine) {
      settings.putAll(EngineLab.yaml());
    }
    yaml.forEach((key, value) -> settings.put(key, parsed(key, value)));
    return settings;
  }

  private static Object parsed(String key, String value) {
    try {
      return YAML.readValue(value, Object.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("--yaml: no value of " + key + ": '" + value + "'", e);
    }
  }

  private String hints(LabView view) {
    String hints =
        """

        Contact points: %s
        Data centre:    %s
        Stop it with:   %s
        """
            .formatted(
                String.join(", ", view.contactPoints()), view.localDatacenter(), lab.stopCommand());
    return engine
        ? hints
            + "Try it with:    cqlsh %s -e 'SELECT * FROM %s' (pip install cqlsh)%n"
                .formatted(view.contactPoints().get(0).replace(':', ' '), EngineLab.TABLE)
        : hints;
  }
}
