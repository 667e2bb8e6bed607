/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import com.google.common.util.concurrent.Uninterruptibles;
import io.curtail.engine.store.Garbage;
import io.curtail.engine.table.FilesAwaited;
import io.curtail.engine.table.IngestedRows;
import io.curtail.engine.table.TableStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ThrottledUnfilteredIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.CloseableIterator;
import org.apache.cassandra.utils.Throwables;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the data files of Cassandra that a table has beside RocksDB into it, so that deletions and
 * what expires are purged again, and reads look in one place.
 *
 * <p>Rows, deletions and counters keep their timestamps, so that a file may be read together with
 * what of it is here, and be taken again after a crash. A file goes when all of it is here and on
 * the disk, and only while the rows are served from here: not after a truncation or a move. Nothing
 * is purged here before; so no deletion goes that covers a row of a file. No index or view is told,
 * for they have the rows already, in files of their own, which are taken in the same way.
 *
 * <p>For one thread.
 */
public final class Absorb {
  private static final Logger logger = LoggerFactory.getLogger(Absorb.class);

  /**
   * Cassandra ends it, as one of its own compactions, for whatever needs the files: of any type of
   * more weight, an incremental repair or a compaction that is asked for would fail until it ends.
   */
  private static final OperationType TYPE = OperationType.COMPACTION;

  /** What is written at once is about as large. */
  private static final long BATCH_BYTES = 256 << 10;

  private static final int MOST_ROWS = 500;

  /** How much goes together: for each batch with large files, all tables are flushed. */
  private static final long BATCH_FILE_BYTES = 1L << 30;

  /** How much is taken between two looks at the disk and at RocksDB's backlog. */
  private static final long CHECK_BYTES = 16 << 20;

  private static final int POLL_MILLIS = 50;

  /** A flush that failed never ends, and Cassandra tells nobody; who waits holds up all tables. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final ColumnFamilyStore table;
  private final StoredTable memtable;
  private final TableStore store;
  private final AbsorbRefusals refusals;
  private final LongConsumer told;
  private final Duration patience;

  /** When each file was seen first: an index that is built anew chooses its files unnoticed. */
  private final Map<Descriptor, Long> seenNanos = new HashMap<>();

  private long unchecked;

  private Absorb(
      ColumnFamilyStore table, StoredTable memtable, LongConsumer told, Duration patience) {
    this.table = table;
    this.memtable = memtable;
    this.store = memtable.store();
    refusals = new AbsorbRefusals(table, memtable);
    this.told = told;
    this.patience = patience;
  }

  /** Takes what a table and its legacy indexes have, as the operator's task. */
  public static long run(Tasks tasks, StoredTable memtable) {
    ColumnFamilyStore table = ColumnFamilyStore.getIfExists(memtable.metadata().id);
    if (table == null || memtable.store().isIndex) {
      throw new IllegalArgumentException(
          memtable.name() + " is no table: an index is absorbed with its table");
    }
    try (Tasks.Task task = tasks.begin("absorb", TYPE, memtable)) {
      return run(table, new Told(task, bytes(table)), PATIENCE, task::at);
    }
  }

  /** Of its data files and of those of its indexes. */
  private static long bytes(ColumnFamilyStore table) {
    long bytes = 0;
    for (ColumnFamilyStore each : table.concatWithIndexes()) {
      for (SSTableReader file : each.getLiveSSTables()) {
        bytes += file.onDiskLength();
      }
    }
    return bytes;
  }

  private static final class Told implements LongConsumer {
    private final Tasks.Task task;
    private final long whole;
    private long done;

    Told(Tasks.Task task, long whole) {
      this.task = task;
      this.whole = whole;
    }

    @Override
    public void accept(long bytes) {
      done += bytes;
      task.at(done, whole);
      task.read(bytes);
    }
  }

  /**
   * Takes what a table and its legacy indexes have.
   *
   * @param told how many bytes were read since; may make it wait, or end it with an exception
   * @return how many files were taken
   * @throws IllegalStateException that says what to do; may be done again
   */
  public static long run(ColumnFamilyStore table, LongConsumer told) {
    return run(table, told, PATIENCE);
  }

  /**
   * The same, with how long it may wait for files that others have, or that are not written yet.
   */
  public static long run(ColumnFamilyStore table, LongConsumer told, Duration patience) {
    return run(table, told, patience, each -> {});
  }

  private static long run(
      ColumnFamilyStore table, LongConsumer told, Duration patience, Consumer<StoredTable> begun) {
    long files = 0;
    for (ColumnFamilyStore each : table.concatWithIndexes()) {
      if (each.getTracker().getView().getCurrentMemtable() instanceof StoredTable) {
        StoredTable memtable = (StoredTable) each.getTracker().getView().getCurrentMemtable();
        begun.accept(memtable);
        files += new Absorb(each, memtable, told, patience).run();
      }
    }
    return files;
  }

