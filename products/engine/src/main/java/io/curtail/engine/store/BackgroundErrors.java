/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands what fails in RocksDB's own threads (flush, compaction, the manifest) to Cassandra's {@code
 * disk_failure_policy}, and knows whether RocksDB takes writes.
 *
 * <p>After a full disk RocksDB goes on by itself when there is space again; after other errors it
 * refuses writes until the node is started again. It takes each write that it refuses for another
 * error, which undoes a recovery that goes on at that moment. So once it has refused one, it is
 * asked again by one writer at most every half minute, until it says that it has recovered, and all
 * others are refused without it. Flushes that others ask for hold a recovery up, too, which waits
 * until none is due (RocksDB, {@code DBImpl::ResumeImpl}): none is asked for meanwhile. It also
 * waits for all compactions that run, which are not throttled for that time. Thread-safe.
 */
final class BackgroundErrors extends AbstractEventListener {
  private static final Logger logger = LoggerFactory.getLogger(BackgroundErrors.class);

  static final long ASKING_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Whether RocksDB takes writes, as far as is known, from one moment to another. */
  static final class Period {
    /** Of the last write that RocksDB refused; null while it takes them. */
    private final RocksDBException refusal;

    /** When it was asked last. */
    private final long askedNanos;

    private Period(RocksDBException refusal, long askedNanos) {
      this.refusal = refusal;
      this.askedNanos = askedNanos;
    }
  }

  /** A write that changes nothing. */
  interface Question {
    void ask() throws RocksDBException;
  }

  private final String directory;
  private final Consumer<Throwable> failures;
  private final LongSupplier nanoTime;
  private final AtomicReference<Period> period = new AtomicReference<>(new Period(null, 0));

  /** The last error since it recovered; null if there is none. */
  private final AtomicReference<Status> last = new AtomicReference<>();

  /** When a flush has failed last, since another ended well or RocksDB recovered; else null. */
  private volatile Long failedFlushNanos;

  private volatile boolean areCompactionsStopped;
  private volatile Runnable change = () -> {};
  private volatile Runnable compactionsRecovered = () -> {};

  /**
   * @param failures told each error, in a thread that may wait
   */
  BackgroundErrors(String directory, Consumer<Throwable> failures) {
    this(directory, failures, System::nanoTime);
  }

  BackgroundErrors(String directory, Consumer<Throwable> failures, LongSupplier nanoTime) {
    super(
        EnabledEventCallback.ON_BACKGROUND_ERROR, EnabledEventCallback.ON_ERROR_RECOVERY_COMPLETED);
    this.directory = directory;
    this.failures = failures;
    this.nanoTime = nanoTime;
  }

  /**
   * Who hears of what changes, in threads of RocksDB and of writers.
   *
   * @param stopped when {@link #isStopped} changes
   * @param recovered when {@link #areCompactionsStopped} no more
   */
  void tell(Runnable stopped, Runnable recovered) {
    change = stopped;
    compactionsRecovered = recovered;
  }

  /** Whether RocksDB takes no writes now, and may be about to recover. */
  boolean isStopped() {
    return period.get().refusal != null;
  }

  /**
   * Whether one who is not RocksDB may ask for a flush: not while writes are refused, and not for
   * half a minute after one has failed, of which RocksDB's Java classes do not tell as of an error.
   */
  boolean mayFlush() {
    Long failed = failedFlushNanos;
    return !isStopped() && (failed == null || nanoTime.getAsLong() - failed >= ASKING_NANOS);
  }

  /** One that was asked for has failed. A compaction's error is told as that of flushes, too. */
  void flushFailed() {
    if (!areCompactionsStopped) {
      failedFlushNanos = nanoTime.getAsLong();
    }
  }

  /** Those that were asked for have ended well. */
  void flushed() {
    failedFlushNanos = null;
  }

  /** Whether a compaction has met a full disk, and RocksDB looks itself for room for others. */
  boolean areCompactionsStopped() {
    return areCompactionsStopped;
  }

  private void recovered() {
    last.set(null);
    failedFlushNanos = null;
    boolean wereStopped = areCompactionsStopped;
    areCompactionsStopped = false;
    change.run();
    if (wereStopped) {
      compactionsRecovered.run();
    }
  }

  /**
   * Comes before a write.
   *
   * @param question for RocksDB, if it is time to ask it again
   * @return for {@link #refused}
   * @throws RocksDBException if RocksDB takes no writes
   */
  Period begin(Question question) throws RocksDBException {
    Period now = period.get();
    return now.refusal == null ? now : askAgain(now, question);
  }

  private Period askAgain(Period now, Question question) throws RocksDBException {
    long nanos = nanoTime.getAsLong();
    Period asking = new Period(now.refusal, nanos);
    if (nanos - now.askedNanos < ASKING_NANOS || !period.compareAndSet(now, asking)) {
      throw now.refusal;
    }
    question.ask();
    goOn(asking);
    return period.get();
  }

  private void goOn(Period stopped) {
    if (period.compareAndSet(stopped, new Period(null, 0))) {
      recovered();
      logger.info("RocksDB takes writes again");
    }
  }

  /** RocksDB has refused a write. What it said of others is forgotten if it recovered meanwhile. */
  void refused(Period begun, RocksDBException refusal) {
    // It has told of it as of an error, unless it was about that write only.
    if (isSame(refusal.getStatus(), last.get())) {
      if (period.compareAndSet(begun, new Period(refusal, nanoTime.getAsLong()))) {
        change.run();
      }
    }
  }

  @Override
  public void onErrorRecoveryCompleted(Status former) {
    period.set(new Period(null, 0));
    recovered();
    logger.info("RocksDB takes writes again after: {}", former.getState());
  }

  @Override
  public void onBackgroundError(BackgroundErrorReason reason, Status status) {
    if (reason == BackgroundErrorReason.COMPACTION
        && status.getSubCode() == Status.SubCode.NoSpace) {
      areCompactionsStopped = true;
    }
    boolean isRefusal = reason == BackgroundErrorReason.WRITE_CALLBACK;
    if (isSame(status, last.getAndSet(status)) && (isRefusal || period.get().refusal != null)) {
      return;
    }
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

  private static boolean isSame(Status status, Status other) {
    return status != null
        && other != null
        && status.getCode() == other.getCode()
        && status.getSubCode() == other.getSubCode();
  }
}
