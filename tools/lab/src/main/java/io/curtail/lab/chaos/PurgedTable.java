/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import com.datastax.oss.driver.api.core.DriverException;
import io.curtail.engine.trials.CrashCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntSupplier;

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
 * is in data files that were compacted with those of other nodes is not known any more. So a start
 * of such a node ends what is known of partitions from before the last change of the ring.
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

  private final Client client;
  private final Load load;
  private final Random random;
  private final List<PurgedPartition> partitions = new ArrayList<>();
  private final ReentrantReadWriteLock ring = new ReentrantReadWriteLock(true);
  private final Thread thread = new Thread(this::write, "purged-writer");
  private final AtomicInteger deleted = new AtomicInteger();
  private final AtomicInteger ringChanges = new AtomicInteger();
  private final IntSupplier replays;

  /** So many of them were looked at. Of the writer's thread, and when it has ended of another. */
  private int replaysSeen;

  private volatile boolean isStopped;

  /**
   * @param replays how often a node without the engine has read its log
   */
  PurgedTable(Client client, Load load, IntSupplier replays, long seed) {
    this.client = client;
    this.load = load;
    this.replays = replays;
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

  /** Rows that are known to be deleted. */
  int deleted() {
    return deleted.get();
  }

  /** Changes the ring while nothing is written, and cleans up. */
  void withoutWrites(Attempt change, Nodes nodes, Patience patience)
      throws IOException, InterruptedException {
    ring.writeLock().lockInterruptibly();
    try {
      ringChanges.incrementAndGet();
      change.run();
      for (int node : nodes.members()) {
        patience.run(() -> cleanUp(node, nodes));
      }
    } finally {
      ring.writeLock().unlock();
    }
  }

  /** Cassandra cleans up what is in data files only, and the engine what is in RocksDB. */
  private static void cleanUp(int node, Nodes nodes) throws IOException {
    try (Jmx jmx = new Jmx(nodes.node(node))) {
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
      load.report(new Violation(Load.now(), "the writer of purged ended: " + e, null, List.of()));
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
      deleted.addAndGet(partition.isDeleted(deletion));
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

  private void forgetWhatMayBeBack() {
    int now = replays.getAsInt();
    if (now != replaysSeen) {
      replaysSeen = now;
      partitions.forEach(partition -> partition.forgetBefore(ringChanges.get()));
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
   * @return whether nothing does
   * @throws DriverException if it cannot be read
   */
  boolean check(PurgedPartition partition, String who, CrashCheck.Query reader)
      throws IOException, InterruptedException {
    forgetWhatMayBeBack();
    String wrong = partition.wrong(reader);
    if (wrong == null) {
      return true;
    }
    String at = Load.now();
    Thread.sleep(LATER_MILLIS);
    if (replays.getAsInt() != replaysSeen) {
      return true;
    }
    load.report(new Violation(at, who + wrong, partition.wrong(reader), partition.history()));
    return false;
  }
}
