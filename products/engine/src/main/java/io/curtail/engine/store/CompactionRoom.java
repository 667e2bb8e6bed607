/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.utils.NoSpamLogger;
import org.rocksdb.Env;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileManager;
import org.rocksdb.Statistics;
import org.rocksdb.Status;
import org.rocksdb.TickerType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps RocksDB from compactions for which the disk has no room, as Cassandra keeps its own: one
 * would fill the disk for all that is on it, fail, and have {@code disk_failure_policy} act. What
 * does not fit is tried again each second; flushes are not limited.
 *
 * <p>RocksDB begins a compaction if its files, with all that running ones have reserved and a
 * buffer, stay below the most that all files may be (RocksDB, {@code
 * file/sst_file_manager_impl.cc}). What fails once that most is reached are flushes, so here it is
 * out of reach, and the buffer is what it has beyond the files and the room. Thread-safe.
 */
public final class CompactionRoom {
  private static final Logger logger = LoggerFactory.getLogger(CompactionRoom.class);
  private static final long PERIOD_SECONDS = 5;
  private static final long MOST_BYTES = 1L << 60;

  final SstFileManager files;
  private final String directory;
  private final Statistics statistics;
  private final BooleanSupplier isStopped;
  private long cancelled;

  /**
   * One that lets none begin until it is told to look: RocksDB would while it is being opened.
   *
   * @param directory of the database
   * @param isStopped whether a compaction has met a full disk, since when RocksDB looks itself for
   *     twice as much room as one reads, beside the buffer
   */
  CompactionRoom(String directory, Statistics statistics, BooleanSupplier isStopped) {
    this.directory = directory;
    this.statistics = statistics;
    this.isStopped = isStopped;
    try {
      files = new SstFileManager(Env.getDefault());
    } catch (RocksDBException e) {
      throw new ConfigurationException("rocksdb memtable: RocksDB cannot count its files", e);
    }
    files.setMaxAllowedSpaceUsage(MOST_BYTES);
    files.setCompactionBufferSize(MOST_BYTES);
  }

  /** Whether a compaction that somebody waits for was left out because it has no room. */
  public static boolean isShort(RocksDBException e) {
    // RocksDB's Java has no name for it.
    return e.getStatus() != null && e.getStatus().getCode() == Status.Code.Undefined;
  }

  /**
   * Looks again and again from now on; once.
   *
   * @param told how much room there is, each time, in bytes
   */
  void start(RocksDB database, LongConsumer told) {
    ScheduledFuture<?> unused =
        ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
            () -> look(database, told), PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** RocksDB does not look itself any more: none begins until it was told how much there is. */
  synchronized void recovered() {
    files.setCompactionBufferSize(MOST_BYTES);
  }

  /** Looks how much room there is, less what Cassandra keeps free of compactions. */
  public void look(RocksDB database) {
    look(database, room -> {});
  }

  private void look(RocksDB database, LongConsumer told) {
    try {
      told.accept(look(database, Directories.getAvailableSpaceForCompactions(disk())));
    } catch (IOException | RocksDBException | RuntimeException e) { // the timer would end with it
      limitNothing();
      NoSpamLogger.log(
          logger, NoSpamLogger.Level.WARN, 10, TimeUnit.MINUTES, "Room of {}: {}", directory, e);
    }
  }

  /** Where nobody knows how much room there is: none would ever begin. */
  private synchronized void limitNothing() {
    files.setCompactionBufferSize(0);
  }

  private FileStore disk() throws IOException {
    return Files.getFileStore(Path.of(directory));
  }

  /**
   * Takes what is told for the room that there is.
   *
   * @param bytes that compactions may add to the disk from now on
   * @return how much they may take of it, with what running ones have taken
   */
  public synchronized long look(RocksDB database, long bytes) throws RocksDBException {
    long all = files.getTotalSize();
    // What running ones have written is in their reserve, too; what they replaced may wait for
    // them.
    long inUse = database.getAggregatedLongProperty("rocksdb.total-sst-files-size");
    long obsolete = database.getLongProperty("rocksdb.obsolete-sst-files-size");
    long written = Math.max(0, all - inUse - obsolete);
    boolean isRunning = database.getLongProperty("rocksdb.num-running-compactions") > 0;
    // A file system without an end has more than can be counted.
    long room = Math.min(Math.max(0, bytes), MOST_BYTES / 2) + (isRunning ? written : 0);
    files.setCompactionBufferSize(isStopped.getAsBoolean() ? 0 : MOST_BYTES - all - room);
    long now = statistics.getTickerCount(TickerType.COMPACTION_CANCELLED);
    if (now > cancelled) {
      cancelled = now;
      NoSpamLogger.log(
          logger,
          NoSpamLogger.Level.WARN,
          10,
          TimeUnit.MINUTES,
          "A compaction of RocksDB needs more room than the {} MiB that compactions may use of the"
              + " disk of {}, and waits: make room, or reads become slower and what is deleted"
              + " stays",
          bytes >> 20,
          directory);
    }
    return room;
  }
}
