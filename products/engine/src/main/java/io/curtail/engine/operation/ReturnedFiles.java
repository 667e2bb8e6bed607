/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import com.google.common.collect.MapMaker;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.metadata.StatsMetadata;
import org.apache.cassandra.notifications.INotification;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.SSTableAddedNotification;
import org.apache.cassandra.notifications.SSTableListChangedNotification;
import org.apache.cassandra.utils.NoSpamLogger;
import org.apache.cassandra.utils.concurrent.Ref;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@linkplain TemporaryFiles Temporary files} of this node that come back as a table's data:
 * another node took one as it was, with its mark, and gave it back in a stream; or one is imported.
 * They lose the mark before a stream is acknowledged, or the next start would delete them.
 *
 * <p>Thread-safe.
 */
public final class ReturnedFiles implements INotificationConsumer {
  private static final Logger logger = LoggerFactory.getLogger(ReturnedFiles.class);

  private final Set<Tracker> watched =
      Collections.newSetFromMap(new MapMaker().weakKeys().makeMap());

  /** What tells of the data files of tables, of those that are there. */
  static List<Tracker> trackers(List<StoredTable> memtables) {
    return memtables.stream()
        .map(memtable -> ColumnFamilyStore.getIfExists(memtable.metadata().id))
        .filter(Objects::nonNull)
        .map(ColumnFamilyStore::getTracker)
        .collect(Collectors.toList());
  }

  /**
   * Looks at what a table gets from now on, also when it has left RocksDB; and, once, at what it
   * has: one may have come while nobody looked, as the table was not in RocksDB.
   *
   * @throws FSWriteError if such a file cannot be written; then it is looked at again
   */
  public synchronized void watch(Tracker table) {
    if (!watched.add(table)) {
      return;
    }
    table.subscribe(this);
    try {
      table.getView().liveSSTables().forEach(ReturnedFiles::keepIfThere);
    } catch (RuntimeException | Error e) {
      table.unsubscribe(this);
      watched.remove(table);
      throw e;
    }
  }

  /** The same for who goes on without it, and tries again; whether it was done. */
  boolean tryToWatch(Tracker table) {
    try {
      watch(table);
      return true;
    } catch (FSError e) {
      NoSpamLogger.log(
          logger,
          NoSpamLogger.Level.WARN,
          1,
          TimeUnit.MINUTES,
          "A data file that came back is still marked as one of a stream: {}",
          e.toString());
      return false;
    }
  }

  /** Not one that a compaction has just replaced, which may be gone. */
  private static void keepIfThere(SSTableReader file) {
    Ref<SSTableReader> held = file.tryRef();
    if (held != null) {
      try {
        keep(file);
      } finally {
        held.release();
      }
    }
  }

  @Override
  public void handleNotification(INotification notification, Object sender) {
    if (notification instanceof SSTableAddedNotification) {
      ((SSTableAddedNotification) notification).added.forEach(ReturnedFiles::keep);
    } else if (notification instanceof SSTableListChangedNotification) {
      // One may be compacted before this hears of it: an index is told first, and is built.
      ((SSTableListChangedNotification) notification).added.forEach(ReturnedFiles::keep);
    }
  }

  private static void keep(SSTableReader file) {
    if (!TemporaryFiles.isMarked(file.getSSTableMetadata())) {
      return;
    }
    logger.info("{} is of this node and has come back: it is data from now on", file);
    try {
      file.runWithLock(
          descriptor -> {
            descriptor
                .getMetadataSerializer()
                .mutate(
                    descriptor, "no interval of the commit log", stats -> withoutMark(file, stats));
            file.reloadSSTableMetadata();
            return null;
          });
    } catch (IOException e) {
      throw new FSWriteError(e, file.getFilename());
    }
  }

  private static StatsMetadata withoutMark(SSTableReader file, StatsMetadata stats) {
    return new StatsMetadata(
        stats.estimatedPartitionSize,
        stats.estimatedCellPerPartitionCount,
        IntervalSet.empty(),
        stats.minTimestamp,
        stats.maxTimestamp,
        stats.minLocalDeletionTime,
        stats.maxLocalDeletionTime,
        stats.minTTL,
        stats.maxTTL,
        stats.compressionRatio,
        stats.estimatedTombstoneDropTime,
        stats.sstableLevel,
        file.metadata().comparator.subtypes(),
        stats.coveredClustering,
        stats.hasLegacyCounterShards,
        stats.repairedAt,
        stats.totalColumnsSet,
        stats.totalRows,
        stats.tokenSpaceCoverage,
        stats.originatingHostId,
        stats.pendingRepair,
        stats.isTransient,
        stats.hasPartitionLevelDeletions,
        stats.firstKey,
        stats.lastKey);
  }
}
