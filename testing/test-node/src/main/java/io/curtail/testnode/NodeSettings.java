/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The configuration of one small node on loopback, kept in a directory of its own.
 *
 * <p>Not thread-safe. {@link #write} may be called again after a change; the node reads the files
 * when it starts.
 */
public final class NodeSettings {
  /** The class of a clock that is set, named because only a node can load it. */
  public static final String CLOCK = "io.curtail.testnode.SetClock";

  /** A machine that is busy with something else makes no request fail. */
  private static final String PATIENCE = "120s";

  private static final int STORAGE_PORT = 7000;

  private static final AtomicInteger NODES = new AtomicInteger();

  private final Path directory;
  private final Map<String, String> memtables = new LinkedHashMap<>();
  private final Map<String, String> properties = new TreeMap<>();
  private final Map<String, String> yaml = new TreeMap<>();
  private final List<String> flags = new ArrayList<>();
  private final String address = unusedAddress();
  private Path classArchive;
  private String classPath = System.getProperty("java.class.path");

  public NodeSettings(Path directory) {
    this.directory = directory.toAbsolutePath();
    yaml.put("data_file_directories", "[" + this.directory.resolve("data") + "]");
    yaml.put("storage_compatibility_mode", "NONE");
    yaml.put("commitlog_sync", "periodic");
    yaml.put("commitlog_sync_period", "1000ms");
    yaml.put("auto_snapshot", "true");
    for (String kind : List.of("read", "range", "write", "counter_write", "truncate")) {
      yaml.put(kind + "_request_timeout", PATIENCE);
    }
    yaml.put("cas_contention_timeout", PATIENCE);
  }

  /** A loopback address that no other node of this or another process is likely to have. */
  private static String unusedAddress() {
    long process = ProcessHandle.current().pid();
    return UnusedAddress.text(
        UnusedAddress.first(
            STORAGE_PORT,
            number ->
                new byte[] {
                  127,
                  (byte) (100 + NODES.getAndIncrement() % 100),
                  (byte) (process >> 8 & 0x7F),
                  (byte) (1 + process % 250)
                }));
  }

  public Path directory() {
    return directory;
  }

  /** What a {@link NodeProcess} runs with; this JVM's class path if it is not set. */
  public NodeSettings classPath(List<Path> jars) {
    classPath = jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    return this;
  }

  String classPath() {
    return classPath;
  }

  /**
   * A file of the classes that a node loads (class-data sharing, JEP 350). The first {@link
   * NodeProcess} writes it when it has started, and later ones on the same class path start in a
   * third of the time. Neither does anything where it cannot.
   */
  public NodeSettings classArchive(Path file) {
    classArchive = file;
    return this;
  }

  /** Adds flags of the JVM, which win over those that keep a {@link NodeProcess} small. */
  public NodeSettings flags(List<String> more) {
    flags.addAll(more);
    return this;
  }

  List<String> jvmFlags() {
    if (classArchive == null) {
      return flags;
    }
    List<String> all = new ArrayList<>(flags);
    all.add(
        isClassArchiveMissing()
            ? "-XX:+RecordDynamicDumpInfo"
            : "-XX:SharedArchiveFile=" + classArchive);
    all.addAll(List.of("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
    return all;
  }

  boolean isClassArchiveMissing() {
    return classArchive != null && !Files.exists(classArchive);
  }

  Path classArchive() {
    return classArchive;
  }

  /**
   * Adds a memtable configuration to {@code cassandra.yaml}.
   *
   * @param name what {@code CREATE TABLE ... WITH memtable = 'name'} says
   * @param className the class that has the factory
   * @param parameters its parameters, may be empty
   */
  public NodeSettings memtable(String name, String className, Map<String, String> parameters) {
    StringBuilder text = new StringBuilder("      class_name: " + className + "\n");
    if (!parameters.isEmpty()) {
      text.append("      parameters:\n");
      new TreeMap<>(parameters)
          .forEach((key, value) -> text.append("        " + key + ": \"" + value + "\"\n"));
    }
    memtables.put(name, text.toString());
    return this;
  }

  /** Makes a memtable configuration inherit another: {@code inherits("default", "rocksdb")}. */
  public NodeSettings inherits(String name, String parent) {
    memtables.put(name, "      inherits: " + parent + "\n");
    return this;
  }

  /** Sets a line of {@code cassandra.yaml}; the value is written as it is. */
  public NodeSettings yaml(String key, String value) {
    yaml.put(key, value);
    return this;
  }

  /** Sets a system property of the node. */
  public NodeSettings property(String key, String value) {
    properties.put(key, value);
    return this;
  }

  /** Makes the node's wall clock stand at a moment, in seconds since 1970: {@link SetClock}. */
  public NodeSettings clock(long seconds) {
    return property("cassandra.clock", CLOCK)
        .property("io.curtail.testnode.clock", Long.toString(seconds));
  }

  /** Writes the files and returns the system properties that make a node use them. */
  public Map<String, String> write() {
    Path configuration = directory.resolve("conf");
    try {
      Files.createDirectories(configuration);
      Files.writeString(configuration.resolve("cassandra.yaml"), cassandraYaml());
      Files.writeString(
          configuration.resolve("cassandra-rackdc.properties"), "dc=dc1\nrack=rack1\n");
      Files.writeString(configuration.resolve("logback.xml"), logback());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> all = new TreeMap<>();
    all.put("cassandra.config", configuration.resolve("cassandra.yaml").toUri().toString());
    all.put(
        "cassandra-rackdc.properties",
        configuration.resolve("cassandra-rackdc.properties").toUri().toString());
    all.put("logback.configurationFile", configuration.resolve("logback.xml").toUri().toString());
    all.put("cassandra.storagedir", directory.toString());
    all.put("cassandra.logdir", directory.resolve("logs").toString());
    all.put("cassandra-foreground", "yes");
    all.put("cassandra.skip_wait_for_gossip_to_settle", "0");
    all.put("cassandra.ring_delay_ms", "1000");
    all.put("cassandra.superuser_setup_delay_ms", "-1");
    // A node that stops need not wait for others: there are none.
    all.put("cassandra.shutdown_announce_in_ms", "0");
    all.put("cassandra.test.messagingService.nonGracefulShutdown", "true");
    all.put("cassandra.disable_auth_caches_remote_configuration", "true");
    all.put("cassandra.jmx.local.port", "0");
    all.put("java.net.preferIPv4Stack", "true");
    all.putAll(properties);
    return all;
  }

  private String cassandraYaml() {
    StringBuilder text = new StringBuilder();
    text.append("cluster_name: verification\n");
    text.append("num_tokens: 1\n");
    text.append("initial_token: 0\n");
    text.append("auto_bootstrap: false\n");
    text.append("partitioner: org.apache.cassandra.dht.Murmur3Partitioner\n");
    text.append("endpoint_snitch: GossipingPropertyFileSnitch\n");
    text.append("listen_address: " + address + "\n");
    text.append("rpc_address: " + address + "\n");
    text.append("storage_port: " + STORAGE_PORT + "\n");
    text.append("native_transport_port: 9042\n");
    text.append("start_native_transport: false\n");
    text.append("seed_provider:\n");
    text.append("  - class_name: org.apache.cassandra.locator.SimpleSeedProvider\n");
    text.append("    parameters:\n      - seeds: \"" + address + "\"\n");
    text.append("commitlog_directory: " + directory.resolve("commitlog") + "\n");
    text.append("saved_caches_directory: " + directory.resolve("saved_caches") + "\n");
    text.append("hints_directory: " + directory.resolve("hints") + "\n");
    text.append("cdc_raw_directory: " + directory.resolve("cdc") + "\n");
    text.append("commitlog_segment_size: 8MiB\ncommitlog_total_space: 64MiB\n");
    text.append("memtable_heap_space: 48MiB\nmemtable_offheap_space: 48MiB\n");
    text.append("file_cache_size: 16MiB\nnetworking_cache_size: 16MiB\n");
    text.append("key_cache_size: 4MiB\ncounter_cache_size: 0MiB\n");
    text.append("concurrent_compactors: 1\nmemtable_flush_writers: 1\n");
    text.append("hinted_handoff_enabled: false\n");
    text.append("materialized_views_enabled: true\n");
    text.append("sstable:\n  selected_format: bti\n");
    text.append("memtable:\n  configurations:\n");
    if (!memtables.containsKey("default")) {
      text.append("    default:\n      class_name: TrieMemtable\n");
    }
    memtables.forEach((name, body) -> text.append("    " + name + ":\n" + body));
    yaml.forEach((key, value) -> text.append(key + ": " + value + "\n"));
    return text.toString();
  }

  private String logback() {
    return "<configuration><appender name=\"F\" class=\"ch.qos.logback.core.FileAppender\"><file>"
        + directory.resolve("logs/system.log")
        + "</file><encoder><pattern>%-5level [%thread] %date{ISO8601} %logger{20} - %msg%n</pattern>"
        + "</encoder></appender><root level=\"INFO\"><appender-ref ref=\"F\"/></root>"
        + "</configuration>\n";
  }
}
