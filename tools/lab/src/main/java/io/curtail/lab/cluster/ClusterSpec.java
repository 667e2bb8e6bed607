/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a lab cluster is made of. Immutable; checked when built.
 *
 * @param name among the labs of this user; letters, digits, {@code _ . -}
 * @param directory where the nodes keep configuration, data and logs; null for one named after the
 *     lab, under {@code .curtail/labs} of the project
 * @param nodes that own data, 1 to {@value #MAX_NODES}
 * @param coordinators nodes besides that own no data, 0 to {@value #MAX_COORDINATORS}; clients ask
 *     these alone
 * @param zones 1 to {@value #MAX_ZONES}, at most one a node, each of them a rack; three if not set,
 *     or as many as there are nodes if these are fewer
 * @param heapMebibytes of each node
 * @param memoryMebibytes the most that each node may have, its files in the system's cache
 *     included; 0 for no limit; needs control groups and root, see {@link
 *     MemoryLimit#unavailable()}
 * @param cassandraVersion a release on Maven Central, such as {@code 5.0.9}
 * @param classPath what a plug-in's user would copy into {@code lib/}
 * @param requestTimeout how long a node waits for others before a request fails, but for writes of
 *     counters; null for Cassandra's own
 * @param yaml merged over the lab's {@code cassandra.yaml}, maps within maps included
 * @param nodeYaml merged over that in the node of a number, from 1
 * @param jvmOptions come last on the node's command line, so they win
 * @param raisedPriority whether the nodes run before other work on this machine; only root can ask
 *     for it
 */
@RecordBuilder
@RecordBuilder.Options(
    addSingleItemCollectionBuilders = true,
    useImmutableCollections = true,
    enableWither = false)
public record ClusterSpec(
    String name,
    Path directory,
    int nodes,
    int coordinators,
    int zones,
    int heapMebibytes,
    int memoryMebibytes,
    Jit jit,
    String cassandraVersion,
    List<Path> classPath,
    Duration requestTimeout,
    Map<String, Object> yaml,
    Map<Integer, Map<String, ?>> nodeYaml,
    List<String> jvmOptions,
    Networking networking,
    boolean raisedPriority) {
  public static final int MAX_NODES = 12;
  public static final int MAX_ZONES = 3;

  /** Beside the nodes that own data. */
  public static final int MAX_COORDINATORS = 12;

  private static final int NOT_SET = Integer.MIN_VALUE;
  private static final List<String> REQUESTS_WITH_TIMEOUT =
      List.of(
          "read_request_timeout",
          "range_request_timeout",
          "write_request_timeout",
          "truncate_request_timeout",
          "cas_contention_timeout",
          "request_timeout",
          "native_transport_timeout");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,39}");

  /**
   * Checks every value.
   *
   * @throws IllegalArgumentException if one is out of range, in one line for the user
   */
  public ClusterSpec {
    require(
        NAME.matcher(name).matches(),
        "name: letters, digits, '_', '.' and '-', at most 40, not \"" + name + "\"");
    require(
        nodes >= 1 && nodes <= MAX_NODES, "nodes: must be 1 to " + MAX_NODES + ", not " + nodes);
    require(
        coordinators >= 0 && coordinators <= MAX_COORDINATORS,
        "coordinators: must be 0 to " + MAX_COORDINATORS + ", not " + coordinators);
    zones = zones == NOT_SET ? Math.min(MAX_ZONES, nodes) : zones;
    require(
        zones >= 1 && zones <= MAX_ZONES, "zones: must be 1 to " + MAX_ZONES + ", not " + zones);
    require(zones <= nodes, "zones: " + zones + " need at least as many nodes, not " + nodes);
    require(
        heapMebibytes >= 192 && heapMebibytes <= 16384,
        "heap: must be 192 to 16384 MiB, not " + heapMebibytes);
    require(
        cassandraVersion.matches("[0-9][0-9A-Za-z.-]*"),
        "cassandra-version: such as " + CassandraJars.defaultVersion());
    directory = directory == null ? Home.find().lab(name) : directory.toAbsolutePath().normalize();
    classPath = classPath.stream().map(entry -> entry.toAbsolutePath().normalize()).toList();
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Starts from three nodes and what is so by default. */
  public static ClusterSpecBuilder builder() {
    return ClusterSpecBuilder.builder()
        .name("default")
        .nodes(3)
        .zones(NOT_SET)
        .heapMebibytes(384)
        .jit(Jit.C1)
        .cassandraVersion(CassandraJars.defaultVersion())
        .networking(Networking.LOOPBACK);
  }

  /** Of clusters that ask for no other. */
  public static String defaultCassandraVersion() {
    return CassandraJars.defaultVersion();
  }

  /** With the coordinators, which have the last numbers. */
  public int allNodes() {
    return nodes + coordinators;
  }

  /** Merged over the lab's {@code cassandra.yaml} before {@link #yaml()}. */
  Map<String, Object> timeouts() {
    return requestTimeout == null
        ? Map.of()
        : REQUESTS_WITH_TIMEOUT.stream()
            .collect(Collectors.toMap(kind -> kind, kind -> requestTimeout.toMillis() + "ms"));
  }

  /** Merged over {@link #yaml()} in the node with this number, from 1. */
  public Map<String, ?> yaml(int node) {
    return nodeYaml.getOrDefault(node, Map.of());
  }
}
