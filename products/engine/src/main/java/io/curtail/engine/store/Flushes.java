/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.log.WriteAheadLog;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far each column family is in files: RocksDB parts the writes of a column family into write
 * buffers by their place in the order of all writes, and flushes these in order.
 *
 * <p>What is flushed must be on the disk in the log before: a start that has the files, and of the
 * log only what is older, would undo what was removed meanwhile.
 *
 * <p>Thread-safe.
 */
final class Flushes extends AbstractEventListener {
  private static final Logger logger = LoggerFactory.getLogger(Flushes.class);

  private final Map<Integer, Long> places = new ConcurrentHashMap<>();
  private volatile WriteAheadLog log;
  private volatile Families families;

  Flushes() {
    super(EnabledEventCallback.ON_FLUSH_BEGIN, EnabledEventCallback.ON_FLUSH_COMPLETED);
  }

  /** Where the writes are that are flushed from now on. */
  void setLog(WriteAheadLog of) {
    log = of;
  }

  /** Those that are flushed from now on. */
  void setFamilies(Families of) {
    families = of;
  }

  /** Whether all writes of a column family up to a place in the order are in files. */
  boolean isFlushed(int family, long place) {
    return places.getOrDefault(family, -1L) >= place;
  }

  @Override
  public void onFlushBegin(RocksDB database, FlushJobInfo flush) {
    WriteAheadLog current = log;
    if (current != null) {
      syncOrStop(database, current);
    }
  }

  /**
   * A flush cannot be refused. One that would be ahead of the log does not go on, and writers that
   * wait for room in RocksDB, for which Cassandra's flushes of all tables wait, are refused.
   */
  private static void syncOrStop(RocksDB database, WriteAheadLog log) {
    try {
      log.sync();
    } catch (IOException | RuntimeException | Error e) {
      logger.error("RocksDB flushes no more before the node is started again", e);
      try {
        database.cancelAllBackgroundWork(false);
      } finally {
        while (log.isBroken()) {
          LockSupport.park();
        }
      }
    }
  }

  @Override
  public void onFlushCompleted(RocksDB database, FlushJobInfo flush) {
    places.merge((int) flush.getColumnFamilyId(), flush.getLargestSeqno(), Math::max);
    WriteAheadLog current = log;
    if (current != null) {
      current.flushed();
    }
    Families flushed = families;
    if (flushed != null) {
      flushed.flushed(flush.getColumnFamilyName());
    }
  }
}
