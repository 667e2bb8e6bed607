/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import com.datastax.oss.driver.api.core.DriverException;
import io.curtail.engine.trials.crash.CrashCheck;
import io.curtail.engine.trials.crash.CrashTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Writes of bounded number, each to a partition that one thread writes, and repeated until it is
 * answered; every now and then all of a partition is compared with what was answered. Thread-safe.
 */
final class Load {
  private static final int WRITERS = 4;
  private static final int WRITES_A_SECOND = 80;
  private static final int WRITES_A_PARTITION = 600;
  private static final int WRITES_A_CHECK = 40;
  private static final int AGAIN_MILLIS = 200;
  private static final int LATER_MILLIS = 5_000;

  /** A cluster of which most nodes are up answers a write at some time. */
  private static final long MOST_SILENCE_NANOS = TimeUnit.MINUTES.toNanos(4);

  private final ChaosSession client;
  private final Violations violations;
  private final long seed;
  private final List<WrittenPartition> partitions = new CopyOnWriteArrayList<>();
  private final List<WrittenPartition> finished = new CopyOnWriteArrayList<>();
  private final ReentrantReadWriteLock writing = new ReentrantReadWriteLock(true);
  private final ReentrantReadWriteLock checking = new ReentrantReadWriteLock(true);
  private final AtomicInteger partitionNumbers = new AtomicInteger();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong unanswered = new AtomicLong();
  private final AtomicLong checks = new AtomicLong();
  private final AtomicLong uncheckable = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  /**
   * One that has not started.
   *
   * @param seed of what is compared
   */
  Load(ChaosSession client, Violations violations, long seed) {
    this.client = client;
    this.violations = violations;
    this.seed = seed;
  }

  void start() {
    for (int i = 0; i < WRITERS; i++) {
      boolean isPrepared = i % 2 == 1;
      Random random = new Random(seed * WRITERS + i);
      Thread thread = new Thread(() -> write(isPrepared, random), "writer-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  /** Does something when no write is on its way; none is until it is done. */
  void withoutWrites(Attempt attempt) throws IOException, InterruptedException {
    alone(writing, attempt);
  }

  /** The same for comparisons, while a quorum need not have what was answered. */
  void withoutChecks(Attempt attempt) throws IOException, InterruptedException {
    alone(checking, attempt);
  }

  private static void alone(ReentrantReadWriteLock lock, Attempt attempt)
      throws IOException, InterruptedException {
    lock.writeLock().lockInterruptibly();
    try {
      attempt.run();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** All partitions that were written so far. */
  List<WrittenPartition> partitions() {
    return List.copyOf(partitions);
  }

  Violations violations() {
    return violations;
  }

  long answered() {
    return answered.get();
  }

  long unanswered() {
    return unanswered.get();
  }

  long checks() {
    return checks.get();
  }

  /** Comparisons that ended with an error, such as a timeout. */
  long uncheckable() {
    return uncheckable.get();
  }

  private void write(boolean isPrepared, Random random) {
    try {
      while (!stopped) {
        WrittenPartition partition = new WrittenPartition(partitionNumbers.getAndIncrement());
        partitions.add(partition);
        for (int n = 1; n <= WRITES_A_PARTITION && !stopped; n++) {
          Thread.sleep(1_000L * WRITERS / WRITES_A_SECOND);
          write(partition, n, isPrepared);
          if (n % WRITES_A_CHECK == 0) {
            check(partition);
            if (!finished.isEmpty()) {
              check(finished.get(random.nextInt(finished.size())));
            }
          }
        }
        finished.add(partition);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | IOException e) {
      violations.report(new Violation(Violations.now(), "a writer ended: " + e, null, List.of()));
    }
  }

  private void write(WrittenPartition partition, int n, boolean isPrepared)
      throws InterruptedException {
    CrashTables.Operation operation = CrashTables.operation(partition.number(), n);
    long start = System.nanoTime();
    writing.readLock().lockInterruptibly();
    try {
      while (!stopped) {
        try {
          client.write(operation, isPrepared);
          partition.answer(n);
          answered.incrementAndGet();
          return;
        } catch (DriverException e) {
          partition.fail(n, e);
          unanswered.incrementAndGet();
        }
        if (System.nanoTime() - start > MOST_SILENCE_NANOS) {
          String what = "partition " + partition.number() + ": operation " + n + " gets no answer";
          violations.report(new Violation(Violations.now(), what, what, partition.last()));
          return;
        }
        Thread.sleep(AGAIN_MILLIS);
      }
    } finally {
      writing.readLock().unlock();
    }
  }

  private void check(WrittenPartition partition) throws IOException, InterruptedException {
    if (!checking.readLock().tryLock()) {
      return;
    }
    try {
      check(partition, true);
    } catch (DriverException e) {
      uncheckable.incrementAndGet();
    } finally {
      checking.readLock().unlock();
    }
  }

  /**
   * Compares a partition that nobody writes meanwhile, and reports what differs.
   *
   * @return whether nothing does
   * @throws DriverException if it cannot be read
   */
  boolean check(WrittenPartition partition, boolean mayLackIndexEntries)
      throws IOException, InterruptedException {
    return check(partition, mayLackIndexEntries, "", client::rows);
  }

  /**
   * The same with what a reader of one's own finds.
   *
   * @param who reads, in words for a report
   */
  boolean check(
      WrittenPartition partition, boolean mayLackIndexEntries, String who, CrashCheck.Query reader)
      throws IOException, InterruptedException {
    String wrong = wrong(partition, mayLackIndexEntries, reader);
    checks.incrementAndGet();
    if (wrong == null) {
      return true;
    }
    List<String> operations = partition.last();
    String at = Violations.now();
    Thread.sleep(LATER_MILLIS);
    String later = later(partition, mayLackIndexEntries, reader);
    violations.report(new Violation(at, who + wrong, later, operations));
    return false;
  }

  private static String later(
      WrittenPartition partition, boolean mayLackIndexEntries, CrashCheck.Query reader)
      throws IOException {
    try {
      return wrong(partition, mayLackIndexEntries, reader);
    } catch (DriverException e) {
      return "not known: " + e;
    }
  }

  /** What differs in a partition that nobody writes meanwhile; null if nothing does. */
  String wrong(WrittenPartition partition, boolean mayLackIndexEntries) throws IOException {
    return wrong(partition, mayLackIndexEntries, client::rows);
  }

  private static String wrong(
      WrittenPartition partition, boolean mayLackIndexEntries, CrashCheck.Query reader)
      throws IOException {
    CrashCheck.Known known = partition.known(mayLackIndexEntries);
    return new CrashCheck(reader, partition.number(), known).run();
  }

  /** Returns when no thread writes any more. */
  void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
