/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.compare;

import io.curtail.engine.store.Database;
import io.curtail.engine.store.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A second life of a table in RocksDB, in which nobody's rows are at stake: it has what was written
 * since it began, and is compared with what Cassandra makes of the same writes.
 *
 * <p>A write that Cassandra has taken is handed over and never waited for. What does not keep up is
 * left out, on both sides of a comparison. Errors are counted; after {@link #MOST_ERRORS} there is
 * no shadow until the table has another memtable configuration, is truncated, or the node starts
 * again. It begins anew, empty, after those, when the table's columns change, and when it has taken
 * what it may of the disk.
 *
 * <p>Thread-safe.
 */
public final class Shadow {
  static final int MOST_ERRORS = 10;

  /** Differing partitions that the log names. */
  static final int MOST_NAMED = 100;

  private static final Logger logger = LoggerFactory.getLogger(Shadow.class);

  public final ShadowOptions options;

  /** The table of Cassandra. */
  public final ColumnFamilyStore table;

  private final TableMetadataRef metadata;
  private final Host host;
  private final Executor writers;
  private final AtomicLong queuedBytes = new AtomicLong();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong skipped = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final AtomicLong differences = new AtomicLong();
  private final RecentTimes writes = new RecentTimes();
  private final RecentTimes rocksReads = new RecentTimes();
  private final RecentTimes stockReads = new RecentTimes();

  private volatile Life life;
  private volatile String off;
  private volatile long comparedAtNanos;
  private boolean isRetired;

  /** What begins anew. */
  static final class Life {
    final ShadowStore store;
    final ShadowSample sample;

    Life(ShadowStore store, ShadowSample sample) {
      this.store = store;
      this.sample = sample;
    }
  }

  /** Who knows memtable configurations. Thread-safe. */
  public interface Host {
    /** Whether tables with memtables of this factory are to be compared. */
    boolean isCompared(Memtable.Factory memtables);

    /**
     * The node's RocksDB, opened if it is not yet.
     *
     * @param configuration of the engine, in {@code cassandra.yaml}
     * @throws RuntimeException that says why, if it cannot be opened
     */
    Database open(String configuration);
  }

  /**
   * @param writers where writes to RocksDB are done
   */
  Shadow(
      ColumnFamilyStore table,
      TableMetadataRef metadata,
      ShadowOptions options,
      Host host,
      Executor writers) {
    this.host = host;
    this.table = table;
    this.metadata = metadata;
    this.options = options;
    this.writers = writers;
  }

  /** As {@code keyspace.table}. */
  public String name() {
    return metadata.keyspace + "." + metadata.name;
  }

  /** Hands over a write that Cassandra has taken. Does not wait, throws nothing. */
  void offer(PartitionUpdate update) {
    Life now = life;
    if (now == null) {
      return;
    }
    try {
      long size = update.unsharedHeapSize();
      if (queuedBytes.addAndGet(size) > options.memoryBytes / 2) {
        queuedBytes.addAndGet(-size);
        skipped.incrementAndGet();
        return;
      }
      writers.execute(() -> write(now, update, size));
    } catch (Throwable t) {
      failed(t);
    }
  }

  private void write(Life now, PartitionUpdate update, long size) {
    try (Family.Use use = life == now ? now.store.use() : null) {
      if (use != null) {
        long start = System.nanoTime();
        now.sample.write(update);
        writes.since(start);
        written.incrementAndGet();
      }
    } catch (Throwable t) {
      if (life == now) {
        failed(t);
      }
    } finally {
      queuedBytes.addAndGet(-size);
    }
  }

  /** Counts an error, tells of the first, and ends after too many. */
  void failed(Throwable error) {
    long count = errors.incrementAndGet();
    if (count == 1) {
      logger.warn("{} is not affected, but what it is compared with failed", name(), error);
    }
    if (count >= MOST_ERRORS) {
      end(count + " errors, the last: " + error);
    }
  }

  /** Ends for good: nothing is written to RocksDB or compared until somebody intervenes. */
  void end(String why) {
    synchronized (this) {
      if (off != null) {
        return;
      }
      off = why;
    }
    logger.error("{} is not compared with RocksDB any more: {}", name(), why);
    close();
  }

  /** Gives up what is in RocksDB, soon; begins anew with the next {@link #look}. */
  void close() {
    Life last = stop();
    if (last != null) {
      writers.execute(() -> drop(last));
    }
  }

  /** Gives up what is in RocksDB, and never begins again. */
  void retire() {
    synchronized (this) {
      isRetired = true;
    }
    close();
  }

  /** Takes no more writes. */
  synchronized Life stop() {
    Life last = life;
    life = null;
    return last;
  }

  private void drop(Life last) {
    try {
      last.store.drop();
    } catch (Throwable t) {
      logger.warn("What {} was compared with stays until the node starts again", name(), t);
    }
  }

  /** The table's memtable may be replaced, for a reason. Throws nothing. */
  void flushed(ColumnFamilyStore.FlushReason reason) {
    try {
      if (reason == ColumnFamilyStore.FlushReason.TRUNCATE) {
        close();
        synchronized (this) {
          off = null;
          errors.set(0);
        }
      } else if (reason == ColumnFamilyStore.FlushReason.DROP || !isWanted()) {
        Shadows.NODE.remove(this);
      }
    } catch (Throwable t) {
      failed(t);
    }
  }

  private boolean isWanted() {
    return table.isValid() && host.isCompared(metadata.get().params.memtable.factory());
  }

  /** The table may have other columns now, under which what is in RocksDB cannot be read. */
  void metadataUpdated() {
    Life now = life;
    if (now != null && !hasSameColumns(now.store.metadata, metadata.get())) {
      close();
    }
  }

  private static boolean hasSameColumns(TableMetadata before, TableMetadata after) {
    return before.regularAndStaticColumns().equals(after.regularAndStaticColumns())
        && before.partitionKeyColumns().equals(after.partitionKeyColumns())
        && before.clusteringColumns().equals(after.clusteringColumns())
        && before.droppedColumns.equals(after.droppedColumns);
  }

  /** Begins if it can, and compares when it is time; by one thread, again and again. */
  void look() {
    try {
      if (!isWanted()) {
        Shadows.NODE.remove(this);
        return;
      }
      metadataUpdated();
      Life now = life;
      if (now == null && off == null) {
        begin();
      } else if (now != null && isFull(now)) {
        now.sample.compareAll();
        close();
        logger.info("{} has taken what it may of RocksDB's disk, and begins anew", name());
      } else if (System.nanoTime() - comparedAtNanos > options.periodMillis * 1_000_000) {
        compare();
      }
    } catch (Throwable t) {
      failed(t);
    }
  }

  /**
   * Whether it has more than it may, or than there is left. What is deleted or expires stays, as it
   * is part of what is compared.
   */
  private boolean isFull(Life now) throws IOException {
    Path directory = Path.of(now.store.store.database.directory);
    long room = Directories.getAvailableSpaceForCompactions(Files.getFileStore(directory));
    return now.store.store.fileBytes() > Math.min(options.diskBytes, room);
  }

  private void begin() {
    Database database;
    try {
      database = host.open(options.with);
    } catch (RuntimeException | LinkageError e) {
      end(e.getMessage());
      return;
    }
    ShadowStore store = new ShadowStore(database, metadata.get());
    ShadowSample sample =
        new ShadowSample(store, options.sample, options.memoryBytes / 2, this::differs);
    comparedAtNanos = System.nanoTime();
    boolean isLate;
    synchronized (this) {
      isLate = isRetired || off != null;
      life = isLate ? null : new Life(store, sample);
    }
    if (isLate) {
      store.drop();
      return;
    }
    logger.info("{} is compared with RocksDB from now on", name());
    // They may have changed meanwhile.
    metadataUpdated();
  }

  private void differs(DecoratedKey key, String difference) {
    long count = differences.incrementAndGet();
    if (count <= MOST_NAMED) {
      logger.error(
          "RocksDB differs from Cassandra in the partition {} of {}: {}",
          metadata.get().partitionKeyType.getString(key.getKey()),
          name(),
          difference);
    }
    if (count == MOST_NAMED) {
      logger.error("{}: no more partitions that differ are named", name());
    }
  }

  /** What is in RocksDB; null if nothing. */
  ShadowStore store() {
    Life now = life;
    return now == null ? null : now.store;
  }

  /**
   * Compares all partitions that are followed now, one after the other; how many differ.
   *
   * @throws IllegalStateException if there is nothing to compare with now
   */
  public long compare() {
    Life now = life;
    if (now == null) {
      throw new IllegalStateException(
          name() + " is not compared with RocksDB: " + (off == null ? "it begins soon" : off));
    }
    for (DecoratedKey key : now.sample.keys()) {
      timeReads(now, key);
    }
    long different = now.sample.compareAll();
    comparedAtNanos = System.nanoTime();
    return different;
  }

  /** Compares one partition, by its key as CQL shows it, or begins to follow it. */
  public Answer compare(String key) {
    Life now = life;
    return now == null
        ? Answer.NOT_FOLLOWED
        : now.sample.compare(
            table.getPartitioner().decorateKey(metadata.get().partitionKeyType.fromString(key)));
  }

  /** Reads a partition here and there, as many rows as there are in RocksDB. */
  private void timeReads(Life now, DecoratedKey key) {
    long rows;
    try (Family.Use use = now.store.use()) {
      if (use == null) {
        return;
      }
      long start = System.nanoTime();
      try (UnfilteredRowIterator read = now.store.read(key)) {
        rows = drain(read, Long.MAX_VALUE);
      }
      rocksReads.since(start);
    }
    long start = System.nanoTime();
    SinglePartitionReadCommand command =
        SinglePartitionReadCommand.fullPartitionRead(
            metadata.get(), FBUtilities.nowInSeconds(), key);
    try (ReadExecutionController controller = command.executionController();
        UnfilteredRowIterator read = command.queryMemtableAndDisk(table, controller)) {
      drain(read, rows);
    }
    stockReads.since(start);
  }

  private static long drain(UnfilteredRowIterator rows, long most) {
    long count = 0;
    while (count < most && rows.hasNext()) {
      rows.next();
      count++;
    }
    return count;
  }

  /** What there is to see; the columns of {@code curtail_engine.compared}. */
  public Map<String, Object> values() {
    Life now = life;
    Map<String, Object> values = new TreeMap<>();
    values.put("state", off != null ? "off: " + off : now == null ? "begins" : "compared");
    values.put("queued_bytes", queuedBytes.get());
    values.put("written", written.get());
    values.put("skipped", skipped.get());
    values.put("errors", errors.get());
    values.put("followed", now == null ? 0L : (long) now.sample.size());
    values.put("compared", now == null ? 0L : now.sample.compared.get());
    values.put("differences", differences.get());
    writes.tell(values, "rocksdb_write");
    rocksReads.tell(values, "rocksdb_read");
    stockReads.tell(values, "cassandra_read");
    return values;
  }
}
