/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import io.curtail.engine.options.EngineOptions;
import io.curtail.engine.store.DatabaseOptions;
import io.curtail.engine.store.Families;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.store.Level;
import io.curtail.engine.store.MergeRoom;
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
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;
import org.rocksdb.WriteOptions;

/**
 * Writes rows to a RocksDB with the engine's options and counts the bytes. A quarter of the sizes
 * of a node with 32 MiB of write buffer for 3.4 GB of rows: files and levels are as many. {@code
 * NodeProcess} calls it.
 */
public final class CompactionTurns {
  private static final int ROW_BYTES = 5_700;
  private static final int ROUNDS = 2;
  private static final int SAMPLE_EACH = 500;

  private static final Map<String, String> PARAMETERS =
      Map.of(
          "write_buffers", "8MiB",
          "write_buffer", "8MiB",
          "block_cache", "64MiB",
          "compression", "none",
          "compaction_throughput", "1024GiB/s",
          "merge", "java",
          "cf_options", "max_bytes_for_level_base=67108864;target_file_size_base=16777216");

  private static final long MUCH_ROOM = 1L << 40;

  private final DatabaseOptions settings;
  private final RocksDB database;
  private final Families families;
  private final Family.Use use;
  private final ColumnFamilyHandle table;
  private final Path directory;
  private final boolean isUniversal;
  private final long diskBytes;
  private final MergeRoom merges;
  private final WriteOptions writing = new WriteOptions().setDisableWAL(true);
  private final Random random = new Random(1);
  private final byte[] row = new byte[ROW_BYTES];
  private final int rows;
  private long mostBytes;

  private CompactionTurns(
      DatabaseOptions settings, Families families, Path directory, int rows, double room) {
    this.settings = settings;
    database = families.database();
    this.families = families;
    use = families.create(FamilyName.ofCopy().toString()).use();
    table = use.handle;
    merges = new MergeRoom(families, 0);
    isUniversal = settings.isUniversal();
    this.directory = directory;
    diskBytes = room == 0 ? MUCH_ROOM : (long) (room * rows * ROW_BYTES);
    this.rows = rows;
    random.nextBytes(row);
  }

  /**
   * Fills a database and writes rows anew at random, twice as many as there are.
   *
   * @return the numbers of a {@link CompactionCost}
   */
  public static String measure(String directory, String compaction, String rows, String room)
      throws Exception {
    RocksDB.loadLibrary();
    Map<String, String> parameters = new HashMap<>(PARAMETERS);
    parameters.put("compaction", compaction);
    DatabaseOptions settings =
        new DatabaseOptions(
            EngineOptions.take(parameters),
            directory,
            Path.of(directory),
            folder -> {
              throw new IOException("not needed");
            },
            failure -> {});
    Families families = new Families(settings, directory, false);
    try {
      return new CompactionTurns(
              settings,
              families,
              Path.of(directory),
              Integer.parseInt(rows),
              Double.parseDouble(room))
          .measure();
    } finally {
      families.database().close();
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
            mostBytes / data,
            (double) count(TickerType.COMPACTION_CANCELLED))
        .mapToObj(Double::toString)
        .collect(Collectors.joining(" "));
  }

  private void write(long key) throws RocksDBException {
    database.put(table, writing, ByteBuffer.allocate(Long.BYTES).putLong(key).array(), row);
  }

  /** As tokens are: neighbours in time are none in place. */
  private static long scattered(int i) {
    return i * 0x9E37_79B9_7F4A_7C15L;
  }

  /** They keep up, as they do where requests take most of the time. */
  private void awaitCompactions() throws RocksDBException, InterruptedException, IOException {
    lookForRoom();
    while (areCompactionsDue() && count(TickerType.COMPACTION_CANCELLED) == 0) {
      mostBytes = Math.max(mostBytes, bytesOfFiles());
      Thread.sleep(1);
    }
    lookForRoom();
  }

  /** As a node does each five seconds. */
  private void lookForRoom() throws RocksDBException, IOException {
    long bytes = bytesOfFiles();
    mostBytes = Math.max(mostBytes, bytes);
    long room = settings.compactionRoom.look(database, diskBytes - bytes);
    if (isUniversal) {
      merges.look(room);
    }
  }

  private boolean areCompactionsDue() throws RocksDBException {
    boolean isPending =
        isUniversal
            ? runs()
                > DatabaseOptions.UNIVERSAL_RUNS // with as many it may rest, and call it pending
            : database.getLongProperty(table, "rocksdb.compaction-pending") > 0;
    return isPending || database.getLongProperty("rocksdb.num-running-compactions") > 0;
  }

  private void flush() throws RocksDBException, InterruptedException, IOException {
    families.flush(use);
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
    return Integer.parseInt(database.getProperty(table, "rocksdb.num-files-at-level" + level));
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
    return settings.statistics.getTickerCount(ticker);
  }
}
