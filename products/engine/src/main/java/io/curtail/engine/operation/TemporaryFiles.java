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
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.io.sstable.Component;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableFormat.Components;
import org.apache.cassandra.io.sstable.metadata.MetadataType;
import org.apache.cassandra.io.sstable.metadata.StatsMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
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
 * not. Thread-safe.
 */
public final class TemporaryFiles {
  private static final Logger logger = LoggerFactory.getLogger(TemporaryFiles.class);

  /** Segments of the commit log are numbered from the clock, never below zero. */
  private static final CommitLogPosition MARK = new CommitLogPosition(-50_757_274L, 7);

  private static final long PERIOD_SECONDS = 30;

  private final TemporaryTables tables;
  private final UnfinishedFiles unfinishedFiles = new UnfinishedFiles();

  /** Files that nobody read a round ago: a writer may have finished one, not opened it yet. */
  private final Set<Descriptor> unread = new HashSet<>();

  /** Begins to delete those that nobody reads. */
  public TemporaryFiles(TemporaryTables tables) {
    this.tables = tables;
    ScheduledFuture<?> unused =
        ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
            this::deleteUnread, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** A range on its way into a file that is only good for now. */
  public FlushSet flushSet(
      Memtable memtable, TableStore store, PartitionPosition from, PartitionPosition to) {
    announce(memtable.metadata());
    return new FlushSet(
        memtable, store, from, to, MARK, unfinishedFiles.asked(memtable.metadata()));
  }

  private synchronized void announce(TableMetadata metadata) {
    String table = FamilyName.table(metadata);
    if (tables.others(table) == null) {
      Set<String> others = new HashSet<>();
      files(metadata)
          .forEach(
              (file, components) -> {
                if (!components.contains(Components.STATS)) {
                  others.add(file.baseFile().name());
                }
              });
      tables.add(table, others);
    }
  }

  /** Whether a table may have some, as of the last start or since. */
  boolean areAny(TableMetadata metadata) {
    return tables.others(FamilyName.table(metadata)) != null;
  }

  /** Deletes all of a table before its data files are opened. */
  synchronized void deleteAtStart(TableMetadata metadata) {
    String table = FamilyName.table(metadata);
    Set<String> others = tables.others(table);
    files(metadata)
        .forEach(
            (file, components) -> {
              boolean isUnfinished = !components.contains(Components.STATS);
              if (isUnfinished
                  ? others != null && !others.contains(file.baseFile().name())
                  : isMarked(file)) {
                delete(file);
              }
            });
    tables.remove(table);
  }

  /** Deletes those that nobody reads now and a round ago. */
  public synchronized void deleteUnread() {
    Set<Descriptor> before = new HashSet<>(unread);
    unread.clear();
    for (String table : tables.all()) {
      TableMetadata metadata =
          Schema.instance.getTableMetadata(
              TableId.fromString(table.substring(table.lastIndexOf('/') + 1)));
      if (metadata == null) {
        continue;
      }
      files(metadata)
          .forEach(
              (file, components) -> {
                boolean isUnread =
                    components.contains(Components.STATS)
                        ? !OpenDataFiles.contains(file) && isMarked(file)
                        : unfinishedFiles.isGivenUp(file, components);
                if (isUnread && before.contains(file)) {
                  delete(file);
                } else if (isUnread) {
                  unread.add(file);
                }
              });
    }
    unfinishedFiles.forget();
  }

  /** What is in a table's directories, but for what Cassandra's transactions know. */
  private static Map<Descriptor, Set<Component>> files(TableMetadata metadata) {
    return new Directories(metadata)
        .sstableLister(Directories.OnTxnErr.IGNORE)
        .skipTemporary(true)
        .list();
  }

  private static void delete(Descriptor file) {
    logger.info("Deleting {}, of a stream or a repair that is over", file);
    file.getFormat().delete(file);
  }

  private static boolean isMarked(Descriptor file) {
    try {
      StatsMetadata stats =
          (StatsMetadata) file.getMetadataSerializer().deserialize(file, MetadataType.STATS);
      return stats != null && isMarked(stats);
    } catch (IOException e) {
      logger.warn("Whether {} is of a stream cannot be read; it stays", file, e);
      return false;
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
