/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.Keys;
import io.curtail.engine.codec.RangeRecord;
import io.curtail.engine.codec.RecordDecoder;
import io.curtail.engine.codec.RecordEncoder;
import io.curtail.engine.codec.UnknownColumnException;
import io.curtail.engine.store.Batch;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.store.PartitionIterator;
import io.curtail.engine.store.StorageErrors;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.DeletionPurger;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.RangeTombstoneList;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * One pass over a table that removes what nobody can read: rows and cells under a partition or
 * range deletion, expired cells, what dropped columns had, and tombstones past {@code
 * gc_grace_seconds}.
 *
 * <p>It works under the partition's exclusive lock on fully merged records, so it knows all that
 * RocksDB has of a key. A tombstone goes only if the table has no data files of Cassandra, where
 * older data could be; a partition deletion goes only after all rows of the partition were seen
 * under one hold of the lock, and a range deletion where all rows that it may cover were: of a long
 * partition, which takes several, the first loses what is before its end, and so on. So nothing
 * comes back that Cassandra's own compaction would have kept away. For one thread.
 */
public final class Sweep {
  /** Rows handled under one hold of the lock: some milliseconds. */
  private static final int ROWS_A_HOLD = 2_000;

  /**
   * The same in bytes read, or written back: of large rows, fewer, but one at least. More if the
   * static row and the range deletions are more, which each hold reads.
   */
  private static final int BYTES_A_HOLD = 256 << 10;

  /** The same of a partition with range deletions: a hold that shortens one syncs the log. */
  private static final int BYTES_A_HOLD_WITH_RANGES = 4 * BYTES_A_HOLD;

  private final TableStore store;
  private final Supplier<TableMetadata> definition;
  private final BooleanSupplier mayPurge;
  private final long nowSeconds;
  private final RecordEncoder encoder = new RecordEncoder();

  private long removed;

  /** Under the last hold. */
  private long bytesRead;

  /**
   * @param definition of the table as it is now, asked again and again: it may change meanwhile
   * @param nowSeconds since the epoch, for what has expired
   * @param mayPurge whether tombstones past their grace may go now, asked again and again
   */
  public Sweep(
      TableStore store,
      Supplier<TableMetadata> definition,
      long nowSeconds,
      BooleanSupplier mayPurge) {
    this.store = store;
    this.definition = definition;
    this.mayPurge = mayPurge;
    this.nowSeconds = nowSeconds;
  }

  /** Records that were deleted or made smaller. */
  public long removed() {
    return removed;
  }

  /**
   * Sweeps one partition.
   *
   * @param pace told after each hold of the lock how many bytes were read; whether to go on
   * @return the same, of the partitions that follow
   */
  public boolean partition(byte[] partition, LongPredicate pace) {
    Part part = new Part(Keys.record(partition, Keys.ROW), ClusteringBound.BOTTOM, true);
    while (part != null) {
      bytesRead = 0;
      part = sweep(partition, part);
      if (!pace.test(bytesRead)) {
        return false;
      }
    }
    return true;
  }

  private Part sweep(byte[] partition, Part part) {
    try {
      return hold(partition, part);
    } catch (UnknownColumnException e) {
      // The table has got another column meanwhile.
      return hold(partition, part);
    }
  }

