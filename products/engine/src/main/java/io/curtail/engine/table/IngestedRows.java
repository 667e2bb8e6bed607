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
import io.curtail.engine.store.Garbage;
import io.curtail.engine.store.SortedFile;
import io.curtail.engine.store.StorageErrors;
import java.util.function.BooleanSupplier;
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
import org.rocksdb.RocksDBException;

/**
 * Partitions in the order of Cassandra as records of {@linkplain SortedFile files} that RocksDB
 * takes in. What cannot be in one is written as usual: deleted ranges, which change those that are
 * there, and rows whose keys sort otherwise than Cassandra sorts them.
 *
 * <p>For one thread.
 */
public final class IngestedRows implements AutoCloseable {
  /** Of one file, before it is compressed: the table's writers wait once for each. */
  private static final long MOST_BYTES = 256 << 20;

  /** Of deleted ranges that are written at once. */
  private static final int MOST_RANGES = 500;

  /** What the table is asked around each file. */
  public interface Gate {
    /** Returns when RocksDB has not too much to do. */
    void await();

    /** Runs it as a write of Cassandra, and again later while it returns false. */
    void write(BooleanSupplier ingestion);
  }

  private final TableStore store;
  private final TableMetadata metadata;
  private final Consumer<PartitionUpdate> others;
  private final Gate gate;
  private final RecordEncoder encoder = new RecordEncoder();
  private SortedFile file;

  /**
   * None yet.
   *
   * @param others takes what cannot be in a file
   */
  public IngestedRows(
      TableStore store, TableMetadata metadata, Consumer<PartitionUpdate> others, Gate gate) {
    this.store = store;
    this.metadata = metadata;
    this.others = others;
    this.gate = gate;
  }

  /** Whether rows of a table may come as files, beside those that are there. */
  public static boolean may(TableStore store, TableMetadata metadata) {
    return store.mergesBlindly(metadata);
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
        byte[] of = Comparables.record(key, Keys.ROW, metadata.comparator, row.clustering());
        record(partition, of, row, deletion, store.keepsClustering);
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
    if (!deletion.isLive()) {
      store.addGarbage(Garbage.ANYWHERE);
    }
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
    file = file == null ? new SortedFile(store.database, store.name()) : file;
    if (!file.add(key, fragment)) {
      PartitionUpdate.Builder update = update(partition, 1);
      update.addPartitionDeletion(partition.partitionLevelDeletion());
      if (row != null) {
        update.add(row);
      }
      others.accept(update.build());
    }
    if (file.bytes() >= MOST_BYTES) {
      ingest();
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
   * Makes what was added part of the table, durable, and to be {@linkplain SortedFile kept
   * elsewhere} for now. The table's writers wait for it, once for each file.
   */
  public void ingest() {
    if (file == null) {
      return;
    }
    file.finish();
    gate.await();
    flush(); // of nearly all, so that writers wait for little
    gate.write(() -> store.locks.whileNobodyWrites(this::ingestNow));
    close();
  }

  private void ingestNow() {
    // RocksDB would do it by itself, and hold up the writers of all tables meanwhile.
    flush();
    file.ingest(store.familyToIngest());
  }

  private void flush() {
    store.database.syncBeforeFlush();
    try (Family.Use use = store.use()) {
      if (use != null) {
        store.database.families.flushNow(use);
      }
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, store.database.directory);
    }
  }

  /** Deletes the last file, unless it was taken in. */
  @Override
  public void close() {
    if (file != null) {
      file.close();
      file = null;
    }
  }
}
