/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.metadata.MetadataType;
import org.apache.cassandra.io.sstable.metadata.StatsMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data files that Cassandra 5.0 writes from a memtable such as this one to stream or validate a
 * range, and never deletes. Opened at the next start they would bring rows back whose deletion is
 * long forgotten.
 *
 * <p>So each is marked, by an interval of the commit log that cannot be, and marked files of this
 * node are deleted before the table's data files are opened.
 */
final class TemporaryFiles {
  private static final Logger logger = LoggerFactory.getLogger(TemporaryFiles.class);

  /** Segments of the commit log are numbered from the clock, never below zero. */
  private static final CommitLogPosition MARK = new CommitLogPosition(-50_757_274L, 7);

  private TemporaryFiles() {}

  /** A range on its way into a file that is only good for now. */
  static FlushSet flushSet(
      RocksMemtable memtable, TableStore store, PartitionPosition from, PartitionPosition to) {
    return new FlushSet(memtable, store, from, to, MARK, MARK);
  }

  /** Deletes the marked files of a table; none of them may be open. */
  static void delete(TableMetadata metadata) {
    UUID host = SystemKeyspace.getLocalHostId();
    for (Descriptor file :
        new Directories(metadata).sstableLister(Directories.OnTxnErr.IGNORE).list().keySet()) {
      try {
        if (isMarked(file, host)) {
          logger.info("Deleting {}, left by a stream or a repair", file);
          file.getFormat().delete(file);
        }
      } catch (IOException e) {
        logger.warn("Whether {} is left by a stream cannot be read; it stays", file, e);
      }
    }
  }

  private static boolean isMarked(Descriptor file, UUID host) throws IOException {
    StatsMetadata stats =
        (StatsMetadata) file.getMetadataSerializer().deserialize(file, MetadataType.STATS);
    if (stats == null || !host.equals(stats.originatingHostId)) {
      return false;
    }
    IntervalSet<CommitLogPosition> written = stats.commitLogIntervals;
    return written.lowerBound().equals(Optional.of(MARK))
        && written.upperBound().equals(Optional.of(MARK));
  }
}
