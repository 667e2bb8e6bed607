/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.log.LogSync;
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
  private volatile LogSync logSync;
  private volatile Families families;

  Flushes() {
    super(EnabledEventCallback.ON_FLUSH_BEGIN, EnabledEventCallback.ON_FLUSH_COMPLETED);
  }

  /** Where the writes are that are flushed from now on. */
  void setLog(WriteAheadLog of) {
    log = of;
  }

  /** Who syncs the log, and tells if that fails; without it, the log does. */
  void setLogSync(LogSync of) {
    logSync = of;
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
      syncOrStop(database, current, logSync);
    }
  }

  /**
   * A flush cannot be refused. But once RocksDB has been told to end its work, it throws the file
   * of a flush away that would be ahead of the log, begins no other, and refuses writers that wait
   * for room, for which Cassandra's flushes of all tables wait.
   */
  private static void syncOrStop(RocksDB database, WriteAheadLog log, LogSync sync) {
    try {
      if (sync == null) {
        log.sync();
      } else {
        sync.sync();
      }
    } catch (IOException | RuntimeException | Error e) {
      logger.error("RocksDB flushes no more before the node is started again", e);
      stop(database);
    }
  }

  private static void stop(RocksDB database) {
    boolean isTold = false;
    try {
      database.cancelAllBackgroundWork(false);
      isTold = true;
    } finally {
      while (!isTold) { // the flush must not go on
        LockSupport.park();
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
