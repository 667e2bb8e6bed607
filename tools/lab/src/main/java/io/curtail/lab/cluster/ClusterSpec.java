/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a lab cluster is made of. Immutable; checked when built.
 *
 * @param name among the labs of this user; letters, digits, {@code _ . -}
 * @param directory where the nodes keep configuration, data and logs; null for one named after the
 *     lab, under {@code .curtail/labs} of the project
 * @param nodes that own data, 1 to {@value #MAX_NODES}
 * @param coordinators nodes besides that own no data, 0 to {@value #MAX_COORDINATORS}; clients ask
 *     these alone
 * @param zones 1 to {@value #MAX_ZONES}, at most one a node, each of them a rack; 0 for three, or
 *     as many as there are nodes if these are fewer
 * @param heapMebibytes of each node
 * @param memoryMebibytes the most that each node may have, its files in the system's cache
 *     included; 0 for no limit; needs control groups and root, see {@link
 *     MemoryLimit#unavailable()}
 * @param cassandraVersion a release on Maven Central, such as {@code 5.0.9}
 * @param extraClassPath what a plug-in's user would copy into {@code lib/}
 * @param extraYaml merged over the lab's {@code cassandra.yaml}, maps within maps included
 * @param nodeYaml merged over that in the node of a number, from 1
 * @param extraJvmOptions come last on the node's command line, so they win
 * @param raisedPriority whether the nodes run before other work on this machine; only root can ask
 *     for it
 */
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
    List<Path> extraClassPath,
    Map<String, Object> extraYaml,
    Map<Integer, Map<String, ?>> nodeYaml,
    List<String> extraJvmOptions,
    Networking networking,
    boolean raisedPriority) {
  public static final int MAX_NODES = 12;
  public static final int MAX_ZONES = 3;

  /** Beside the nodes that own data. */
  public static final int MAX_COORDINATORS = 12;

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
    require(zones <= MAX_ZONES, "zones: must be 1 to " + MAX_ZONES + ", not " + zones);
    require(zones <= nodes, "zones: " + zones + " need at least as many nodes, not " + nodes);
    require(
        heapMebibytes >= 192 && heapMebibytes <= 16384,
        "heap: must be 192 to 16384 MiB, not " + heapMebibytes);
    require(
        cassandraVersion.matches("[0-9][0-9A-Za-z.-]*"),
        "cassandra-version: such as " + CassandraJars.defaultVersion());
    directory = directory == null ? Home.find().lab(name) : directory;
    zones = zones == 0 ? Math.min(MAX_ZONES, nodes) : zones;
    extraClassPath = List.copyOf(extraClassPath);
    extraYaml = Map.copyOf(extraYaml);
    nodeYaml = Map.copyOf(nodeYaml);
    extraJvmOptions = List.copyOf(extraJvmOptions);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Of clusters that ask for no other. */
  public static String defaultCassandraVersion() {
    return CassandraJars.defaultVersion();
  }

  /** With the coordinators, which have the last numbers. */
  public int allNodes() {
    return nodes + coordinators;
  }

  /** Merged over {@link #extraYaml()} in the node with this number, from 1. */
  public Map<String, ?> extraYaml(int node) {
    return nodeYaml.getOrDefault(node, Map.of());
  }

  /** Not thread-safe. */
  public static final class Builder {
    private String name = "default";
    private Path directory;
    private int nodes = 3;
    private int coordinators;
    private int zones;
    private int heapMebibytes = 384;
    private int memoryMebibytes;
    private Jit jit = Jit.C1;
    private String cassandraVersion = CassandraJars.defaultVersion();
    private final List<Path> extraClassPath = new ArrayList<>();
    private final Map<String, Object> extraYaml = new LinkedHashMap<>();
    private final Map<Integer, Map<String, ?>> nodeYaml = new LinkedHashMap<>();
    private final List<String> extraJvmOptions = new ArrayList<>();
    private Networking networking = Networking.LOOPBACK;
    private boolean raisedPriority;

    private Builder() {}

    public Builder name(String value) {
      name = value;
      return this;
    }

    public Builder directory(Path value) {
      directory = value.toAbsolutePath().normalize();
      return this;
    }

    public Builder nodes(int value) {
      nodes = value;
      return this;
    }

    public Builder coordinators(int value) {
      coordinators = value;
      return this;
    }

    public Builder zones(int value) {
      require(value >= 1, "zones: must be 1 to " + MAX_ZONES + ", not " + value);
      zones = value;
      return this;
    }

    public Builder heapMebibytes(int value) {
      heapMebibytes = value;
      return this;
    }

    public Builder memoryMebibytes(int value) {
      memoryMebibytes = value;
      return this;
    }

    public Builder jit(Jit value) {
      jit = value;
      return this;
    }

    public Builder cassandraVersion(String value) {
      cassandraVersion = value;
      return this;
    }

    public Builder addClassPath(Path jarOrDirectory) {
      extraClassPath.add(jarOrDirectory.toAbsolutePath().normalize());
      return this;
    }

    public Builder addYaml(Map<String, ?> settings) {
      extraYaml.putAll(settings);
      return this;
    }

    /** What one node has besides, or instead; its number is from 1. */
    public Builder addYaml(int node, Map<String, ?> settings) {
      nodeYaml.put(node, settings);
      return this;
    }

    /**
     * How long a node waits for others before a request fails, but for writes of counters;
     * Cassandra's own if not set.
     */
    public Builder requestTimeout(Duration value) {
      for (String kind : REQUESTS_WITH_TIMEOUT) {
        extraYaml.put(kind, value.toMillis() + "ms");
      }
      return this;
    }

    public Builder addJvmOption(String option) {
      extraJvmOptions.add(option);
      return this;
    }

    public Builder networking(Networking value) {
      networking = value;
      return this;
    }

    public Builder raisedPriority(boolean value) {
      raisedPriority = value;
      return this;
    }

    /**
     * What was set, and what is so by default.
     *
     * @throws IllegalArgumentException if a value is out of range, in one line for the user
     */
    public ClusterSpec build() {
      return new ClusterSpec(
          name,
          directory,
          nodes,
          coordinators,
          zones,
          heapMebibytes,
          memoryMebibytes,
          jit,
          cassandraVersion,
          extraClassPath,
          extraYaml,
          nodeYaml,
          extraJvmOptions,
          networking,
          raisedPriority);
    }
  }
}
