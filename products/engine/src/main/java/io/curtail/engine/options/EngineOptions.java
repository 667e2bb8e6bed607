/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.options;

import io.curtail.engine.log.SyncMode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The parameters of a memtable configuration in {@code cassandra.yaml}, read and checked. The page
 * {@code docs/engine/configure.md} describes each.
 *
 * <p>All but {@code skip_commitlog} are settings of the one RocksDB of the node, so configurations
 * must agree on them. Immutable.
 */
public final class EngineOptions {
  private static final Set<String> COMPRESSIONS =
      new TreeSet<>(List.of("none", "snappy", "lz4", "zstd"));

  private static final long MOST_PARTS = 8;
  private static final long LEAST_PART_BYTES = 1 << 20;

  /** Where RocksDB is; empty for its usual place. */
  public final String path;

  /** When a write is acknowledged. */
  public final SyncMode sync;

  /** Between two syncs of the log. */
  public final long syncPeriodMillis;

  /** Whether writes may leave out Cassandra's commit log. */
  public final boolean skipCommitLog;

  /** Of the block cache, of which write buffers and the cache of records are part. */
  public final long blockCacheBytes;

  /** Of that, for single records that are read again and again; zero for none. */
  public final long recordCacheBytes;

  /** Of the write buffers of all tables together. */
  public final long writeBuffersBytes;

  /** Of the write buffer of one table. */
  public final long writeBufferBytes;

  /** What the log may take up before it is shortened. */
  public final long logBytes;

  /** Of a block of a data file, uncompressed. */
  public final long blockBytes;

  /** Of data files: none, snappy, lz4 or zstd. */
  public final String compression;

  /** Of the filter of a data file, for each key; zero for no filter. */
  public final int bloomBits;

  /** How the data files of a table are kept in order. */
  public final Compaction compaction;

  /** For flushes and compactions. */
  public final int compactionThreads;

  /** What compactions may read. */
  public final long compactionThroughputBytesPerSecond;

  /** Whether Cassandra's own setting counts in its place. */
  public final boolean followsCompactionThroughput;

  /** Files in level 0 of a table from which on it is warned of. */
  public final long warnLevel0Files;

  /** Between two rounds of sweeps. */
  public final long sweepPeriodMillis;

  /** What sweeps may read. */
  public final long sweepBytesPerSecond;

  /** Whether Cassandra's data files beside a table are taken in by themselves. */
  public final boolean absorb;

  /**
   * Of these, what is at least so large before it is compressed becomes files of RocksDB at once.
   */
  public final long ingestFromBytes;

  /** The most that a table may have to be altered to another memtable in one flush. */
  public final long moveAtOnceBytes;

  /** Who reconciles writes. */
  public final MergeMode merge;

  /** Options of RocksDB as it names them, for the database. */
  public final Map<String, String> databaseOptions;

  /** Options of RocksDB as it names them, for each column family. */
  public final Map<String, String> columnFamilyOptions;

  private final Map<String, String> given;

  /** How the data files of a table are kept in order; may change at a start. */
  public enum Compaction {
    /** Levels, each ten times the one before: reads look into few files. */
    LEVELS,
    /**
     * Runs of like size become one, as with Cassandra's size-tiered compaction: fewer bytes are
     * written, reads look into more files, and the largest compaction needs as much room as a table
     * has.
     */
    UNIVERSAL
  }

  /** Who reconciles writes. */
  public enum MergeMode {
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
  public static EngineOptions take(Map<String, String> parameters) {
    Parameters reader = new Parameters(parameters);
    EngineOptions options = new EngineOptions(reader);
    reader.refuseTheRest();
    return options;
  }

  private EngineOptions(Parameters in) {
    given = in.given();
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
    recordCacheBytes =
        in.size("record_cache", () -> MemoryShares.recordCache(blockCacheBytes), 0, 1L << 40);
    if (recordCacheBytes > blockCacheBytes / 2) {
      throw in.refusal("record_cache", "is a part of block_cache, and can be half of it at most");
    }
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
    compaction = in.oneOf("compaction", Compaction.class, Compaction.UNIVERSAL);
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
    // Universal compaction leaves six runs where they are.
    int leastWarned = compaction == Compaction.UNIVERSAL ? 7 : 1;
    warnLevel0Files = Math.max(leastWarned, in.number("warn_level0_files", 40, 1, 1_000_000));
    sweepPeriodMillis = in.duration("sweep_period", "1h", 1_000, 30L * 86_400_000);
    sweepBytesPerSecond = in.rate("sweep_throughput", "16MiB/s", 1 << 10, 1L << 40);
    absorb = in.flag("absorb", false);
    ingestFromBytes = in.size("ingest_from", "64MiB", 1, 1L << 40);
    moveAtOnceBytes = in.size("move_at_once", "64MiB", 0, 1L << 40);
    merge = in.oneOf("merge", MergeMode.class, MergeMode.AUTO);
    databaseOptions = in.pairs("db_options");
    columnFamilyOptions = in.pairs("cf_options");
  }

  /**
   * Of how many parts the write buffer of a table is: each small enough for the processor's caches,
   * which are flushed together.
   */
  public int writeBufferParts() {
    return (int) Math.max(1, Math.min(MOST_PARTS, writeBufferBytes / LEAST_PART_BYTES));
  }

  /** The names of the settings of the node's RocksDB on which two configurations differ. */
  public Set<String> differences(EngineOptions other) {
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
}
