/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.Family;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.table.ChangedPartitions;
import io.curtail.engine.table.FlushSet;
import io.curtail.engine.table.TableStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.DiskBoundaries;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.notifications.SSTableAddedNotification;
import org.apache.cassandra.service.ActiveRepairService;
import org.apache.cassandra.utils.Throwables;
import org.apache.cassandra.utils.concurrent.OpOrder;

/**
 * Copies a table that stays in RocksDB to Cassandra's data files, so that a move that follows has
 * only the partitions to write that {@linkplain ChangedPartitions changed} since: Cassandra gives
 * up no other table's memory and commit log while a memtable is written.
 *
 * <p>Rows are then in both places, with the same timestamps, and are read together. What changes is
 * noted from before the first row is read, once writes that do not note it have ended; and nothing
 * is purged here from then on, so what is deleted meanwhile does not rise by the copy. When half of
 * what may be noted has changed, it is copied in between, to a file of its own. The copy claims no
 * part of the commit log. It joins the table only while the rows are still served from here: not
 * after a truncation. A process that dies keeps RocksDB, with or without the copy.
 */
public final class CopyOut {
  /** Takes a collection since some release of Cassandra 5.0, and an iterable before. */
  private static final Method ADD_FILES =
      Arrays.stream(Tracker.class.getMethods())
          .filter(method -> method.getName().equals("addInitialSSTables"))
          .findFirst()
          .orElseThrow();

  private final ColumnFamilyStore table;
  private final StoredTable memtable;
  private final TableStore store;
  private final ObjLongConsumer<Token> told;
  private final int mostChanges;
  private ChangedPartitions since;
  private byte[] first;
  private long copied;
  private long bytes;
  private boolean isOnTheDisk;

  private CopyOut(
      ColumnFamilyStore table, StoredTable memtable, ObjLongConsumer<Token> told, int mostChanges) {
    this.table = table;
    this.memtable = memtable;
    this.store = memtable.store();
    this.told = told;
    this.mostChanges = mostChanges;
  }

  /**
   * Copies a table and its legacy indexes as an operator's task.
   *
   * @throws IllegalStateException as of the other, and if there is no room; may be done again
   */
  public static long run(Tasks tasks, StoredTable memtable) {
    ColumnFamilyStore table = ColumnFamilyStore.getIfExists(memtable.metadata().id);
    if (table == null || memtable.store().isIndex) {
      throw new IllegalArgumentException(memtable.name() + " is no table that is copied by itself");
    }
    try (Tasks.Task task = tasks.begin(OperationType.WRITE, memtable)) {
      DataFileRoom room = new DataFileRoom(table);
      room.checkCopy();
      ObjLongConsumer<Token> telling = telling(task);
      return run(
          table,
          (at, more) -> {
            room.taken(more);
            telling.accept(at, more);
          });
    }
  }

  /**
   * Copies a table and its legacy indexes, or, if it was copied before, what changed since.
   *
   * @param told where it is and how many bytes it has written since; may make it wait
   * @return how many partitions were copied
   * @throws IllegalStateException if the table is altered, emptied or dropped meanwhile, if too
   *     much of it changes, or it shall end; may be done again
   */
  public static long run(ColumnFamilyStore table, ObjLongConsumer<Token> told) {
    return run(table, told, ChangedPartitions.MOST);
  }

  /**
   * The same.
   *
   * @param mostChanges how many partitions that change meanwhile are noted, at least 2
   */
  public static long run(ColumnFamilyStore table, ObjLongConsumer<Token> told, int mostChanges) {
    long copied = 0;
    for (ColumnFamilyStore each : table.concatWithIndexes()) {
      if (each.getTracker().getView().getCurrentMemtable() instanceof StoredTable) {
        StoredTable memtable = (StoredTable) each.getTracker().getView().getCurrentMemtable();
        copied += new CopyOut(each, memtable, told, mostChanges).run();
      }
    }
    return copied;
  }

  /** Shows an operator how far it is, and keeps to what Cassandra's compactions may. */
  static ObjLongConsumer<Token> telling(Tasks.Task task) {
    return (token, bytes) -> {
      if (token instanceof LongToken) { // not of an index
        task.at(token);
      }
      task.read(bytes);
    };
  }

  private long run() {
    ChangedPartitions before = store.changes();
    try (Family.Use use = store.use()) {
      noteAnew();
      boolean wasCopied = before != null && before.areAllBesideTheCopy();
      if (use != null) {
        copy(wasCopied ? before : null, true);
      }
      if (copied == 0 && !wasCopied) {
        store.noteChanges(null);
      }
      return copied;
    } catch (RuntimeException | Error e) {
      // Files that could not join the table do so at the next start: still nothing may be purged.
      if (!isOnTheDisk) {
        store.noteChanges(null);
      }
      throw e;
    }
  }

  /** Of each write that this returns after, or that begins later. */
  private void noteAnew() {
    since = new ChangedPartitions(mostChanges);
    store.noteChanges(since);
    OpOrder.Barrier barrier = Keyspace.writeOrder.newBarrier();
    barrier.issue();
    barrier.await();
  }

