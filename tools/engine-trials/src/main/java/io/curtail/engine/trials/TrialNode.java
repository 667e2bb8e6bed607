/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the nodes of a trial run with.
 *
 * @param classPath this project's modules, rocksdbjni, and the jars of Cassandra; empty for the
 *     class path of this JVM
 * @param parameters of the memtable, besides those that keep the node small
 * @param isStock whether it has nothing of the engine: {@code rocksdb} and {@code default} are
 *     memtables of Cassandra
 */
public record TrialNode(List<Path> classPath, Map<String, String> parameters, boolean isStock) {
  static final String MEMTABLE = "io.curtail.engine.RocksMemtable";
  private static final String GUARDED = "io.curtail.engine.GuardedMemtable";

  /** A node with the engine. */
  public TrialNode(List<Path> classPath, Map<String, String> parameters) {
    this(classPath, parameters, false);
  }

  /** The same without the engine, to tell whose a fault is. */
  public TrialNode stock() {
    return new TrialNode(classPath, Map.of(), true);
  }

  /** The same with another parameter. */
  public TrialNode with(String name, String value) {
    Map<String, String> all = new TreeMap<>(parameters);
    all.put(name, value);
    return new TrialNode(classPath, all, isStock);
  }

  /** The same, with parameters where it has none of their names. */
  public TrialNode withDefaults(Map<String, String> defaults) {
    Map<String, String> all = new TreeMap<>(defaults);
    all.putAll(parameters);
    return new TrialNode(classPath, all, isStock);
  }

  /** A node's settings, to start it with. */
  public NodeSettings settings(Path directory) {
    Map<String, String> all = new TreeMap<>();
    all.put("block_cache", "16MiB");
    all.put("write_buffers", "16MiB");
    all.put("write_buffer", "4MiB");
    all.put("max_log_size", "16MiB");
    all.put("sweep_period", "30d");
    all.put("ingest_from", "8KiB");
    all.putAll(parameters);
    NodeSettings settings = new NodeSettings(directory);
    if (!classPath.isEmpty()) {
      settings.classPath(classPath);
    }
    if (isStock) {
      settings
          .memtable("default", "SkipListMemtable", Map.of())
          .memtable("rocksdb", "TrieMemtable", Map.of());
    } else {
      settings
          .memtable("trie", "TrieMemtable", Map.of())
          .memtable("default", GUARDED, Map.of("configuration", "trie"))
          .memtable("rocksdb", MEMTABLE, all);
    }
    return settings.yaml("auto_snapshot", "false").yaml("disk_failure_policy", "best_effort");
  }

  /** Starts it. */
  public NodeProcess start(Path directory) throws IOException {
    return NodeProcess.start(archived(directory, directory));
  }

  /**
   * Its nodes start faster; not with the class path of this JVM, which may have directories.
   *
   * @param sibling beside which the archive of classes is
   */
  public NodeSettings archived(Path directory, Path sibling) {
    return classPath.isEmpty()
        ? settings(directory)
        : settings(directory).classArchive(sibling.resolveSibling("classes.jsa"));
  }

  /**
   * Starts a node whose wall clock stands at a moment, and which writes its schema only when {@link
   * NodeCommands#makeDurable} asks: a quarter of a trial's time else.
   */
  public NodeProcess start(Path directory, NodeTime time) throws IOException {
    NodeSettings settings =
        archived(directory, directory)
            .clock(time.seconds())
            .property("cassandra.unsafesystem", "true");
    return NodeProcess.start(settings);
  }
}
