/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.hooks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.StorageHook;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIteratorWithLowerBound;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableId;

/**
 * Makes a node's storage slow on demand, as a failing disk would: every read of a single partition
 * that finds data waits on the thread that serves it, in the read stage, whether a remote or the
 * local coordinator asked. Range reads, writes and the network are not touched.
 *
 * <p>Stock Cassandra loads it through {@code -Dcassandra.storage_hook}. The delay in nanoseconds is
 * the first eight bytes (big endian) of the file named by {@code -Dio.curtail.lab.read-delay},
 * mapped into memory: a change is seen by the next read and costs a memory load when off.
 */
public class SwitchableReadDelay implements StorageHook {
  private final ByteBuffer delayNanos;

  public SwitchableReadDelay() {
    try (FileChannel channel = FileChannel.open(delayFile(), StandardOpenOption.READ)) {
      delayNanos = channel.map(FileChannel.MapMode.READ_ONLY, 0, Long.BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path delayFile() {
    return Path.of(System.getProperty("io.curtail.lab.read-delay"));
  }

  @Override
  public void reportRead(TableId table, DecoratedKey key) {
    long nanos = delayNanos.getLong(0);
    if (nanos <= 0) {
      return;
    }
    park(System.nanoTime() + nanos);
  }

  /** Holds this thread until a time of {@link System#nanoTime}. */
  static void park(long endNanos) {
    for (long left = endNanos - System.nanoTime(); left > 0; left = endNanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public void reportWrite(TableId table, PartitionUpdate update) {}

  @Override
  public UnfilteredRowIteratorWithLowerBound makeRowIteratorWithLowerBound(
      ColumnFamilyStore table,
      SSTableReader sstable,
      DecoratedKey key,
      ClusteringIndexFilter filter,
      ColumnFilter columns,
      SSTableReadsListener listener) {
    return new UnfilteredRowIteratorWithLowerBound(key, sstable, filter, columns, listener);
  }

  @Override
  public UnfilteredRowIterator makeRowIterator(
      ColumnFamilyStore table,
      SSTableReader sstable,
      DecoratedKey key,
      Slices slices,
      ColumnFilter columns,
      boolean reversed,
      SSTableReadsListener listener) {
    return sstable.rowIterator(key, slices, columns, reversed, listener);
  }
}
