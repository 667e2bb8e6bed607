/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.table.ChangedPartitions;
import io.curtail.engine.table.TableStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves tables that were altered to another memtable to Cassandra's data files, one after another:
 * {@linkplain CopyOut copies} what a table has and then what has changed meanwhile, until a flush
 * of the rest is short. So the one thread in which Cassandra ends all flushes, of all tables, does
 * not wait for a large one.
 *
 * <p>Until that flush the table keeps its memtable and is served from RocksDB, as if it had not
 * been altered, but that Cassandra's commit log has its writes as well: {@link CommitLogRelease}
 * has it give them up. Nothing on the disk says that a table is on its way. A start finds rows here
 * of a table that has another memtable, and begins anew. What fails, as on a full disk, is tried
 * again.
 */
public final class MoveOut implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(MoveOut.class);
  private static final long PERIOD_MILLIS = 500;

  private static final long LEAST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MOST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** A copy of no more is short, however little may move at once. */
  private static final long SHORT_BYTES = 1 << 20;

  /** A table that changes as fast as it is copied is flushed with the changes that it has. */
  private static final int MOST_COPIES = 20;

  private final TableStores stores;
  private final Tasks tasks;
  private final long atOnceBytes;
  private final CommitLogRelease commitLog = new CommitLogRelease();
  private final Map<TableId, Pause> pauses = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean isClosed;

  /** After failures, until when, and what was said of it. */
  private static final class Pause {
    private long nanos = LEAST_PAUSE_NANOS;
    private long since = System.nanoTime();
    private String why = "";
  }

  /**
   * One that is not started.
   *
   * @param atOnceBytes what a table may have that is moved in one flush
   */
  public MoveOut(TableStores stores, Tasks tasks, long atOnceBytes) {
    this.stores = stores;
    this.tasks = tasks;
    this.atOnceBytes = atOnceBytes;
    thread = new Thread(this::run, "rocksdb-mover");
    thread.setDaemon(true);
  }

  /** Begins, in a thread of its own; once. */
  public void start() {
    thread.start();
  }

  /** Whether a flush of what a table and its legacy indexes have here is no longer than that. */
  public static boolean isShort(ColumnFamilyStore table, long atOnceBytes) {
    return bytes(table) <= atOnceBytes;
  }

  /**
   * Begins a move for a schema change, which must go on: what fails is tried again later.
   *
   * @return whether it has begun
   */
  public static boolean inTime(TableStore store, BooleanSupplier move) {
    try {
      return move.getAsBoolean();
    } catch (FSError e) {
      logger.warn("The rows of {} move out when RocksDB can write that down", store.table, e);
      return false;
    }
  }

  /** What is to be written of a table and its legacy indexes, at most. */
  static long bytes(ColumnFamilyStore table) {
    return stores(table).mapToLong(MoveOut::bytes).sum();
  }

  private static Stream<TableStore> stores(ColumnFamilyStore table) {
    return StreamSupport.stream(table.concatWithIndexes().spliterator(), false)
        .map(ColumnFamilyStore::getCurrentMemtable)
        .filter(StoredTable.class::isInstance)
        .map(memtable -> ((StoredTable) memtable).store());
  }

  private static long bytes(TableStore store) {
    ChangedPartitions changes = store.changes();
    return changes != null && changes.areAllBesideTheCopy()
        ? changes.bytes()
        : store.fileBytes() + store.property("rocksdb.cur-size-all-mem-tables");
  }

  /** Whether it failed last to move a table, and waits before it tries again. */
  public boolean isPaused(ColumnFamilyStore table) {
    return pauses.containsKey(table.metadata.id);
  }

  private void run() {
    while (!isOver()) {
      try {
        TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
      try {
        if (StorageService.instance.isDaemonSetupCompleted()) {
          leaving().forEach(this::moveIfDue);
        }
      } catch (Throwable t) {
        // As of a table that is dropped meanwhile: the thread lives as long as the node.
        logger.error("No table moves out now; it is tried again", t);
        JVMStabilityInspector.inspectThrowable(t);
      }
    }
  }

  /**
   * The tables, with the memtable of each, or of one of its indexes if that is all that is here.
   */
  private Map<ColumnFamilyStore, StoredTable> leaving() {
    Map<ColumnFamilyStore, StoredTable> leaving = new LinkedHashMap<>();
    for (StoredTable memtable : stores.memtables()) {
      ColumnFamilyStore table = ColumnFamilyStore.getIfExists(memtable.metadata().id);
      // A start that goes on with it deletes temporary files, but none that has come back.
      if (table != null
          && memtable.isLeaving()
          && stores.returnedFiles.tryToWatch(table.getTracker())) {
        leaving.merge(table, memtable, (one, other) -> one.store().isIndex ? other : one);
      }
    }
    return leaving;
  }

  private void moveIfDue(ColumnFamilyStore table, StoredTable memtable) {
    if (isOver()) {
      return;
    }
    Pause pause = pauses.get(table.metadata.id);
    try {
      commitLog.releaseIfDue(this::leaving);
      if (pause == null || System.nanoTime() - pause.since > pause.nanos) {
        move(table, memtable);
        pauses.remove(table.metadata.id);
      }
    } catch (IllegalStateException | FSWriteError e) {
      // Nothing is wrong with the rows, nor with the node if the disk of a copy is full.
      failed(table, memtable, e);
    } catch (Throwable t) {
      failed(table, memtable, t);
      JVMStabilityInspector.inspectThrowable(t);
    }
  }

  private void failed(ColumnFamilyStore table, StoredTable memtable, Throwable failure) {
    if (!memtable.isLeaving()) {
      pauses.remove(table.metadata.id);
      return;
    }
    Pause pause = pauses.computeIfAbsent(table.metadata.id, id -> new Pause());
    pause.since = System.nanoTime();
    pause.nanos = Math.min(MOST_PAUSE_NANOS, pause.why.isEmpty() ? pause.nanos : pause.nanos * 2);
    String why = String.valueOf(failure.getMessage());
    if (!why.equals(pause.why)) {
      logger.warn(
          "{} could not be written to Cassandra's data files: it is served from RocksDB, and tried"
              + " again",
          memtable.name(),
          failure);
    }
    pause.why = why;
  }

  private void move(ColumnFamilyStore table, StoredTable memtable) throws InterruptedException {
    if (tasks.isRunning(OperationType.WRITE, memtable)) {
      return; // an operator copies it
    }
    if (!isShort(table, atOnceBytes)) {
      copy(table, memtable);
    }
    try {
      table.forceFlush(ColumnFamilyStore.FlushReason.INTERNALLY_FORCED).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("its last flush failed", e.getCause());
    }
  }

  /** Copies until a copy is short: then a flush of what has changed since it began is, too. */
  private void copy(ColumnFamilyStore table, StoredTable memtable) {
    try (Tasks.Task task = tasks.begin(OperationType.WRITE, memtable)) {
      Copying copying = new Copying(table, memtable, task);
      int copies = 0;
      do {
        copying.room.checkCopy();
        copying.bytes = 0;
        CopyOut.run(table, copying);
        copies++;
      } while (copying.bytes > Math.max(atOnceBytes, SHORT_BYTES) && copies < MOST_COPIES);
    }
    if (stores(table).anyMatch(store -> store.changes() != null && store.changes().isFull())) {
      throw new IllegalStateException(memtable.name() + ": too many partitions change meanwhile");
    }
  }

  /** What is done between two partitions. */
  private final class Copying implements ObjLongConsumer<Token> {
    private final StoredTable memtable;
    private final ObjLongConsumer<Token> task;
    private final DataFileRoom room;
    private long bytes;

    Copying(ColumnFamilyStore table, StoredTable memtable, Tasks.Task task) {
      this.memtable = memtable;
      this.task = CopyOut.telling(task);
      room = new DataFileRoom(table);
    }

    @Override
    public void accept(Token token, long more) {
      if (isOver() || !memtable.isLeaving()) {
        throw new IllegalStateException(memtable.name() + " need not move now");
      }
      commitLog.releaseIfDue(MoveOut.this::leaving);
      room.taken(more);
      bytes += more;
      task.accept(token, more);
    }
  }

  private boolean isOver() {
    return isClosed || StorageService.instance.isDraining() || StorageService.instance.isDrained();
  }

  /** An interrupt while it writes would close the file, so there is none. */
  @Override
  public void close() {
    isClosed = true;
  }
}
