/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.FamilyName;
import io.curtail.engine.store.TemporaryTables;
import io.curtail.engine.table.FlushSet;
import io.curtail.engine.table.OpenDataFiles;
import io.curtail.engine.table.TableStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.sstable.Component;
import org.apache.cassandra.io.sstable.CorruptSSTableException;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableFormat.Components;
import org.apache.cassandra.io.sstable.metadata.MetadataType;
import org.apache.cassandra.io.sstable.metadata.StatsMetadata;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data files that Cassandra 5.0 writes from a memtable such as this one to stream or validate a
 * range, and never deletes. Opened at the next start they would bring rows back whose deletion is
 * long forgotten; one that was not finished would keep the node from starting.
 *
 * <p>So each is marked, by an interval of the commit log that cannot be; and the catalog has the
 * tables for which such files were begun, since an unfinished one has no mark yet, and is in none
 * of Cassandra's transactions. Marked files of this node are deleted when nobody reads them any
 * more, unfinished ones when they are {@linkplain UnfinishedFiles given up}, and all at a start,
 * before the table's data files are opened; those that {@linkplain ReturnedFiles come back} are
 * not. Of a table that is dropped, or has left RocksDB, the note goes after the last of them: while
 * there is one, the node needs the engine to start. Thread-safe.
 */
public final class TemporaryFiles {
  private static final Logger logger = LoggerFactory.getLogger(TemporaryFiles.class);

  /** Segments of the commit log are numbered from the clock, never below zero. */
  private static final CommitLogPosition MARK = new CommitLogPosition(-50_757_274L, 7);

  private static final long PERIOD_SECONDS = 30;

  private final TemporaryTables tables;
  private final Predicate<String> isInRocks;
  private final Runnable forgotten;
  private final UnfinishedFiles unfinishedFiles = new UnfinishedFiles();
  private volatile long bytes;

  /** Files that nobody read a round ago: a writer may have finished one, not opened it yet. */
  private final Set<Descriptor> unread = new HashSet<>();

