/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import io.curtail.lab.load.Keys;
import io.curtail.lab.load.Mix;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * A number of clients that each send a request as soon as they have the answer to the one before.
 * Latencies count from the sending; a closed loop says what a node can do, not what users of an
 * overloaded one would see.
 */
final class ClosedLoop {
  private static final long HIGHEST_MICROS = 60_000_000;
  private static final int WAIT_SECONDS = 60;

  private final CqlSession session;
  private final EngineTable.Statements statements;
  private final Mix mix;
  private final Keys keys;
  private final long endNanos;
  private final Histogram reads = new ConcurrentHistogram(1, HIGHEST_MICROS, 3);
  private final Histogram writes = new ConcurrentHistogram(1, HIGHEST_MICROS, 3);
  private final LongAdder timeouts = new LongAdder();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Semaphore ended = new Semaphore(0);

  private ClosedLoop(
      CqlSession session, EngineTable.Statements statements, Mix mix, Keys keys, long lengthNanos) {
    this.session = session;
    this.statements = statements;
    this.mix = mix;
    this.keys = keys;
    this.endNanos = System.nanoTime() + lengthNanos;
  }

  /**
   * What the clients saw. Latencies are in microseconds.
   *
   * @param timeouts requests that were not answered in time; they are among the others, with the
   *     time they took
   */
  record Result(Histogram reads, Histogram writes, double seconds, long timeouts) {
    Histogram all() {
      Histogram all = reads.copy();
      all.add(writes);
      return all;
    }

    long requests() {
      return reads.getTotalCount() + writes.getTotalCount();
    }

    double requestsPerSecond() {
      return requests() / seconds;
    }
  }

  /**
   * Runs so many clients to the end.
   *
   * @throws IllegalStateException if a request fails, unless the node took too long
   */
  static Result run(
      CqlSession session,
      EngineTable.Statements statements,
      Mix mix,
      Keys keys,
      int clients,
      double seconds,
      long seed)
      throws InterruptedException {
    long start = System.nanoTime();
    ClosedLoop loop = new ClosedLoop(session, statements, mix, keys, (long) (seconds * 1e9));
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < clients; i++) {
      loop.send(random.split());
    }
    boolean allEnded =
        loop.ended.tryAcquire(clients, (long) seconds + WAIT_SECONDS, TimeUnit.SECONDS);
    if (loop.failure.get() != null) {
      throw new IllegalStateException(
          "a request failed: " + loop.failure.get(), loop.failure.get());
    }
    if (!allEnded) {
      throw new IllegalStateException("requests do not end");
    }
    return new Result(
        loop.reads, loop.writes, (System.nanoTime() - start) / 1e9, loop.timeouts.sum());
  }

  private void send(SplittableRandom random) {
    long start = System.nanoTime();
    if (start >= endNanos || failure.get() != null) {
      ended.release();
      return;
    }
    boolean isRead = random.nextDouble() < mix.readShare();
    long row = keys.next(random);
    session
        .executeAsync(isRead ? statements.read(row) : statements.write(row, random))
        .whenComplete(
            (answer, error) -> {
              Throwable wrong = error;
              if (wrong == null && isRead && answer.one() == null) {
                wrong = new IllegalStateException("row " + row + " is not there");
              }
              if (isTimeout(wrong)) {
                timeouts.increment();
              } else if (wrong != null) {
                failure.compareAndSet(null, wrong);
              }
              long micros = Math.max(1, (System.nanoTime() - start) / 1_000);
              (isRead ? reads : writes).recordValue(Math.min(HIGHEST_MICROS, micros));
              send(random);
            });
  }

  /** Whether the node, or the driver, gave up waiting. */
  static boolean isTimeout(Throwable error) {
    return error instanceof WriteTimeoutException
        || error instanceof ReadTimeoutException
        || error instanceof DriverTimeoutException;
  }
}
