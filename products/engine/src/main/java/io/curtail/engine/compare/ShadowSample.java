/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.compare;

import io.curtail.engine.store.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.transform.Transformation;

/**
 * Writes to a {@link ShadowStore}, and follows some of its partitions to compare them with what
 * Cassandra makes of the same writes. For threads of the background: they wait for each other.
 *
 * <p>A write has its partition's lock shared until it is both in RocksDB and noted; who begins to
 * follow a partition, or compares it, has the lock alone. So both sides have the same writes when
 * they are compared, in whichever order those came, and a difference is a fault. A partition is
 * followed for some comparisons, then others are. Thread-safe.
 */
final class ShadowSample {
  private static final int LOCKS = 256;

  /** Comparisons of a partition before it gives its place to another one. */
  private static final int COMPARISONS = 10;

  /** Partitions that are followed at once: each is read at each comparison. */
  private static final int MOST_PARTITIONS = 1_000;

  /** The share of the memory that one partition may take. */
  private static final int PART = 16;

  final AtomicLong compared = new AtomicLong();

  private final ShadowStore store;
  private final int sample;
  private final long mostBytes;
  private final BiConsumer<DecoratedKey, String> different;
  private final ReadWriteLock[] locks = new ReadWriteLock[LOCKS];
  private final Map<DecoratedKey, FollowedPartition> followed = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  /**
   * @param sample one in so many writes begins to follow its partition
   * @param mostBytes of the heap, of all that are followed
   * @param different told of each difference
   */
  ShadowSample(
      ShadowStore store, int sample, long mostBytes, BiConsumer<DecoratedKey, String> different) {
    this.store = store;
    this.sample = sample;
    this.mostBytes = mostBytes;
    this.different = different;
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantReadWriteLock();
    }
  }

  private ReadWriteLock lock(DecoratedKey key) {
    return locks[(key.hashCode() * 0x9E3779B9) >>> 24];
  }

  /** How many partitions are followed. */
  int size() {
    return followed.size();
  }

  List<DecoratedKey> keys() {
    return new ArrayList<>(followed.keySet());
  }

  /** Writes to RocksDB; the caller has a use of it. */
  void write(PartitionUpdate update) {
    DecoratedKey key = update.partitionKey();
    if (bytes.get() < mostBytes
        && followed.size() < MOST_PARTITIONS
        && ThreadLocalRandom.current().nextInt(sample) == 0) {
      follow(key);
    }
    FollowedPartition partition;
    Lock shared = lock(key).readLock();
    shared.lock();
    try {
      partition = followed.get(key);
      try {
        store.write(update);
      } catch (RuntimeException | Error e) {
        // It is there, or not, or will be after a start.
        if (partition != null) {
          forget(partition);
        }
        throw e;
      }
      if (partition != null) {
        bytes.addAndGet(partition.add(update));
      }
    } finally {
      shared.unlock();
    }
    if (partition != null && (isLarge(partition.bytes()) || bytes.get() > mostBytes)) {
      compare(partition, true);
    }
  }

  private boolean isLarge(long size) {
    return size > mostBytes / PART;
  }

  /** Begins to follow a partition, unless it is followed; whether it is now. */
  private boolean follow(DecoratedKey key) {
    if (followed.containsKey(key)) {
      return true;
    }
    Lock alone = lock(key).writeLock();
    alone.lock();
    try (Family.Use use = store.use()) {
      if (use == null || followed.containsKey(key)) {
        return use != null;
      }
      PartitionUpdate start;
      try (UnfilteredRowIterator rows =
          Transformation.apply(store.read(key), new Bound(mostBytes / PART))) {
        start = PartitionUpdate.fromIterator(rows, ColumnFilter.all(store.metadata));
      }
      FollowedPartition partition = new FollowedPartition(store.metadata, start);
      bytes.addAndGet(partition.bytes());
      followed.put(key, partition);
      return true;
    } catch (TooLarge e) {
      return false;
    } finally {
      alone.unlock();
    }
  }

  /** Once for each that is followed. */
  private void forget(FollowedPartition partition) {
    if (followed.remove(partition.key, partition)) {
      bytes.addAndGet(-partition.bytes());
    }
  }

  /** Compares all that are followed; how many differ. */
  long compareAll() {
    long differences = 0;
    for (FollowedPartition partition : followed.values()) {
      if (compare(partition, false) == Answer.DIFFERENT) {
        differences++;
      }
    }
    return differences;
  }

  /** Compares one, if it is followed, and else begins to follow it. */
  Answer compare(DecoratedKey key) {
    FollowedPartition partition = followed.get(key);
    if (partition != null) {
      return compare(partition, false);
    }
    return follow(key) ? Answer.FOLLOWED : Answer.NOT_FOLLOWED;
  }

  private Answer compare(FollowedPartition partition, boolean isLast) {
    DecoratedKey key = partition.key;
    String difference;
    Lock alone = lock(key).writeLock();
    alone.lock();
    try (Family.Use use = store.use()) {
      if (use == null || followed.get(key) != partition) {
        return Answer.NOT_FOLLOWED;
      }
      long before = partition.bytes();
      PartitionUpdate expected = partition.expected();
      bytes.addAndGet(partition.bytes() - before);
      // Without columns that the table has since, before all begins anew.
      try (UnfilteredRowIterator stock =
              expected.unfilteredIterator(ColumnFilter.all(store.metadata), Slices.ALL, false);
          UnfilteredRowIterator rocks = store.read(key)) {
        difference = PartitionDifference.between(stock, rocks);
      }
      if (store.isGone()) {
        return Answer.NOT_FOLLOWED; // whose rows may have been missing already
      }
      compared.incrementAndGet();
      if (isLast || difference != null || partition.compared() >= COMPARISONS) {
        forget(partition);
      }
    } finally {
      alone.unlock();
    }
    if (difference != null) {
      different.accept(key, difference);
    }
    return difference == null ? Answer.SAME : Answer.DIFFERENT;
  }

  /** A partition that is not to be followed. */
  private static final class TooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Ends a read that brings too much. */
  private static final class Bound extends Transformation<UnfilteredRowIterator> {
    private long left;

    Bound(long bytes) {
      left = bytes;
    }

    @Override
    protected Row applyToRow(Row row) {
      left -= row.unsharedHeapSize();
      if (left < 0) {
        throw new TooLarge();
      }
      return row;
    }
  }
}