  private long run() {
    long files = 0;
    if (isAnyLeft()) {
      refusals.refuseIfEmptied();
      refusals.refuse();
      // Not empty from now on, so that Cassandra asks before it builds an index.
      writing(store::familyToWrite);
    }
    long takenNanos = System.nanoTime();
    while (isAnyLeft()) {
      int taken = 0;
      String left = null;
      try (TakenFiles takenFiles = new TakenFiles()) {
        for (SSTableReader file : table.getLiveSSTables()) {
          String why = AbsorbRefusals.whyNot(file);
          if (why != null) {
            left = why;
            continue;
          }
          seenNanos.putIfAbsent(file.descriptor, System.nanoTime());
          taken += takenFiles.take(file);
        }
        taken += takenFiles.end();
      }
      takenNanos = taken > 0 ? System.nanoTime() : takenNanos;
      if (taken == 0 && left != null) {
        throw new IllegalStateException(left);
      }
      if (taken == 0) {
        // All that is left is being compacted, or flushed by the memtable before this.
        refuseIfWaiting(System.nanoTime() - takenNanos);
        await();
      }
      files += taken;
    }
    if (files > 0) {
      logger.info("{} data files of {} are in RocksDB now", files, memtable.name());
    }
    return files;
  }

  private void refuseIfWaiting(long nanos) {
    if (nanos <= patience.toNanos()) {
      return;
    }
    int left = table.getLiveSSTables().size();
    if (left > 0) {
      throw new IllegalStateException(
          left
              + " data files of "
              + memtable.name()
              + " are being compacted: absorb again when that has ended");
    }
    String why =
        "rows of "
            + memtable.name()
            + " that a memtable had before are still not in data files: absorb again when they are."
            + " If the log says that a flush failed, a start of the node writes them";
    // Who asks each time when there is a file asks no more.
    logger.warn("What is absorbed of {} is not all: {}", memtable.name(), why);
    throw new IllegalStateException(why);
  }

  private boolean isAnyLeft() {
    return !table.getLiveSSTables().isEmpty() || OnlyMemtable.of(table) == null;
  }

  /** Files whose rows are in RocksDB, to go together: then the log of before must have gone. */
  private final class TakenFiles implements AutoCloseable {
    private final Map<SSTableReader, LifecycleTransaction> files = new LinkedHashMap<>();
    private long bytes;
    private boolean isAnyIngested;

    /** Returns how many files have gone by it. */
    int take(SSTableReader file) {
      if (!table.getCompactionStrategyManager().isActive()) {
        return 0;
      }
      LifecycleTransaction transaction = table.getTracker().tryModify(file, TYPE);
      if (transaction == null) {
        return 0;
      }
      files.put(file, transaction);
      // Who has paused compactions has seen to it that nobody has a file, but not yet if so.
      if (!table.getCompactionStrategyManager().isActive()) {
        files.remove(file).close();
        return 0;
      }
      try {
        add(file);
      } catch (RuntimeException | Error e) {
        endWithout(file, e);
        throw e;
      }
      bytes += file.onDiskLength();
      return bytes < BATCH_FILE_BYTES ? 0 : end();
    }

    /** What is here by now must not be taken again, if it can go. */
    private void endWithout(SSTableReader file, Throwable why) {
      try {
        files.remove(file).close();
        end();
      } catch (RuntimeException | Error e) {
        why.addSuppressed(e);
      }
    }

    private void add(SSTableReader file) {
      String why = AbsorbRefusals.whyNot(file);
      if (why != null) {
        throw new IllegalStateException(why);
      }
      if (file.getMinLocalDeletionTime() != Cell.NO_DELETION_TIME) {
        store.addGarbage(Garbage.IN_ROWS);
      }
      if (IngestedRows.may(store, memtable.metadata())
          && file.uncompressedLength() >= store.database.options.ingestFromBytes) {
        ingest(file);
        isAnyIngested = true;
      } else {
        write(file);
      }
    }

    /** Returns how many files have gone. */
    int end() {
      if (files.isEmpty()) {
        return 0;
      }
      if (isAnyIngested) {
        awaitLog();
      }
      store.database.logSync.sync();
      told.accept(0);
      while (store.filesAwaited.areAny() || areNew()) {
        await();
      }
      refusals.refuseIfMoved();
      refusals.refuse();
      int count = 0;
      for (Iterator<Map.Entry<SSTableReader, LifecycleTransaction>> each =
              files.entrySet().iterator();
          each.hasNext(); ) {
        told.accept(0);
        Map.Entry<SSTableReader, LifecycleTransaction> file = each.next();
        if (!store.whileServing(() -> remove(file.getKey(), file.getValue()))) {
          throw refusals.moved();
        }
        each.remove();
        file.getValue().close();
        count++;
      }
      bytes = 0;
      isAnyIngested = false;
      return count;
    }

