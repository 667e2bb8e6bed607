/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands what fails in RocksDB's own threads (flush, compaction, the manifest) to Cassandra's {@code
 * disk_failure_policy}.
 *
 * <p>After a full disk RocksDB goes on by itself when there is space again; after other errors it
 * refuses writes until the node is started again.
 */
final class BackgroundErrors extends AbstractEventListener {
  private static final Logger logger = LoggerFactory.getLogger(BackgroundErrors.class);

  private final String directory;
  private final Consumer<Throwable> failures;
  private volatile boolean isStopped;

  /**
   * @param failures told each error, in a thread that may wait
   */
  BackgroundErrors(String directory, Consumer<Throwable> failures) {
    super(
        EnabledEventCallback.ON_BACKGROUND_ERROR, EnabledEventCallback.ON_ERROR_RECOVERY_COMPLETED);
    this.directory = directory;
    this.failures = failures;
  }

  /** Whether RocksDB may refuse writes, since it failed and has not recovered yet. */
  boolean isStopped() {
    return isStopped;
  }

  /** A write was taken. */
  void setGoingOn() {
    isStopped = false;
  }

  @Override
  public void onErrorRecoveryCompleted(Status former) {
    setGoingOn();
    logger.info("RocksDB takes writes again after: {}", former.getState());
  }

  @Override
  public void onBackgroundError(BackgroundErrorReason reason, Status status) {
    isStopped = true;
    logger.error(
        "RocksDB failed in the background ({}): {} {}",
        reason,
        status.getCodeString(),
        status.getState());
    // The policy may stop transports and wait for them: not on RocksDB's thread.
    ScheduledFuture<?> unused =
        ScheduledExecutors.nonPeriodicTasks.schedule(
            () -> failures.accept(StorageErrors.writing(new RocksDBException(status), directory)),
            0,
            TimeUnit.MILLISECONDS);
  }
}
