/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.log.SyncMode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The parameters of a memtable configuration in {@code cassandra.yaml}, read and checked. The page
 * {@code docs/engine/configure.md} describes each.
 *
 * <p>All but {@code skip_commitlog} are settings of the one RocksDB of the node, so configurations
 * must agree on them. Immutable.
 */
final class EngineOptions {
  private static final Set<String> COMPRESSIONS =
      new TreeSet<>(List.of("none", "snappy", "lz4", "zstd"));

  final String path;
  final SyncMode sync;
  final long syncPeriodMillis;
  final boolean skipCommitLog;
  final long blockCacheBytes;
  final long writeBuffersBytes;
  final long writeBufferBytes;
  final long logBytes;
  final long blockBytes;
  final String compression;
  final int bloomBits;
  final int compactionThreads;
  final long compactionThroughputBytesPerSecond;

  /** Whether Cassandra's own setting counts in its place. */
  final boolean followsCompactionThroughput;

  final long warnLevel0Files;
  final long sweepPeriodMillis;
  final long sweepBytesPerSecond;

  /** Whether Cassandra's data files beside a table are taken in by themselves. */
  final boolean absorb;

  final MergeMode merge;
  final Map<String, String> databaseOptions;
  final Map<String, String> columnFamilyOptions;

  private final Map<String, String> given;

  /** Who reconciles writes. */
  enum MergeMode {
    /** The C library if it loads, else Java. */
    AUTO,
    /** Java, reading before each write. */
    JAVA,
    /** The C library; the node does not start without it. */
    NATIVE
  }

  /**
   * Takes the options out of the map.
   *
   * @throws ConfigurationException if one is unknown, or has a value that it cannot have
   */
  static EngineOptions take(Map<String, String> parameters) {
    Reader reader = new Reader(parameters);
    EngineOptions options = new EngineOptions(reader);
    reader.refuseTheRest();
    return options;
  }

  private EngineOptions(Reader in) {
    given = new HashMap<>(in.parameters);
    path = in.text("path", "");
    sync = in.oneOf("sync", SyncMode.class, SyncMode.PERIODIC);
    syncPeriodMillis =
        in.duration("sync_period", sync == SyncMode.GROUP ? "10ms" : "1s", 1, 60_000);
    if (sync == SyncMode.BATCH && given.containsKey("sync_period")) {
      throw in.refusal("sync_period", "cannot be set with sync: batch, which has no period");
    }
    skipCommitLog = in.flag("skip_commitlog", true);
    logBytes = in.size("max_log_size", "1GiB", 1 << 20, 1L << 40);
    blockCacheBytes =
        in.size("block_cache", () -> MemoryShares.ofProcess().blockCacheBytes, 1 << 20, 1L << 40);
    writeBuffersBytes =
        in.size(
            "write_buffers",
            () -> MemoryShares.writeBuffers(blockCacheBytes, logBytes),
            1 << 20,
            1L << 40);
    writeBufferBytes =
        in.size("write_buffer", () -> Math.min(64 << 20, writeBuffersBytes), 64 << 10, 1L << 34);
    if (writeBufferBytes > writeBuffersBytes) {
      throw in.refusal(
          "write_buffer",
          "is the share of one table and cannot be larger than write_buffers, of all tables");
    }
    blockBytes = in.size("block_size", "16KiB", 1 << 10, 1 << 22);
    compression = in.oneOf("compression", COMPRESSIONS, "lz4");
    bloomBits = (int) in.number("bloom_bits", 10, 0, 64);
    compactionThreads =
        (int)
            in.number(
                "compaction_threads",
                Math.max(2, Runtime.getRuntime().availableProcessors() / 2),
                1,
                256);
    compactionThroughputBytesPerSecond =
        in.rate("compaction_throughput", "64MiB/s", 1 << 10, 1L << 40);
    followsCompactionThroughput = !given.containsKey("compaction_throughput");
    warnLevel0Files = in.number("warn_level0_files", 40, 1, 1_000_000);
    sweepPeriodMillis = in.duration("sweep_period", "1h", 1_000, 30L * 86_400_000);
    sweepBytesPerSecond = in.rate("sweep_throughput", "16MiB/s", 1 << 10, 1L << 40);
    absorb = in.flag("absorb", false);
    merge = in.oneOf("merge", MergeMode.class, MergeMode.AUTO);
    databaseOptions = in.pairs("db_options");
    columnFamilyOptions = in.pairs("cf_options");
  }

