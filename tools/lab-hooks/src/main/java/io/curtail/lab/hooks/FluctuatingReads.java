/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.hooks;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Storage whose service times are a {@link StoragePlan}'s, for tables of the lab's keyspace, and a
 * record of what was served. The plan is in the file {@value #PLAN} beside that of the delay, the
 * record in {@value #SERVED}: {@value #RECORD_BYTES} bytes a read, big endian: the hash of the key,
 * which read of it this was, nanoseconds from the plan's start to the read's, the wanted time and
 * the actual one. It is a {@link SwitchableReadDelay} too, whose delay comes on top of the plan's.
 */
public final class FluctuatingReads extends SwitchableReadDelay {
  /** Mapped by the node; eight numbers of eight bytes, the run's first. */
  public static final String PLAN = "storage-plan";

  /** What the node served since the plan came, a process that was started anew too. */
  public static final String SERVED = "storage-served";

  public static final int RECORD_BYTES = 40;
  private static final String KEYSPACE = "curtail_lab";

  private final ByteBuffer control;
  private final Path served;
  private volatile Run current;

  /** The reads of a plan. */
  private static final class Run {
    final StoragePlan plan;
    final FileChannel log;
    final ConcurrentMap<Long, Integer> reads = new ConcurrentHashMap<>();

    Run(StoragePlan plan, Path served) {
      this.plan = plan;
      try {
        log =
            FileChannel.open(
                served,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Not of reads that end after their run. */
    synchronized void log(ByteBuffer bytes) {
      try {
        if (log.isOpen()) {
          log.write(bytes);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    synchronized void close() {
      try {
        log.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public FluctuatingReads() {
    Path plan = delayFile().resolveSibling(PLAN);
    served = delayFile().resolveSibling(SERVED);
    try (RandomAccessFile file = new RandomAccessFile(plan.toFile(), "rw")) {
      file.setLength(StoragePlan.BYTES);
      control = file.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, StoragePlan.BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void reportRead(TableId table, DecoratedKey key) {
    super.reportRead(table, key);
    if (control.getLong(0) == 0) {
      return;
    }
    TableMetadata metadata = Schema.instance.getTableMetadata(table);
    if (metadata == null || !metadata.keyspace.equals(KEYSPACE)) {
      return;
    }
    Run run = run();
    if (run != null) {
      serve(run, StoragePlan.hash(key.getKey()));
    }
  }

  /** Null if the plan was taken away just now and there was none before. */
  private Run run() {
    Run run = current;
    return run != null && run.plan.run() == control.getLong(0) ? run : newRun();
  }

  private synchronized Run newRun() {
    if (current == null || current.plan.run() != control.getLong(0)) {
      StoragePlan plan = StoragePlan.read(control);
      if (plan != null) {
        if (current != null) {
          current.close();
        }
        current = new Run(plan, served);
      }
    }
    return current;
  }

  private static void serve(Run run, long keyHash) {
    long start = System.nanoTime();
    int occurrence = run.reads.merge(keyHash, 1, Integer::sum) - 1;
    double unit = run.plan.unit(keyHash, occurrence);
    long wanted = (long) (unit * run.plan.meanNanos(run.plan.interval(start)));
    park(start + wanted);
    long took = System.nanoTime() - start;
    run.log(
        ByteBuffer.allocate(RECORD_BYTES)
            .putLong(keyHash)
            .putLong(occurrence)
            .putLong(start - run.plan.startNanos())
            .putLong(wanted)
            .putLong(took)
            .flip());
  }
}
