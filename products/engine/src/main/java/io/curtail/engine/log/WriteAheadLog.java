/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of all writes to tables, in place of RocksDB's own: there, each write waits in a queue
 * until the group before it has been handed to the operating system; here, a writer takes its place
 * with one atomic step and hands its record over itself.
 *
 * <p>Segments fill one after the other. The oldest is given back when all that it has is in files
 * of RocksDB. When they have taken up what they may, the older half of them is: what they are about
 * is flushed first. If that fails it is tried again, and the log grows meanwhile.
 *
 * <p>Thread-safe.
 */
public final class WriteAheadLog implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(WriteAheadLog.class);

  private static final int MOST_SEGMENT_BYTES = 32 << 20;
  private static final int LEAST_SEGMENT_BYTES = 64 << 10;
  private static final int SEGMENTS = 16;
  private static final long RETRY_NANOS = 1_000_000_000;

  /** Where the writes go after the log. */
  public interface Storage {
    /** The place of the last write in the order of all writes. */
    long place();

    /** Whether all writes of a column family up to a place are in files that survive. */
    boolean isFlushed(int family, long place);

    /** Brings all writes of some column families into such files. */
    void flush(Set<Integer> families) throws RocksDBException;
  }

  /** What is done while nobody writes: it needs nothing of a writer. */
  public interface Change<T> {
    T make() throws RocksDBException;
  }

  private final Path directory;
  private final long mostBytes;
  private final int segmentBytes;
  private final SegmentFlushes flushes;
  private final LogSegment.Disk disk;
  private final List<Thread> threads;

  /** Around each append: what is in the log is there as a whole after a barrier. */
  private final OpOrder appends = new OpOrder();

  /** Around each append and the write to RocksDB that follows it. */
  private final OpOrder writes = new OpOrder();

  /** Held by whoever holds writes up; awaited by writers that have announced nothing. */
  private final ReentrantLock changing = new ReentrantLock();

  private volatile boolean isHeldUp;

  /** Held while segments are synced or given back, never by a writer. */
  private final Object syncing = new Object();

  /** A sync that failed, or a record that could not be revoked; there is none after it. */
  private volatile Throwable unsynced;

  /** Whether a file got another name since the directory was synced; guarded by syncing. */
  private boolean renamed;

  // Guarded by this.
  private final Deque<LogSegment> full = new ArrayDeque<>();
  private LogSegment spare;
  private long nextNumber = 1;
  private long nextFile = 1;
  private boolean anyFlushed;

  /** The last segment that shall be given back, however small the log is. */
  private long released;

  private volatile LogSegment active;

  /**
   * A log that goes on after segments that are there, which are given back first.
   *
   * @param mostBytes how much it may take up before it gives segments back
   */
  public WriteAheadLog(Path directory, long mostBytes, List<LogSegment> found, Storage storage) {
    this(directory, mostBytes, found, storage, LogSegment.Disk.SYSTEM);
  }

  WriteAheadLog(
      Path directory,
      long mostBytes,
      List<LogSegment> found,
      Storage storage,
      LogSegment.Disk disk) {
    this.disk = disk;
    this.directory = directory;
    this.mostBytes = mostBytes;
    flushes = new SegmentFlushes(storage, writes);
    segmentBytes =
        (int) Math.min(MOST_SEGMENT_BYTES, Math.max(LEAST_SEGMENT_BYTES, mostBytes / SEGMENTS));
    full.addAll(found);
    for (LogSegment segment : found) {
      nextNumber = Math.max(nextNumber, segment.number() + 1);
      nextFile = Math.max(nextFile, segment.fileNumber() + 1);
    }
    threads =
        List.of(
            new Thread(() -> keep(found), "rocksdb-log-keeper"),
            new Thread(this::prepare, "rocksdb-log-spare"));
    for (Thread thread : threads) {
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Announces a write; the caller closes it when RocksDB has what was appended. */
  public OpOrder.Group start() {
    OpOrder.Group write = writes.start();
    if (!isHeldUp) {
      return write;
    }
    write.close();
    changing.lock();
    try {
      // Who holds writes up next waits for this one.
      return writes.start();
    } finally {
      changing.unlock();
    }
  }

  /** Does something while no write is announced; not for a thread that has announced one. */
  public <T> T whileNobodyWrites(Change<T> change) throws RocksDBException {
    changing.lock();
    try {
      isHeldUp = true;
      awaitAll(writes);
      return change.make();
    } finally {
      isHeldUp = false;
      changing.unlock();
    }
  }

  /**
   * Appends a batch, of which all or nothing survives; durable after the next {@link #sync}.
   *
   * @param batch an array that begins with it
   * @param families the column families that it changes
   * @return what {@link #revoke} knows it by
   * @throws FSWriteError if there is no room for another segment, or the disk fails or has failed
   */
  public long append(byte[] batch, int size, Set<Integer> families) {
    if (unsynced != null) {
      throw new FSWriteError(failedBefore(), new File(directory));
    }
    while (true) {
      OpOrder.Group unfinished = appends.start();
      LogSegment segment = active;
      try {
        int position = segment == null ? 0 : segment.append(batch, size, families);
        if (position > 0) {
          return segment.number() << Integer.SIZE | position;
        }
      } catch (IOException e) {
        throw new FSWriteError(e, new File(directory));
      } finally {
        unfinished.close();
      }
      replace(segment, size);
    }
  }

  /**
   * Takes an appended batch back that goes nowhere else: a start would write it before others that
   * know nothing of it. Durable when this returns; for a writer before it closes what it announced.
   *
   * @throws IOException if the disk does not take it; then there is no sync any more, and no append
   */
  public void revoke(long record, int size) throws IOException {
    try {
      segmentOf(record).revoke((int) record, size);
    } catch (IOException | RuntimeException | Error e) {
      unsynced = e;
      throw e;
    }
  }

  private synchronized LogSegment segmentOf(long record) {
    if (isIn(active, record)) {
      return active;
    }
    return full.stream().filter(segment -> isIn(segment, record)).findAny().orElseThrow();
  }

  /** Half of the bits of a segment's number tell it from all others that there are. */
  private static boolean isIn(LogSegment segment, long record) {
    return (int) segment.number() == (int) (record >>> Integer.SIZE);
  }

  private synchronized void replace(LogSegment segment, int size) {
    if (active != segment) {
      return;
    }
    int least = LogSegment.HEADER_BYTES + LogSegment.lengthOf(size);
    try {
      LogSegment next = spare;
      if (next == null || next.capacity < least) {
        next = LogSegment.create(directory, nextFile++, Math.max(least, segmentBytes), disk);
      } else {
        spare = null;
      }
      begin(next);
      if (segment != null) {
        full.add(segment);
      }
      active = next;
      notifyAll();
    } catch (IOException e) {
      throw new FSWriteError(e, new File(directory));
    }
  }

  /** The numbers of segments have no gaps: one that cannot be begun leaves nothing. */
  private void begin(LogSegment segment) throws IOException {
    try {
      segment.begin(nextNumber);
      nextNumber++;
    } catch (IOException e) {
      segment.delete();
      throw e;
    }
  }

  /**
   * Has what was appended before the call flushed and given back, in the background, if any of it
   * is of a column family: so no start writes that again.
   *
   * @param family by the number that RocksDB knows it by
   * @return what {@link #has} knows it by
   * @throws FSWriteError if there is no room for another segment
   */
  public long release(int family) {
    LogSegment segment = active;
    if (segment != null && segment.families().contains(family)) {
      replace(segment, 0);
    }
    synchronized (this) {
      long last = 0;
      for (LogSegment each : full) {
        last = each.families().contains(family) ? each.number() : last;
      }
      released = Math.max(released, last);
      notifyAll();
      return last;
    }
  }

  /** Whether anything is still here of what was {@linkplain #release released}. */
  public synchronized boolean has(long last) {
    return !full.isEmpty() && full.getFirst().number() <= last;
  }

  /** Has a spare segment ready whenever there is none. */
  private void prepare() {
    try {
      while (true) {
        long file = awaitNeedOfSpare();
        try {
          LogSegment made = LogSegment.create(directory, file, segmentBytes, disk);
          synchronized (this) {
            spare = made;
          }
        } catch (IOException e) {
          if (Thread.currentThread().isInterrupted()) {
            return;
          }
          // Writers will try, and tell.
          logger.warn("No spare segment of the log: {}", e.toString());
          TimeUnit.NANOSECONDS.sleep(RETRY_NANOS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the number of the file to make. */
  private synchronized long awaitNeedOfSpare() throws InterruptedException {
    while (active == null || spare != null) {
      wait();
    }
    return nextFile++;
  }

  /**
   * Brings everything that was appended before the call to the disk.
   *
   * @throws IOException if the disk does not take it, or did not before: what the operating system
   *     could not write it may have dropped, and would say nothing of it the next time
   */
  public void sync() throws IOException {
    synchronized (syncing) {
      if (unsynced != null) {
        throw failedBefore();
      }
      try {
        syncSegments();
      } catch (IOException | RuntimeException | Error e) {
        unsynced = e;
        throw e;
      }
    }
  }

  private IOException failedBefore() {
    return new IOException(
        "the log could not be synced, nothing is written before the node is started again",
        unsynced);
  }

  /** Whether a sync failed, so that the log's files may lack what RocksDB has. */
  public boolean isBroken() {
    return unsynced != null;
  }

  private void syncSegments() throws IOException {
    LogSegment last;
    int end;
    List<LogSegment> before;
    // As of one moment: of segments that fill meanwhile, a later one must not come first.
    synchronized (this) {
      last = active;
      end = last == null ? 0 : last.end();
      before = new ArrayList<>(full);
    }
    awaitAll(appends);
    for (LogSegment segment : before) {
      if (segment.isOpen()) {
        renamed |= segment.sync(segment.end());
        segment.close();
      }
    }
    if (last != null) {
      renamed |= last.sync(end);
    }
    if (renamed) {
      LogSegment.syncDirectory(directory);
      renamed = false;
    }
  }

  static void awaitAll(OpOrder order) {
    OpOrder.Barrier barrier = order.newBarrier();
    barrier.issue();
    barrier.await();
  }

  /** What the segments take up, in bytes. */
  public synchronized long bytes() {
    long bytes = active == null ? 0 : active.capacity;
    for (LogSegment segment : full) {
      bytes += segment.capacity;
    }
    return bytes;
  }

  /** Tells the log that something was flushed; returns at once. */
  public synchronized void flushed() {
    anyFlushed = true;
    notifyAll();
  }

  private void keep(List<LogSegment> found) {
    // What failed is done again with these, and with no other: of them all writes are in RocksDB.
    List<LogSegment> giving = found;
    while (!Thread.currentThread().isInterrupted()) {
      try {
        if (!giving.isEmpty()) {
          flushes.flush(giving);
          delete(giving);
          giving = List.of();
        }
        awaitWork();
        giving = flushes.flushed(oldest(Integer.MAX_VALUE));
        delete(giving);
        giving = List.of();
        giving = oldest(surplus());
      } catch (InterruptedException e) {
        return;
      } catch (Throwable t) {
        logger.warn("The log could not be shortened, trying again: {}", t.toString());
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private synchronized void awaitWork() throws InterruptedException {
    while (!anyFlushed && surplus() == 0) {
      wait();
    }
    anyFlushed = false;
  }

  /** How many segments shall be given back although not all of them is in files. */
  private synchronized int surplus() {
    int most = bytes() <= mostBytes ? 0 : (full.size() + 1) / 2;
    long asked = full.stream().filter(segment -> segment.number() <= released).count();
    return Math.max(most, (int) asked);
  }

  /** Deletes them, oldest first, or what a deletion that failed has left of them. */
  private void delete(List<LogSegment> segments) throws IOException {
    if (segments.isEmpty()) {
      return;
    }
    synchronized (syncing) {
      for (LogSegment segment : segments) {
        segment.delete();
      }
      LogSegment.syncDirectory(directory);
      synchronized (this) { // not before: who asks rests on it
        full.removeAll(segments);
      }
    }
    logger.debug("Gave {} segments of the log back", segments.size());
  }

  private synchronized List<LogSegment> oldest(int count) {
    return new ArrayList<>(full).subList(0, Math.min(count, full.size()));
  }

  /** Ends the threads of the log, unless one waits for RocksDB; writes go on. */
  @Override
  public void close() {
    end(RETRY_NANOS);
  }

  /** As {@link #close}, but waits so long for a thread that waits for RocksDB. */
  public void end(long nanos) {
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      Uninterruptibles.joinUninterruptibly(thread, nanos, TimeUnit.NANOSECONDS);
    }
  }
}
