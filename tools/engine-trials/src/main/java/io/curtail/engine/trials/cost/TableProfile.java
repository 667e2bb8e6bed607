/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where the processor time of a case's requests goes, by samples of the stack of the thread that
 * makes them.
 *
 * @param name of the case
 * @param storage {@code trie} or {@code rocksdb}
 * @param samples how many there were
 * @param shares of each layer, 0 to 1
 */
public record TableProfile(String name, String storage, long samples, Map<Layer, Double> shares) {
  private static final String IN_TURNS = TableTurns.class.getName().replace('.', '/') + ".measure";

  public TableProfile {
    shares = Map.copyOf(shares);
  }

  /** Whose time it is: of the layers in a stack, the lowest. */
  public enum Layer {
    /** CQL, and what Cassandra does with rows, whoever keeps them. */
    REST("the rest"),

    /** A table on the stock memtable with its data files, or the engine without RocksDB. */
    TABLE("table"),

    /** Cassandra's commit log, or the engine's. */
    LOG("log"),

    /** With the merge in C. */
    ROCKSDB("RocksDB");

    private final String title;

    Layer(String title) {
      this.title = title;
    }

    /** As a reader of the results knows it. */
    public String title() {
      return title;
    }

    static Layer of(String[] frames) {
      return Arrays.stream(frames).map(Layer::ofFrame).max(Layer::compareTo).orElse(REST);
    }

    private static Layer ofFrame(String frame) {
      if (frame.contains("rocksdb")) { // a package, a namespace, a prefix or a library
        return ROCKSDB;
      } else if (frame.startsWith("io/curtail/engine/log/")
          || frame.startsWith("org/apache/cassandra/db/commitlog/")) {
        return LOG;
      }
      boolean isOfEngine =
          frame.startsWith("io/curtail/engine/") && !frame.startsWith("io/curtail/engine/trials/");
      boolean isOfStock =
          frame.startsWith("org/apache/cassandra/db/memtable/")
              || frame.startsWith("org/apache/cassandra/io/")
              || frame.startsWith("org/apache/cassandra/cache/");
      return isOfEngine || isOfStock ? TABLE : REST;
    }
  }

  /**
   * Of stacks as profilers write them, a line each: frames from the outermost on with semicolons
   * between them, a space and the number of samples. Those outside of a turn do not count.
   */
  static String count(String stacks) {
    Map<Layer, Long> samples = new EnumMap<>(Layer.class);
    for (String line : stacks.lines().toList()) {
      int end = line.lastIndexOf(' ');
      String[] frames = line.substring(0, end).split(";", -1);
      if (Arrays.asList(frames).contains(IN_TURNS)) {
        samples.merge(Layer.of(frames), Long.parseLong(line.substring(end + 1)), Long::sum);
      }
    }
    return Arrays.stream(Layer.values())
        .map(layer -> samples.getOrDefault(layer, 0L).toString())
        .collect(Collectors.joining(" "));
  }

  /**
   * From what {@link #count} counted.
   *
   * @throws IllegalStateException if there is no sample
   */
  static TableProfile of(TableCase test, String storage, String counted) {
    long[] samples = Arrays.stream(counted.split(" ")).mapToLong(Long::parseLong).toArray();
    long all = Arrays.stream(samples).sum();
    if (all == 0) {
      throw new IllegalStateException("the profiler met no request: " + test.title());
    }
    Map<Layer, Double> shares = new EnumMap<>(Layer.class);
    Layer[] layers = Layer.values();
    for (int i = 0; i < layers.length; i++) {
      shares.put(layers[i], samples[i] / (double) all);
    }
    return new TableProfile(test.title(), storage, all, shares);
  }
}
