/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.ByteWriter;
import io.curtail.engine.codec.Comparables;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.codec.RecordEncoder;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.SortedFile;
import io.curtail.engine.store.StorageErrors;
import java.util.function.Consumer;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.RangeTombstoneMarker;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/**
 * Partitions in the order of Cassandra as records of one {@linkplain SortedFile file} for RocksDB.
 * What cannot be in it is written as usual: deleted ranges, which change those that are there, and
 * rows whose keys sort otherwise than Cassandra sorts them.
 *
 * <p>For one thread.
 */
public final class IngestedRows implements AutoCloseable {
  /** Of deleted ranges that are written at once. */
  private static final int MOST_RANGES = 500;

  private final TableStore store;
  private final TableMetadata metadata;
  private final Consumer<PartitionUpdate> others;
  private final RecordEncoder encoder = new RecordEncoder();
  private final SortedFile file;

  /**
   * None yet.
   *
   * @param others takes what cannot be in the file
   */
  public IngestedRows(TableStore store, TableMetadata metadata, Consumer<PartitionUpdate> others) {
    this.store = store;
    this.metadata = metadata;
    this.others = others;
    file = new SortedFile(store.database, store.name());
  }

  /** Whether rows of a table may come as files, beside those that are there. */
  public static boolean may(TableStore store, TableMetadata metadata) {
    return store.mergesBlindly(metadata);
  }

  /** What is in the file, in bytes, before it is compressed. */
  public long bytes() {
    return file.bytes();
  }

  /**
   * Adds a partition, which comes after those before.
   *
   * @param each is run with each row and each end of a deleted range
   */
  public void add(UnfilteredRowIterator partition, Runnable each) {
    byte[] key = store.keys.encode(partition.partitionKey());
    if (store.isClustered) {
      header(partition, key);
    }
    Ranges ranges = new Ranges(partition);
    DeletionTime deletion =
        store.isClustered ? DeletionTime.LIVE : partition.partitionLevelDeletion();
    if (!store.isClustered && !partition.hasNext() && !deletion.isLive()) {
      record(partition, Keys.record(key, Keys.ROW), null, deletion, false);
    }
    while (partition.hasNext()) {
      Unfiltered next = partition.next();
      if (next.isRow()) {
        Row row = (Row) next;
        byte[] suffix = Comparables.clustering(metadata.comparator, row.clustering());
        record(partition, Keys.record(key, Keys.ROW, suffix), row, deletion, store.keepsClustering);
      } else {
        ranges.add((RangeTombstoneMarker) next);
      }
      each.run();
    }
    ranges.write();
  }

  private void header(UnfilteredRowIterator partition, byte[] key) {
    Row staticRow = partition.staticRow().isEmpty() ? null : partition.staticRow();
    DeletionTime deletion = partition.partitionLevelDeletion();
    if (staticRow != null || !deletion.isLive()) {
      record(partition, Keys.record(key, Keys.HEADER), staticRow, deletion, false);
    }
  }

  private void record(
      UnfilteredRowIterator partition,
      byte[] key,
      Row row,
      DeletionTime deletion,
      boolean keepsClustering) {
    ByteWriter fragment =
        encoder.encode(store.columns, row, deletion, false, keepsClustering && row != null);
    if (!file.add(key, fragment)) {
      PartitionUpdate.Builder update = update(partition, 1);
      update.addPartitionDeletion(partition.partitionLevelDeletion());
      if (row != null) {
        update.add(row);
      }
      others.accept(update.build());
    }
  }

  private PartitionUpdate.Builder update(UnfilteredRowIterator partition, int rows) {
    return new PartitionUpdate.Builder(
        metadata, partition.partitionKey(), partition.columns(), rows, false);
  }

  /** The deleted ranges of a partition. */
  private final class Ranges {
    private final UnfilteredRowIterator partition;
    private PartitionUpdate.Builder update;
    private int count;
    private ClusteringBound<?> start;
    private DeletionTime deletion;

    Ranges(UnfilteredRowIterator partition) {
      this.partition = partition;
    }

    void add(RangeTombstoneMarker marker) {
      if (marker.isClose(false)) {
        Slice slice = Slice.make(start, marker.closeBound(false));
        update = update == null ? update(partition, 0) : update;
        update.add(new RangeTombstone(slice, deletion));
        if (++count == MOST_RANGES) {
          write();
        }
      }
      if (marker.isOpen(false)) {
        start = marker.openBound(false);
        deletion = marker.openDeletionTime(false);
      }
    }

    void write() {
      if (update != null) {
        others.accept(update.build());
        update = null;
        count = 0;
      }
    }
  }

  /**
   * Ends the file, and has nearly all that is written by now in files of RocksDB, so that {@link
   * #ingest} waits for little.
   */
  public void finish() {
    if (file.bytes() > 0) {
      file.finish();
      flush();
    }
  }

  /**
   * Makes the file's records part of the table, durable, and to be {@linkplain SortedFile kept
   * elsewhere} for now; for those whom Cassandra waits for. The table's writers wait.
   */
  public void ingest() {
    if (file.bytes() > 0) {
      ColumnFamilyHandle family = store.familyToWrite();
      store.locks.whileNobodyWrites(
          () -> {
            // RocksDB would do it by itself, and hold up the writers of all tables meanwhile.
            flush();
            file.ingest(family);
          });
    }
  }

  private void flush() {
    store.database.syncBeforeFlush();
    try (Family.Use use = store.use();
        FlushOptions waiting = new FlushOptions().setWaitForFlush(true).setAllowWriteStall(true)) {
      if (use != null) {
        use.run(handle -> store.database.rocksdb.flush(waiting, handle));
      }
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, store.database.directory);
    }
  }

  /** Deletes the file, unless it was taken in. */
  @Override
  public void close() {
    file.close();
  }
}
