/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import com.datastax.oss.driver.api.core.DriverException;
import io.curtail.engine.trials.crash.CrashCheck;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A table whose deletions may be purged after a minute and a half, and its one writer. No row may
 * come back, whoever has purged what of it by then.
 *
 * <p>With so short a grace, Cassandra itself may bring back a row whose deletion has not reached a
 * replica. What is known here did reach them all: rows and deletions are written at ALL. A row
 * whose first try is not answered is none of the known, since a hint of it may outlive its
 * deletion; a deletion is tried until it is answered. Nothing is written while the ring changes,
 * and then each node cleans up: rows that it kept of a part that is not its own any more would come
 * back when it gets that part again.
 *
 * <p>Cassandra's own log may bring such rows back when a node that was killed reads it: what of it
 * is in data files that were compacted with those of other nodes is not known any more. So such a
 * start ends what is known of deletions in partitions from before the last change of the ring: that
 * of a node without the engine, and of any once a table was moved, as all tables in RocksDB are in
 * Cassandra's log, too, from then until the node is started.
 */
final class PurgedTable {
  static final String NAME = "purged";

  static final String CREATE =
      "CREATE TABLE IF NOT EXISTS crash.purged (p int, n int, v int, PRIMARY KEY (p, n)) WITH"
          + " gc_grace_seconds = 90 AND memtable = 'rocksdb'";

  private static final int WRITES_A_SECOND = 15;
  private static final int AGAIN_MILLIS = 500;
  private static final int LATER_MILLIS = 5_000;

  /** So many partitions later some or all of one is deleted. */
  private static final int KEPT = 4;

  private final ChaosSession client;
  private final Violations violations;
  private final Random random;
  private final List<PurgedPartition> partitions = new CopyOnWriteArrayList<>();
  private final ReentrantReadWriteLock ring = new ReentrantReadWriteLock(true);
  private final Thread thread = new Thread(this::write, "purged-writer");
  private final AtomicInteger ringChanges = new AtomicInteger();
  private final Nodes nodes;
  private volatile boolean wasMoved;

  /** So many starts were looked at. Of the writer's thread, and when it has ended of another. */
  private int replaysSeen;

  private volatile boolean isStopped;

  PurgedTable(ChaosSession client, Violations violations, Nodes nodes, long seed) {
    this.client = client;
    this.violations = violations;
    this.nodes = nodes;
    random = new Random(seed);
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns when it writes no more. */
  void stop() throws InterruptedException {
    isStopped = true;
    thread.join();
  }

  /** Rows that are known to be deleted; while it writes, about so many. Any thread. */
  int deleted() {
    return partitions.stream().mapToInt(PurgedPartition::deleted).sum();
  }

  /** Notes that a table is moved, this one or another. */
  void tableMoves() {
    wasMoved = true;
  }

  /** Changes the ring while nothing is written, and cleans up. */
  void withoutWrites(Attempt change, Patience patience) throws IOException, InterruptedException {
    ring.writeLock().lockInterruptibly();
    try {
      ringChanges.incrementAndGet();
      change.run();
      for (int node : nodes.members()) {
        patience.run(() -> cleanUp(node));
      }
    } finally {
      ring.writeLock().unlock();
    }
  }

  /** Cassandra cleans up what is in data files only, and the engine what is in RocksDB. */
  private void cleanUp(int node) throws IOException {
    try (Jmx jmx = nodes.jmx(node)) {
      jmx.flush(NAME);
      jmx.cleanUp(NAME);
      if (Plan.hasEngine(node) && jmx.isInRocks(NAME)) {
        jmx.engine("cleanup", NAME);
      }
    }
  }

  private void write() {
    try {
      while (!isStopped) {
        PurgedPartition partition = new PurgedPartition(partitions.size(), ringChanges.get());
        for (int n = 1; n <= PurgedPartition.ROWS && !isStopped; n++) {
          Thread.sleep(1_000 / WRITES_A_SECOND);
          insert(partition, n);
        }
        partitions.add(partition);
        if (partitions.size() > KEPT) {
          delete(partitions.get(partitions.size() - 1 - KEPT));
        }
        checkSome();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | IOException e) {
      violations.report(
          new Violation(Violations.now(), "the writer of purged ended: " + e, null, List.of()));
    }
  }

  private void insert(PurgedPartition partition, int n) throws InterruptedException {
    if (isAnsweredByAll(partition.insert(n))) {
      partition.isThere(n);
    }
  }

  private void delete(PurgedPartition partition) throws InterruptedException {
    for (PurgedPartition.Deletion deletion : partition.deletions()) {
      partition.mayBeDeleted(deletion);
      while (!isStopped && !isAnsweredByAll(deletion.statement())) {
        Thread.sleep(AGAIN_MILLIS);
      }
      if (isStopped) {
        return; // it is not known whether that was answered
      }
      partition.isDeleted(deletion);
    }
  }

  private boolean isAnsweredByAll(String statement) throws InterruptedException {
    ring.readLock().lockInterruptibly();
    try {
      client.writeToAll(statement);
      return true;
    } catch (DriverException e) {
      return false;
    } finally {
      ring.readLock().unlock();
    }
  }

  private void checkSome() throws IOException, InterruptedException {
    for (int i = 0; i < 2; i++) {
      PurgedPartition partition = partitions.get(random.nextInt(partitions.size()));
      try {
        check(partition, "", client::rows);
      } catch (DriverException e) {
        Thread.sleep(AGAIN_MILLIS);
      }
    }
  }

  private void forgetWhatMayRise() {
    int now = nodes.replays(wasMoved);
    if (now != replaysSeen) {
      replaysSeen = now;
      partitions.forEach(partition -> partition.mayRiseBefore(ringChanges.get()));
    }
  }

  /** All partitions, when nobody writes any more. */
  List<PurgedPartition> partitions() {
    return List.copyOf(partitions);
  }

  /**
   * Compares a partition with what is known of it, and reports what differs.
   *
   * @param who reads, in words for a report
   * @return whether nothing does, as far as it is known
   * @throws DriverException if it cannot be read
   */
  boolean check(PurgedPartition partition, String who, CrashCheck.Query reader)
      throws IOException, InterruptedException {
    List<String> found = partition.read(reader);
    forgetWhatMayRise(); // after it, since a node may have read its log before
    String wrong = partition.wrong(found);
    if (wrong == null) {
      return true;
    }
    String at = Violations.now();
    Thread.sleep(LATER_MILLIS);
    String later = partition.wrong(partition.read(reader));
    violations.report(new Violation(at, who + wrong, later, partition.history()));
    return false;
  }
}
