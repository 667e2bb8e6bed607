/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.rocksdb.RocksDBException;

/** Which segments, to which nothing is appended any more, are in files. For one thread. */
final class SegmentFlushes {
  private final WriteAheadLog.Storage storage;
  private final OpOrder writes;

  /**
   * @param writes announced before they are appended, until RocksDB has them
   */
  SegmentFlushes(WriteAheadLog.Storage storage, OpOrder writes) {
    this.storage = storage;
    this.writes = writes;
  }

  /** The oldest of them, as far as all that they have is in files. */
  List<LogSegment> flushed(List<LogSegment> segments) {
    setPlaces(segments);
    return segments.stream().takeWhile(this::isFlushed).collect(Collectors.toList());
  }

  /**
   * Brings all that they have into files. RocksDB may call a flush failed because another failed,
   * or a compaction: what is in files counts.
   *
   * @throws RocksDBException if not all of it is there
   */
  void flush(List<LogSegment> segments) throws RocksDBException {
    setPlaces(segments);
    Set<Integer> families = new HashSet<>();
    segments.forEach(segment -> families.addAll(segment.families()));
    try {
      storage.flush(families);
    } catch (RocksDBException e) {
      if (!segments.stream().allMatch(this::isFlushed)) {
        throw e;
      }
    }
  }

  /** Where their writes end in RocksDB's order, when RocksDB has them all. */
  private void setPlaces(List<LogSegment> segments) {
    if (segments.stream().anyMatch(segment -> segment.place() < 0)) {
      WriteAheadLog.awaitAll(writes);
      long place = storage.place();
      segments.stream().filter(segment -> segment.place() < 0).forEach(s -> s.setPlace(place));
    }
  }

  private boolean isFlushed(LogSegment segment) {
    long place = segment.place();
    return segment.families().stream().allMatch(family -> storage.isFlushed(family, place));
  }
}