    private boolean areNew() {
      long now = System.nanoTime();
      return files.keySet().stream()
          .anyMatch(file -> now - seenNanos.get(file.descriptor) < FilesAwaited.GRACE_NANOS);
    }

    /** Those that have not gone stay. */
    @Override
    public void close() {
      Throwable failure = null;
      for (LifecycleTransaction file : files.values()) {
        failure = Throwables.perform(failure, file::close);
      }
      files.clear();
      Throwables.maybeFail(failure);
    }
  }

  /** What it has of the table a start would write over what came in files. */
  private void awaitLog() {
    AtomicLong released = new AtomicLong();
    writing(() -> released.set(store.database.logSync.release(store.familyToWrite().getID())));
    long begunNanos = System.nanoTime();
    while (store.database.logSync.has(released.get())) {
      if (System.nanoTime() - begunNanos > patience.toNanos()) {
        throw new IllegalStateException(
            "RocksDB has not flushed what the log has of "
                + memtable.name()
                + ": the node's log says why; absorb again when it does");
      }
      await();
    }
  }

  private void remove(SSTableReader file, LifecycleTransaction transaction) {
    refusals.refuseIfCopied();
    store.absorbed.add(file);
    transaction.obsoleteOriginals();
    transaction.finish();
  }

  private void write(SSTableReader file) {
    refusals.refuseIfNoRoom(file, 0);
    try (ISSTableScanner scanner = file.getScanner();
        CloseableIterator<UnfilteredRowIterator> parts =
            ThrottledUnfilteredIterator.throttle(scanner, rowsAtOnce(file))) {
      Reading reading = new Reading(file, scanner);
      while (parts.hasNext()) {
        try (UnfilteredRowIterator part = parts.next()) {
          write(PartitionUpdate.fromIterator(part, ColumnFilter.all(part.metadata())));
        }
        reading.tell();
      }
    }
  }

  private void write(PartitionUpdate update) {
    writing(() -> memtable.absorb(update));
  }

  /** The same by files of RocksDB: without its log, its write buffers and most of compaction. */
  private void ingest(SSTableReader file) {
    refusals.refuseIfNoRoom(file, 0);
    try (ISSTableScanner scanner = file.getScanner();
        IngestedRows rows =
            new IngestedRows(store, memtable.metadata(), this::write, new AbsorbGate())) {
      Reading reading = new Reading(file, scanner);
      while (scanner.hasNext()) {
        try (UnfilteredRowIterator partition = scanner.next()) {
          rows.add(partition, reading::tellNowAndThen);
        }
        reading.tell();
      }
      rows.ingest();
    }
  }

  private final class AbsorbGate implements IngestedRows.Gate {
    @Override
    public void await() {
      awaitCompaction();
    }

    @Override
    public void write(BooleanSupplier ingestion) {
      AtomicBoolean isDone = new AtomicBoolean();
      while (!isDone.get()) {
        writing(() -> isDone.set(ingestion.getAsBoolean()));
        if (!isDone.get()) {
          Absorb.this.await();
        }
      }
    }
  }

  /** How far a file is read. */
  private final class Reading {
    private final SSTableReader file;
    private final ISSTableScanner scanner;
    private final double diskShare;
    private long before;
    private int untold;

    Reading(SSTableReader file, ISSTableScanner scanner) {
      this.file = file;
      this.scanner = scanner;
      diskShare = (double) file.onDiskLength() / Math.max(1, file.uncompressedLength());
    }

    void tellNowAndThen() {
      if (++untold == MOST_ROWS) {
        tell();
      }
    }

    void tell() {
      untold = 0;
      long read = (long) (scanner.getCurrentPosition() * diskShare);
      told.accept(read - before);
      unchecked += read - before;
      before = read;
      if (unchecked >= CHECK_BYTES) {
        unchecked = 0;
        refusals.refuseIfNoRoom(file, read);
        awaitCompaction();
      }
    }
  }

  /** More than one, as the open end of a deleted range counts. */
  private static int rowsAtOnce(SSTableReader file) {
    long rowBytes = file.uncompressedLength() / Math.max(1, file.getTotalRows());
    return (int) Math.max(2, Math.min(MOST_ROWS, BATCH_BYTES / Math.max(1, rowBytes)));
  }

  /** As a client's write, to the memtable that this began with. */
  private void writing(Runnable write) {
    try (OpOrder.Group group = Keyspace.writeOrder.start()) {
      refusals.refuseIfMoved();
      if (!memtable.accepts(group, null)) {
        throw refusals.moved();
      }
      refusals.refuseIfCopied();
      write.run();
    }
  }

  private void awaitCompaction() {
    new AwaitedCompaction(memtable, patience).await(this::await);
  }

  private void await() {
    told.accept(0);
    refusals.refuseIfMoved();
    Uninterruptibles.sleepUninterruptibly(POLL_MILLIS, TimeUnit.MILLISECONDS);
  }
}