  /**
   * Copies these partitions, or all.
   *
   * @param isLast whether the copy is whole then
   */
  private void copy(ChangedPartitions only, boolean isLast) {
    List<SSTableMultiWriter> writers = new ArrayList<>();
    try (LifecycleTransaction files = LifecycleTransaction.offline(OperationType.WRITE)) {
      try {
        DiskBoundaries disks = table.getDiskBoundaries();
        if (disks.positions == null) {
          write(new FlushSet(memtable, store, null, null, only), null, files, writers, isLast);
        } else {
          PartitionPosition from = table.getPartitioner().getMinimumToken().minKeyBound();
          for (int i = 0; i < disks.positions.size(); i++) {
            PartitionPosition to = disks.positions.get(i);
            FlushSet part = new FlushSet(memtable, store, from, to, only);
            write(part, disks.directories.get(i), files, writers, isLast);
            from = to;
          }
        }
        // What is in the files is not to be lost here, or rows would outlive their index entries.
        store.database.logSync.sync();
        if (!store.whileServing(() -> add(files, writers, isLast))) {
          throw moved();
        }
      } catch (RuntimeException | Error e) {
        Throwable failure = e;
        for (SSTableMultiWriter writer : writers) {
          failure = writer.abort(failure);
        }
        throw Throwables.throwAsUncheckedException(failure);
      }
    }
  }

  private IllegalStateException moved() {
    return new IllegalStateException(
        memtable.name() + " was altered, emptied or dropped meanwhile");
  }

  private void refuseIfFull(ChangedPartitions changed) {
    if (changed.isFull()) {
      throw new IllegalStateException(
          memtable.name() + ": too many partitions change meanwhile; the copy is given up");
    }
  }

  private void write(
      FlushSet part,
      Directories.DataDirectory disk,
      LifecycleTransaction files,
      List<SSTableMultiWriter> writers,
      boolean isLast) {
    SSTableMultiWriter writer = writer(part, disk, files);
    writers.add(writer);
    long written = 0;
    for (Partition partition : part) {
      if (store.state() != GenerationState.SERVING) {
        throw moved();
      }
      refuseIfFull(since);
      try (UnfilteredRowIterator rows = partition.unfilteredIterator()) {
        if (rows.isEmpty()) {
          continue;
        }
        if (copied++ == 0) {
          first = store.keys.encode(partition.partitionKey());
        }
        writer.append(rows);
      }
      long more = writer.getBytesWritten() - written;
      written += more;
      bytes += more;
      told.accept(partition.partitionKey().getToken(), more);
      if (isLast && since.isHalfFull()) {
        ChangedPartitions changed = since;
        noteAnew();
        refuseIfFull(changed); // of what came after, nothing was noted
        copy(changed, false);
      }
    }
  }

  private SSTableMultiWriter writer(
      FlushSet part, Directories.DataDirectory disk, LifecycleTransaction files) {
    SSTableFormat<?, ?> format = DatabaseDescriptor.getSelectedSSTableFormat();
    Directories directories = table.getDirectories();
    Descriptor file =
        table.newSSTableDescriptor(
            disk == null
                ? directories.getWriteableLocationAsFile(
                    format.getWriterFactory().estimateSize(part))
                : directories.getLocationForDisk(disk),
            format);
    return table.createSSTableMultiWriter(
        file,
        part.partitionCount(),
        ActiveRepairService.UNREPAIRED_SSTABLE,
        ActiveRepairService.NO_PENDING_REPAIR,
        false,
        IntervalSet.<CommitLogPosition>empty(),
        new SerializationHeader(true, part.metadata(), part.columns(), part.encodingStats()),
        files);
  }

  private void add(LifecycleTransaction files, List<SSTableMultiWriter> writers, boolean isLast) {
    for (SSTableMultiWriter writer : List.copyOf(writers)) {
      if (writer.getBytesWritten() > 0) {
        writer.setOpenResult(true).prepareToCommit();
      } else {
        Throwables.maybeFail(writer.abort(null));
        writers.remove(writer);
      }
    }
    files.prepareToCommit();
    isOnTheDisk = true;
    Throwable failure = null;
    for (SSTableMultiWriter writer : writers) {
      failure = writer.commit(failure);
    }
    Throwables.maybeFail(files.commit(failure));
    List<SSTableReader> added = new ArrayList<>();
    writers.forEach(writer -> added.addAll(writer.finished()));
    writers.clear();
    if (!added.isEmpty()) {
      join(added);
    }
    if (isLast) {
      if (first != null) {
        // A move that has no row to write would leave it open whether it has ended.
        since.add(first);
      }
      since.copied(copied == 0 ? 0 : bytes / copied);
    }
  }

  /**
   * As Cassandra adds files of a stream, but that no index is built from them: the entries of their
   * rows are where they were. A build would wait for a lock that a flush or a truncation of the
   * table holds, which waits for this.
   */
  private void join(List<SSTableReader> added) {
    Tracker tracker = table.getTracker();
    try {
      ADD_FILES.invoke(tracker, added);
    } catch (InvocationTargetException e) {
      throw Throwables.unchecked(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e); // it is public
    }
    tracker.maybeIncrementallyBackup(added);
    table
        .getCompactionStrategyManager()
        .handleNotification(new SSTableAddedNotification(added, null), tracker);
    CompactionManager.instance.submitBackground(table);
  }
}
