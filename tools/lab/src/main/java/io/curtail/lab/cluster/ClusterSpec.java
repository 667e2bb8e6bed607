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

/** What a lab cluster is made of. Immutable; checked when built. */
public final class ClusterSpec {
  public static final int MAX_NODES = 12;
  public static final int MAX_ZONES = 3;

  /** Beside the nodes that own data. */
  public static final int MAX_COORDINATORS = 12;

  private static final List<String> REQUESTS_WITH_TIMEOUT =
      List.of(
          "read_request_timeout",
          "range_request_timeout",
          "write_request_timeout",
          "counter_write_request_timeout",
          "truncate_request_timeout",
          "cas_contention_timeout",
          "request_timeout",
          "native_transport_timeout");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,39}");

  private final String name;
  private final Path directory;
  private final int nodes;
  private final int coordinators;
  private final int zones;
  private final int heapMebibytes;
  private final int memoryMebibytes;
  private final Jit jit;
  private final String cassandraVersion;
  private final List<Path> extraClassPath;
  private final Map<String, Object> extraYaml;
  private final Map<Integer, Map<String, ?>> nodeYaml;
  private final List<String> extraJvmOptions;
  private final Networking networking;
  private final boolean raisedPriority;

  private ClusterSpec(Builder builder) {
    name = builder.name;
    directory = builder.directory == null ? Home.find().lab(name) : builder.directory;
    nodes = builder.nodes;
    coordinators = builder.coordinators;
    zones = builder.zones == 0 ? Math.min(MAX_ZONES, nodes) : builder.zones;
    heapMebibytes = builder.heapMebibytes;
    memoryMebibytes = builder.memoryMebibytes;
    jit = builder.jit;
    cassandraVersion = builder.cassandraVersion;
    extraClassPath = List.copyOf(builder.extraClassPath);
    extraYaml = Map.copyOf(builder.extraYaml);
    nodeYaml = Map.copyOf(builder.nodeYaml);
    extraJvmOptions = List.copyOf(builder.extraJvmOptions);
    networking = builder.networking;
    raisedPriority = builder.raisedPriority;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Names the lab among those of this user; letters, digits, {@code _ . -}. */
  public String name() {
    return name;
  }

  /** Where the nodes keep configuration, data and logs. */
  public Path directory() {
    return directory;
  }

  /** That own data, 1 to {@value #MAX_NODES}. */
  public int nodes() {
    return nodes;
  }

  /** Nodes besides that own no data, 0 to {@value #MAX_COORDINATORS}; clients ask these alone. */
  public int coordinators() {
    return coordinators;
  }

  /** With the coordinators, which have the last numbers. */
  public int allNodes() {
    return nodes + coordinators;
  }

  /** 1 to {@value #MAX_ZONES}, at most one a node. Each zone is one rack. */
  public int zones() {
    return zones;
  }

  /** Of each node, in MiB. */
  public int heapMebibytes() {
    return heapMebibytes;
  }

  /** The most that each node may have, its files in the system's cache included; 0 for no limit. */
  public int memoryMebibytes() {
    return memoryMebibytes;
  }

  public Jit jit() {
    return jit;
  }

  /** A release on Maven Central, such as {@code 5.0.9}. */
  public String cassandraVersion() {
    return cassandraVersion;
  }

  /** What a plug-in's user would copy into {@code lib/}. */
  public List<Path> extraClassPath() {
    return extraClassPath;
  }

  /** Merged over the lab's {@code cassandra.yaml}, maps within maps included. */
  public Map<String, Object> extraYaml() {
    return extraYaml;
  }

  /** Merged over {@link #extraYaml()} in the node with this number, from 1. */
  public Map<String, ?> extraYaml(int node) {
    return nodeYaml.getOrDefault(node, Map.of());
  }

  /** Come last on the node's command line, so they win. */
  public List<String> extraJvmOptions() {
    return extraJvmOptions;
  }

  public Networking networking() {
    return networking;
  }

  /** Whether the nodes run before other work on this machine; only root can ask for it. */
  public boolean raisedPriority() {
    return raisedPriority;
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

    /** Defaults to a directory named after the lab, under {@code .curtail/labs} of the project. */
    public Builder directory(Path value) {
      directory = value.toAbsolutePath().normalize();
      return this;
    }

    public Builder nodes(int value) {
      nodes = value;
      return this;
    }

    /** None by default. */
    public Builder coordinators(int value) {
      coordinators = value;
      return this;
    }

    /** Defaults to three, or to the number of nodes if there are fewer. */
    public Builder zones(int value) {
      require(value >= 1, "zones: must be 1 to " + MAX_ZONES + ", not " + value);
      zones = value;
      return this;
    }

    public Builder heapMebibytes(int value) {
      heapMebibytes = value;
      return this;
    }

    /** Needs control groups and root, see {@link MemoryLimit#unavailable()}. */
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

    /** How long a node waits for others before a request fails; Cassandra's own if not set. */
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
     * Checks every value.
     *
     * @throws IllegalArgumentException if one is out of range, in one line for the user
     */
    public ClusterSpec build() {
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
      return new ClusterSpec(this);
    }

    private static void require(boolean condition, String message) {
      if (!condition) {
        throw new IllegalArgumentException(message);
      }
    }
  }
}