  /**
   * Begins to delete those that nobody reads.
   *
   * @param isInRocks whether a table has rows in RocksDB, of which more may be made
   * @param forgotten told when a table is none of {@code tables} any more
   */
  public TemporaryFiles(TemporaryTables tables, Predicate<String> isInRocks, Runnable forgotten) {
    this.tables = tables;
    this.isInRocks = isInRocks;
    this.forgotten = forgotten;
    ScheduledFuture<?> unused =
        ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
            this::deleteUnread, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** A range on its way into a file that is only good for now. */
  public FlushSet flushSet(
      Memtable memtable, TableStore store, PartitionPosition from, PartitionPosition to) {
    UnfinishedFiles.Writing writing = unfinishedFiles.asked(memtable.metadata());
    long partitions = 0;
    try {
      announce(memtable.metadata()); // not forgotten any more, as it was asked for
      FlushSet range = new FlushSet(memtable, store, from, to, MARK, writing);
      partitions = range.partitionCount();
      return range;
    } finally {
      writing.found(partitions);
    }
  }

  private synchronized void announce(TableMetadata metadata) {
    String table = FamilyName.table(metadata);
    if (tables.others(table) == null) {
      Set<String> others = new HashSet<>();
      files(new Directories(metadata))
          .forEach(
              (file, components) -> {
                if (!components.contains(Components.STATS)) {
                  others.add(file.baseFile().name());
                }
              });
      tables.add(table, others);
    }
  }

  /** The disk that they take, in bytes, half a minute ago or less. */
  public long bytes() {
    return bytes;
  }

  private synchronized long measure() {
    long now = 0;
    for (String table : tables.all()) {
      TableMetadata metadata = Schema.instance.getTableMetadata(new FamilyName(table, 0).id());
      if (metadata != null) {
        Set<String> others = tables.others(table);
        for (Map.Entry<Descriptor, Set<Component>> each :
            files(new Directories(metadata)).entrySet()) {
          Descriptor file = each.getKey();
          boolean isOurs = isOurs(file, each.getValue(), others, false);
          now += isOurs ? file.fileFor(Components.DATA).length() : 0;
        }
      }
    }
    return now;
  }

  /** Whether the directories of a table have some now, of those that are deleted by and by. */
  synchronized boolean areThere(TableMetadata metadata) {
    return areThere(metadata, false);
  }

  private boolean areThere(TableMetadata metadata, boolean ifUnreadable) {
    Set<String> others = tables.others(FamilyName.table(metadata));
    return others != null
        && files(new Directories(metadata)).entrySet().stream()
            .anyMatch(each -> isOurs(each.getKey(), each.getValue(), others, ifUnreadable));
  }

  /**
   * Whether a file is one of those.
   *
   * @param ifUnreadable what it is if its mark cannot be read, as while it is being ended
   */
  private static boolean isOurs(
      Descriptor file, Set<Component> components, Set<String> others, boolean ifUnreadable) {
    return components.contains(Components.STATS)
        ? isMarked(file, ifUnreadable)
        : !others.contains(file.baseFile().name());
  }

  /**
   * Deletes all of a table that may have some, before its data files are opened. Of another table a
   * marked file is one that came back, when nobody looked at what the table gets.
   */
  synchronized void deleteAtStart(TableMetadata metadata) {
    String table = FamilyName.table(metadata);
    Set<String> others = tables.others(table);
    if (others == null) {
      return;
    }
    files(new Directories(metadata))
        .forEach(
            (file, components) -> {
              if (isOurs(file, components, others, false)) {
                delete(file);
              }
            });
    tables.remove(table);
  }

  /** Deletes those that nobody reads now and a round ago. */
  public void deleteUnread() {
    if (deleteUnreadOfAll()) {
      forgotten.run();
    }
    bytes = measure();
  }

  /** Whether a table was forgotten: one that is dropped, or has left RocksDB. */
  private synchronized boolean deleteUnreadOfAll() {
    boolean isSchemaKnown = KnownSchema.isWhole();
    Set<Descriptor> before = new HashSet<>(unread);
    boolean isAnyForgotten = false;
    unread.clear();
    for (String table : tables.all()) {
      FamilyName name = new FamilyName(table, 0);
      TableMetadata metadata = Schema.instance.getTableMetadata(name.id());
      if (metadata != null) {
        deleteUnread(files(new Directories(metadata)), null, before);
        isAnyForgotten |= isSchemaKnown && isOver(table, metadata) && forget(table);
      } else if (isSchemaKnown
          && !deleteUnread(filesOfDropped(name), tables.others(table), before)) {
        isAnyForgotten |= forget(table);
      }
    }
    unfinishedFiles.forget();
    return isAnyForgotten;
  }

  /** Whether a table has none and gets none. Looked for last: who is not seen has made his file. */
  private boolean isOver(String table, TableMetadata metadata) {
    return !isInRocks.test(table)
        && !unfinishedFiles.areExpected(metadata)
        && !areThere(metadata, true);
  }

  /** Whether that could be written down; if not, as on a full disk, the next round tries again. */
  private boolean forget(String table) {
    try {
      tables.remove(table);
      return true;
    } catch (FSError | RuntimeException e) {
      logger.debug("{} is still noted as a table that may have temporary files", table, e);
      return false;
    }
  }

  /**
   * Deletes those of some files that nobody reads, and did not a round ago.
   *
   * @param others the unfinished files of a dropped table that are not ours; null if it is there
   * @return whether any of ours are left of a dropped table
   */
  private boolean deleteUnread(
      Map<Descriptor, Set<Component>> files, Set<String> others, Set<Descriptor> before) {
    boolean areAnyLeft = false;
    for (Map.Entry<Descriptor, Set<Component>> each : files.entrySet()) {
      Descriptor file = each.getKey();
      boolean isDropped = others != null;
      boolean isFinished = each.getValue().contains(Components.STATS);
      if (isDropped
          && (isFinished ? !isMarked(file, false) : others.contains(file.baseFile().name()))) {
        continue;
      }
      boolean isUnread =
          isFinished
              ? !OpenDataFiles.contains(file) && isMarked(file, false)
              : unfinishedFiles.isGivenUp(file, each.getValue(), isDropped);
      if (isUnread && before.contains(file)) {
        delete(file);
      } else {
        areAnyLeft = true;
        if (isUnread) {
          unread.add(file);
        }
      }
    }
    return areAnyLeft;
  }

  /** What is in a table's directories, but for what Cassandra's transactions know. */
  private static Map<Descriptor, Set<Component>> files(Directories directories) {
    return directories.sstableLister(Directories.OnTxnErr.IGNORE).skipTemporary(true).list();
  }

  /** The same of one that the schema does not know, where its directories are still there. */
  private static Map<Descriptor, Set<Component>> filesOfDropped(FamilyName name) {
    String[] parts = name.table.split("/", -1);
    TableMetadata metadata =
        TableMetadata.builder(parts[0], parts[1], name.id())
            .addPartitionKeyColumn("k", BytesType.instance)
            .build();
    List<Directories.DataDirectory> existing = new ArrayList<>();
    for (Directories.DataDirectory each : Directories.dataDirectories.getAllDirectories()) {
      File keyspace = new File(each.location, metadata.keyspace);
      if (new File(keyspace, metadata.name + "-" + metadata.id.toHexString()).exists()) {
        existing.add(each);
      }
    }
    return existing.isEmpty() ? Map.of() : files(new Directories(metadata, existing));
  }

  private static void delete(Descriptor file) {
    logger.info("Deleting {}, of a stream or a repair that is over", file);
    file.getFormat().delete(file);
  }

  private static boolean isMarked(Descriptor file, boolean ifUnreadable) {
    try {
      StatsMetadata stats =
          (StatsMetadata) file.getMetadataSerializer().deserialize(file, MetadataType.STATS);
      return stats == null ? ifUnreadable : isMarked(stats);
    } catch (IOException | CorruptSSTableException e) {
      logger.warn("Whether {} is of a stream cannot be read; it stays", file, e);
      return ifUnreadable;
    }
  }

  /** Whether a file with this metadata was written by this node, to be deleted. */
  static boolean isMarked(StatsMetadata stats) {
    IntervalSet<CommitLogPosition> written = stats.commitLogIntervals;
    return written.lowerBound().equals(Optional.of(MARK))
        && written.upperBound().equals(Optional.of(MARK))
        && SystemKeyspace.getLocalHostId().equals(stats.originatingHostId);
  }
}
