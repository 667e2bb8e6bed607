/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import io.curtail.engine.options.EngineOptions;
import io.curtail.engine.store.DatabaseOptions;
import io.curtail.engine.table.Level;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WriteOptions;

/**
 * Writes rows to a RocksDB with the engine's options and counts the bytes. A quarter of the sizes
 * of a node with 10 MiB of write buffer for 3.4 GB of rows: files and levels are as many. {@code
 * NodeProcess} calls it.
 */
public final class CompactionTurns {
  private static final int ROW_BYTES = 5_700;
  private static final int ROUNDS = 2;
  private static final int SAMPLE_EACH = 500;

  private static final Map<String, String> PARAMETERS =
      Map.of(
          "write_buffers", "16MiB",
          "write_buffer", "2800KiB",
          "block_cache", "64MiB",
          "compression", "none",
          "compaction_throughput", "1024GiB/s",
          "merge", "java",
          "cf_options", "max_bytes_for_level_base=67108864;target_file_size_base=16777216");

  private final RocksDB database;
  private final Path directory;
  private final boolean isUniversal;
  private final Statistics statistics;
  private final WriteOptions writing = new WriteOptions().setDisableWAL(true);
  private final Random random = new Random(1);
  private final byte[] row = new byte[ROW_BYTES];
  private final int rows;
  private long mostBytes;

  private CompactionTurns(
      RocksDB database, Path directory, boolean isUniversal, Statistics statistics, int rows) {
    this.database = database;
    this.directory = directory;
    this.isUniversal = isUniversal;
    this.statistics = statistics;
    this.rows = rows;
    random.nextBytes(row);
  }

  /**
   * Fills a database and writes rows anew at random, twice as many as there are.
   *
   * @return the numbers of a {@link CompactionCost}
   */
  public static String measure(String directory, String compaction, String rows) throws Exception {
    RocksDB.loadLibrary();
    Map<String, String> parameters = new HashMap<>(PARAMETERS);
    parameters.put("compaction", compaction);
    DatabaseOptions engine =
        new DatabaseOptions(
            EngineOptions.take(parameters),
            directory,
            Path.of(directory),
            folder -> {
              throw new IOException("not needed");
            },
            failure -> {});
    try (ColumnFamilyOptions family = engine.familyOptions("default");
        Statistics statistics = new Statistics();
        DBOptions written =
            new DBOptions()
                .setCreateIfMissing(true)
                .setMaxBackgroundJobs(2)
                .setStatistics(statistics);
        Options options = new Options(written, family);
        RocksDB database = RocksDB.open(options, directory)) {
      return new CompactionTurns(
              database,
              Path.of(directory),
              compaction.equals("universal"),
              statistics,
              Integer.parseInt(rows))
          .measure();
    }
  }

  private String measure() throws RocksDBException, InterruptedException, IOException {
    for (int i = 0; i < rows; i++) {
      write(scattered(i));
      if (i % SAMPLE_EACH == 0) {
        awaitCompactions();
      }
    }
    flush();
    double data = (double) rows * ROW_BYTES;
    long flushed = count(TickerType.FLUSH_WRITE_BYTES);
    long compacted = count(TickerType.COMPACT_WRITE_BYTES);
    double loaded = (flushed + compacted) / data;
    int samples = 0;
    double runs = 0;
    double disk = 0;
    mostBytes = 0;
    for (int i = 0; i < ROUNDS * rows; i++) {
      write(scattered(random.nextInt(rows)));
      if (i % SAMPLE_EACH == 0) {
        awaitCompactions();
        samples++;
        runs += runs();
        disk += bytesOfFiles() / data;
      }
    }
    flush();
    double anew = ROUNDS * data;
    return DoubleStream.of(
            loaded,
            (count(TickerType.FLUSH_WRITE_BYTES) - flushed) / anew,
            (count(TickerType.COMPACT_WRITE_BYTES) - compacted) / anew,
            runs / samples,
            disk / samples,
            mostBytes / data)
        .mapToObj(Double::toString)
        .collect(Collectors.joining(" "));
  }

  private void write(long key) throws RocksDBException {
    database.put(writing, ByteBuffer.allocate(Long.BYTES).putLong(key).array(), row);
  }

  /** As tokens are: neighbours in time are none in place. */
  private static long scattered(int i) {
    return i * 0x9E37_79B9_7F4A_7C15L;
  }

  /** They keep up, as they do where requests take most of the time. */
  private void awaitCompactions() throws RocksDBException, InterruptedException, IOException {
    while (areCompactionsDue()) {
      mostBytes = Math.max(mostBytes, bytesOfFiles());
      Thread.sleep(1);
    }
  }

  private boolean areCompactionsDue() throws RocksDBException {
    boolean isPending =
        isUniversal
            ? runs()
                > DatabaseOptions.UNIVERSAL_RUNS // with as many it may rest, and call it pending
            : database.getLongProperty("rocksdb.compaction-pending") > 0;
    return isPending || database.getLongProperty("rocksdb.num-running-compactions") > 0;
  }

  private void flush() throws RocksDBException, InterruptedException, IOException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      database.flush(flush);
    }
    awaitCompactions();
  }

  private int runs() throws RocksDBException {
    int runs = filesAt(0);
    for (int level = 1; level < Level.COUNT; level++) {
      runs += filesAt(level) > 0 ? 1 : 0;
    }
    return runs;
  }

  private int filesAt(int level) throws RocksDBException {
    return Integer.parseInt(database.getProperty("rocksdb.num-files-at-level" + level));
  }

  /** Also of those that are being written, or are about to be deleted. */
  private long bytesOfFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(Path::toFile)
          .filter(file -> file.getName().endsWith(".sst"))
          .mapToLong(File::length)
          .sum();
    }
  }

  private long count(TickerType ticker) {
    return statistics.getTickerCount(ticker);
  }
}
