/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.commitlog.CommitLogDescriptor;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.metadata.StatsMetadata;

/**
 * Data files of Cassandra that were taken into RocksDB, for as long as a deletion must be kept for
 * what is in them: somebody who chose his files before may still read them, beside a RocksDB from
 * which the deletion had gone; and a start replays Cassandra's commit log where no data file says
 * that it has been written, as these did.
 *
 * <p>Thread-safe.
 */
public final class AbsorbedFiles {
  private static final long NONE = Long.MIN_VALUE;

  private final Set<Descriptor> files = ConcurrentHashMap.newKeySet();
  private long lastSegment = NONE;

  /** Comes before the file goes. */
  public synchronized void add(SSTableReader file) {
    files.add(file.descriptor);
    StatsMetadata stats = file.getSSTableMetadata();
    if (stats.originatingHostId == null
        || stats.originatingHostId.equals(SystemKeyspace.getLocalHostId())) {
      stats
          .commitLogIntervals
          .upperBound()
          .ifPresent(end -> lastSegment = Math.max(lastSegment, end.segmentId));
    }
  }

  /** Whether nobody reads them any more and the commit log has nothing of them. */
  public synchronized boolean areGone() {
    files.removeIf(file -> !OpenDataFiles.contains(file));
    if (lastSegment != NONE && oldestSegment() > lastSegment) {
      lastSegment = NONE;
    }
    return files.isEmpty() && lastSegment == NONE;
  }

  private static long oldestSegment() {
    return CommitLog.instance.getActiveSegmentNames().stream()
        .mapToLong(CommitLogDescriptor::idFromFileName)
        .min()
        .orElse(NONE);
  }
}