  private Part hold(byte[] partition, Part part) {
    Lock lock = store.locks.exclusive(partition);
    lock.lock();
    try (Family.Use use = store.use()) {
      if (use == null || store.state() != GenerationState.SERVING) {
        return null;
      }
      Hold hold = new Hold(use.family, partition, mayPurge.getAsBoolean());
      Part next = hold.sweep(part);
      bytesRead = hold.bytes;
      if (hold.shortened) {
        // After a loss of power the range must not lack more than was removed with it, also when
        // a writer puts it again.
        store.database.logSync.sync();
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Where rows begin that are seen under a hold of the lock. */
  private static final class Part {
    final byte[] key;

    /** No row is at or behind this and before the key; null if that is not known. */
    final ClusteringBound<?> start;

    final boolean isFirst;

    Part(byte[] key, ClusteringBound<?> start, boolean isFirst) {
      this.key = key;
      this.start = start;
      this.isFirst = isFirst;
    }
  }

  /** What is done under one hold of the lock. */
  private final class Hold {
    private final Family of;
    private final ColumnFamilyHandle family;
    private final byte[] partition;
    private final boolean purges;

    // As writers have it that had the lock before.
    private final TableMetadata metadata = definition.get();
    private final RecordDecoder decoder = store.decoder(metadata, true);
    private final DeletionPurger purger;
    private long bytes;

    /** Whether a range lost its front. */
    private boolean shortened;

    Hold(Family of, byte[] partition, boolean purges) {
      this.of = of;
      family = of.handle;
      this.partition = partition;
      this.purges = purges;
      long gcBefore = nowSeconds - metadata.params.gcGraceSeconds;
      purger = (timestamp, localDeletionTime) -> localDeletionTime < gcBefore;
    }

    /** Returns what to go on with under the next hold; null if this was the last. */
    Part sweep(Part part) {
      Batch batch = new Batch();
      try (PartitionIterator iterator = of.through.take()) {
        RocksIterator records = iterator.records;
        Header header = new Header(records);
        Part next = rows(records, batch, header, part.key);
        header.sweep(batch, part, next);
        if (batch.count() > 0) {
          removed += batch.count();
          store.database.write(batch, List.of(partition));
        }
        return next;
      } catch (RocksDBException e) {
        throw StorageErrors.writing(e, store.database.directory);
      }
    }

    private Part rows(RocksIterator records, Batch batch, Header header, byte[] from)
        throws RocksDBException {
      byte[] last = null;
      Row lastRow = null;
      long bytesBefore = bytes;
      long most = header.bytesOfRows();
      records.seek(from);
      for (int count = 0; records.isValid(); count++) {
        byte[] key = records.key();
        if (!Keys.hasPrefix(key, partition)) {
          return null;
        }
        if (count == ROWS_A_HOLD
            || (count > 0 && Math.max(bytes - bytesBefore, batch.size()) >= most)) {
          return behind(last, lastRow);
        }
        byte[] value = records.value();
        bytes += key.length + value.length;
        Row row = decoder.row(key, partition.length + 1, value);
        boolean hasDropped = decoder.hasDropped();
        DeletionTime own = decoder.partitionDeletion();
        DeletionTime shadow = store.isClustered ? header.covering(row) : own;
        Row left = left(row, shadow);
        DeletionTime kept = purges && purger.shouldPurge(own) ? DeletionTime.LIVE : own;
        if (left != row || hasDropped || !kept.equals(own)) {
          replace(batch, key, left, kept, false, store.keepsClustering && left != null);
        }
        last = key;
        lastRow = row;
        records.next();
      }
      store.database.check(records);
      return null;
    }

    /** Right behind a row, so that what is written there meanwhile is seen. */
    private Part behind(byte[] last, Row row) {
      return new Part(
          Arrays.copyOf(last, last.length + 1),
          row == null ? null : ClusteringBound.exclusiveStartOf(row.clustering()),
          false);
    }

    private Row left(Row row, DeletionTime shadow) {
      Row left = row;
      if (left != null && !shadow.isLive()) {
        left = left.filter(ColumnFilter.all(metadata), shadow, false, metadata);
      }
      if (left != null && purges) {
        left = left.purge(purger, nowSeconds, metadata.enforceStrictLiveness());
      }
      return left;
    }

    private void replace(
        Batch batch,
        byte[] key,
        Row row,
        DeletionTime deletion,
        boolean hasRanges,
        boolean keepClustering)
        throws RocksDBException {
      if (row == null && deletion.isLive() && !hasRanges) {
        batch.delete(family, key);
      } else {
        batch.put(
            family, key, encoder.encode(store.columns, row, deletion, hasRanges, keepClustering));
      }
    }

    /** The partition's header and ranges, as they are under this hold. */
    private final class Header {
      private final byte[] key = Keys.record(partition, Keys.HEADER);
      private Row staticRow;
      private DeletionTime deletion = DeletionTime.LIVE;
      private RangeTombstoneList ranges;

      /** Of itself and the ranges. */
      private long size;

      private boolean exists;
      private boolean hasDropped;

      Header(RocksIterator records) {
        if (!store.isClustered) {
          return;
        }
        byte[] value = store.valueAt(records, key);
        exists = value != null;
        if (exists) {
          size = value.length;
          staticRow = decoder.header(value);
          hasDropped = decoder.hasDropped();
          deletion = decoder.partitionDeletion();
          if (decoder.hasRanges()) {
            RangeWalk walk = new RangeWalk(store, records, metadata.comparator, partition);
            ranges = new RangeTombstoneList(metadata.comparator, 4);
            walk.forward(Slice.ALL, Integer.MAX_VALUE, ranges);
            size += walk.bytes();
          }
          bytes += size;
        }
      }

      /** How many may be read, or written, under this hold. */
      long bytesOfRows() {
        return Math.max(ranges == null ? BYTES_A_HOLD : BYTES_A_HOLD_WITH_RANGES, size);
      }

      DeletionTime covering(Row row) {
        DeletionTime range =
            ranges == null || row == null ? null : ranges.searchDeletionTime(row.clustering());
        return range != null && range.supersedes(deletion) ? range : deletion;
      }

      /** Of the partition as it is when the rows of a part, up to the next, have been swept. */
      void sweep(Batch batch, Part part, Part next) throws RocksDBException {
        if (!exists) {
          return;
        }
        boolean hasRanges = false;
        Iterator<RangeTombstone> stored =
            ranges == null ? Collections.emptyIterator() : ranges.iterator();
        while (stored.hasNext()) {
          RangeTombstone range = stored.next();
          RangeTombstone kept = kept(range, part, next);
          if (!range.equals(kept)) {
            batch.setHasHeaders();
            byte[] record = RangeRecord.key(metadata.comparator, partition, range);
            if (kept == null) {
              batch.delete(family, record);
            } else {
              batch.put(family, record, RangeRecord.encode(kept));
              shortened = true;
            }
          }
          hasRanges |= kept != null;
        }
        boolean isWhole = part.isFirst && next == null;
        Row left = left(staticRow, deletion);
        DeletionTime kept =
            isWhole && purges && purger.shouldPurge(deletion) ? DeletionTime.LIVE : deletion;
        if (left != staticRow
            || hasDropped
            || !kept.equals(deletion)
            || (ranges != null && !hasRanges)) {
          batch.setHasHeaders();
          replace(batch, key, left, kept, hasRanges, false);
        }
      }

      /** What of a range is still needed; null if nothing. It keeps its end, its record's key. */
      private RangeTombstone kept(RangeTombstone range, Part part, Part next) {
        boolean isUseless =
            !range.deletionTime().supersedes(deletion)
                || (purges && purger.shouldPurge(range.deletionTime()));
        ClusteringComparator comparator = metadata.comparator;
        ClusteringBound<?> start = range.deletedSlice().start();
        ClusteringBound<?> end = range.deletedSlice().end();
        if (!isUseless || part.start == null || comparator.compare(start, part.start) < 0) {
          return range;
        }
        if (next == null) {
          return null;
        }
        if (next.start == null || comparator.compare(start, next.start) >= 0) {
          return range;
        }
        return comparator.compare(end, next.start) <= 0
            ? null
            : new RangeTombstone(Slice.make(next.start, end), range.deletionTime());
      }
    }
  }
}