  /** The names of the settings of the node's RocksDB on which two configurations differ. */
  Set<String> differences(EngineOptions other) {
    Set<String> names = new TreeSet<>(given.keySet());
    names.addAll(other.given.keySet());
    names.remove("skip_commitlog");
    names.removeIf(name -> Objects.equals(given.get(name), other.given.get(name)));
    return names;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EngineOptions && given.equals(((EngineOptions) other).given);
  }

  @Override
  public int hashCode() {
    return given.hashCode();
  }

  /** Reads one parameter at a time and remembers which are known. */
  static final class Reader {
    private final Map<String, String> parameters;
    private final Set<String> known = new TreeSet<>();

    Reader(Map<String, String> parameters) {
      this.parameters = parameters;
    }

    ConfigurationException refusal(String name, String why) {
      return new ConfigurationException(
          "rocksdb memtable: the parameter " + name + " " + why + " (docs/engine/configure.md)",
          false);
    }

    String text(String name, String byDefault) {
      known.add(name);
      String value = parameters.get(name);
      return value == null ? byDefault : value.trim();
    }

    boolean flag(String name, boolean byDefault) {
      String value = oneOf(name, Set.of("true", "false"), Boolean.toString(byDefault));
      return Boolean.parseBoolean(value);
    }

    long number(String name, long byDefault, long least, long most) {
      return parse(name, Long.toString(byDefault), "a number", least, most, Long::parseLong);
    }

    long size(String name, String byDefault, long least, long most) {
      return parse(
          name,
          byDefault,
          "a size such as 64MiB, in bytes",
          least,
          most,
          value -> new DataStorageSpec.LongBytesBound(value).toBytes());
    }

    long size(String name, LongSupplier byDefault, long least, long most) {
      String chosen = parameters.containsKey(name) ? "" : byDefault.getAsLong() + "B";
      return size(name, chosen, least, most);
    }

    long rate(String name, String byDefault, long least, long most) {
      return parse(
          name,
          byDefault,
          "a rate such as 64MiB/s, in bytes per second",
          least,
          most,
          value -> {
            if (!value.endsWith("/s")) {
              throw new IllegalArgumentException(value);
            }
            String size = value.substring(0, value.length() - 2);
            return new DataStorageSpec.LongBytesBound(size).toBytes();
          });
    }

    long duration(String name, String byDefault, long leastMillis, long mostMillis) {
      return parse(
          name,
          byDefault,
          "a time such as 100ms, in milliseconds",
          leastMillis,
          mostMillis,
          value -> new DurationSpec.LongMillisecondsBound(value).toMilliseconds());
    }

    private long parse(
        String name,
        String byDefault,
        String what,
        long least,
        long most,
        Function<String, Long> parser) {
      String value = text(name, byDefault);
      long number;
      try {
        number = parser.apply(value);
      } catch (RuntimeException e) {
        throw refusal(name, "is \"" + value + "\" but must be " + what);
      }
      if (number < least || number > most) {
        throw refusal(
            name, "is \"" + value + "\" but must be " + what + ", from " + least + " to " + most);
      }
      return number;
    }

    <E extends Enum<E>> E oneOf(String name, Class<E> type, E byDefault) {
      Map<String, E> values = new LinkedHashMap<>();
      for (E value : type.getEnumConstants()) {
        values.put(value.name().toLowerCase(Locale.ROOT), value);
      }
      String chosen = oneOf(name, values.keySet(), byDefault.name().toLowerCase(Locale.ROOT));
      return values.get(chosen);
    }

    String oneOf(String name, Set<String> values, String byDefault) {
      String value = text(name, byDefault).toLowerCase(Locale.ROOT);
      if (!values.contains(value)) {
        throw refusal(name, "is \"" + value + "\" but must be one of " + values);
      }
      return value;
    }

    /** {@code name=value;name=value}, as RocksDB writes its options. */
    Map<String, String> pairs(String name) {
      Map<String, String> pairs = new LinkedHashMap<>();
      for (String pair : text(name, "").split(";", -1)) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          pairs.put(pair.substring(0, equals).trim(), pair.substring(equals + 1).trim());
        } else if (!pair.isBlank()) {
          throw refusal(name, "has \"" + pair + "\" but must be name=value;name=value");
        }
      }
      return pairs;
    }

    void refuseTheRest() {
      for (String name : parameters.keySet()) {
        if (!known.contains(name)) {
          throw refusal(
              name, "is not known; known are " + Arrays.toString(known.toArray(new String[0])));
        }
      }
      parameters.clear();
    }
  }
}
