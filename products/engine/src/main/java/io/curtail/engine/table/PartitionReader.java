/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.ByteReader;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.codec.RecordDecoder;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.PartitionIterator;
import io.curtail.engine.store.RecordCache;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.RowAndDeletionMergeIterator;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.RocksIterator;

/**
 * One read of one partition, as Cassandra's own memtables answer it: what the partition's deletions
 * shadow is left out, columns that are not fetched are left out.
 *
 * <p>A table without clustering columns is one lookup, and so are rows named one by one where there
 * are no range tombstones. Otherwise one iterator gives header, ranges and rows of the same moment.
 * What RocksDB cannot read is an {@link org.apache.cassandra.io.FSError}. Thread-safe.
 */
public final class PartitionReader {
  private final TableStore store;
  private final TableMetadata metadata;
  private final ColumnFilter filter;

  /** Whether one partition after the other is read, once, with iterators alone. */
  private final boolean isThrough;

  /**
   * @param filter the columns to read
   */
  public PartitionReader(TableStore store, TableMetadata metadata, ColumnFilter filter) {
    this(store, metadata, filter, false);
  }

  private PartitionReader(
      TableStore store, TableMetadata metadata, ColumnFilter filter, boolean isThrough) {
    this.store = store;
    this.metadata = metadata;
    this.filter = filter;
    this.isThrough = isThrough;
  }

  /** The same from RocksDB alone, for who is no client: caches keep what clients read. */
  public static PartitionReader through(
      TableStore store, TableMetadata metadata, ColumnFilter filter) {
    return new PartitionReader(store, metadata, filter, true);
  }

  /** The partition in some slices; null if the slices hold nothing of it. */
  public UnfilteredRowIterator read(DecoratedKey key, Slices slices, boolean reversed) {
    Family family = store.familyToRead();
    return family == null ? null : read(family, key, slices, reversed);
  }

  /**
   * The same for those whom Cassandra does not wait for before it gives a memtable up.
   *
   * @param family in use until this returns
   */
  public UnfilteredRowIterator read(
      Family family, DecoratedKey key, Slices slices, boolean reversed) {
    byte[] partition = store.keys.encode(key);
    if (store.isClustered) {
      RowLookup lookup =
          isThrough ? null : RowLookup.of(store, family, metadata, filter, partition, slices);
      return lookup == null
          ? readClustered(family, key, partition, slices, reversed)
          : readFound(lookup, family, key, partition, slices, reversed);
    }
    byte[] record = Keys.record(partition, Keys.ROW);
    byte[] value =
        isThrough ? seek(family, record) : store.database.recordCache.find(family, record);
    return value == null ? null : readOnlyRow(key, new ByteReader(value), slices, reversed);
  }

  private byte[] seek(Family family, byte[] record) {
    try (PartitionIterator iterator = family.through.take()) {
      return store.valueAt(iterator.records, record);
    }
  }

  /** A partition of a table without clustering columns, from its record. */
  UnfilteredRowIterator readOnlyRow(
      DecoratedKey key, ByteReader value, Slices slices, boolean reversed) {
    RecordDecoder decoder = store.decoder(metadata, false);
    Row row = decoder.onlyRow(value);
    Iterator<Row> rows =
        row == null || slices.size() == 0 ? Collections.emptyIterator() : List.of(row).iterator();
    return new Result(
        metadata,
        filter,
        key,
        decoder.partitionDeletion(),
        Rows.EMPTY_STATIC_ROW,
        reversed,
        rows,
        null);
  }

  /**
   * All of the partition that a scan has come to, from the records that the scan copies. One with
   * range tombstones is read by itself, as of now; null if there is nothing left of it.
   */
  UnfilteredRowIterator readWhole(DecoratedKey key, PartitionScan scan, RecordDecoder decoder) {
    byte[] header = scan.header();
    Row staticRow = header == null ? null : decoder.header(header);
    DeletionTime deletion = header == null ? DeletionTime.LIVE : decoder.partitionDeletion();
    return header != null && decoder.hasRanges()
        ? read(key, Slices.ALL, false)
        : new Result(
            metadata,
            filter,
            key,
            deletion,
            selected(staticRow, deletion),
            false,
            scan.rows(decoder),
            null);
  }

  private UnfilteredRowIterator readFound(
      RowLookup lookup,
      Family family,
      DecoratedKey key,
      byte[] partition,
      Slices slices,
      boolean reversed) {
    RecordDecoder decoder = store.decoder(metadata, false);
    Row staticRow = null;
    DeletionTime deletion = DeletionTime.LIVE;
    if (lookup.header != null) {
      staticRow = decoder.header(lookup.header);
      deletion = decoder.partitionDeletion();
      if (decoder.hasRanges()) {
        return readClustered(family, key, partition, slices, reversed);
      }
    }
    List<Row> rows = new ArrayList<>(lookup.rows.size());
    for (int i = 0; i < lookup.rows.size(); i++) {
      int at = reversed ? lookup.rows.size() - 1 - i : i;
      byte[] value = lookup.rows.get(at);
      Row row = value == null ? null : decoder.row(lookup.clusterings.get(at), value);
      if (row != null) {
        rows.add(row);
      }
    }
    return lookup.header == null && rows.isEmpty()
        ? null
        : new Result(
            metadata,
            filter,
            key,
            deletion,
            selected(staticRow, deletion),
            reversed,
            rows.iterator(),
            null);
  }

  private UnfilteredRowIterator readClustered(
      Family family, DecoratedKey key, byte[] partition, Slices slices, boolean reversed) {
    boolean isWhole = !isThrough && !reversed && isWhole(slices);
    boolean needsHeader = store.needsHeader(filter);
    RecordCache.Place place = isWhole ? ofPartition(family, partition, needsHeader) : null;
    if (place != null) {
      byte[] memory = KeptRows.takeMemory();
      int length = place.get(memory);
      if (length >= 0) {
        return readKept(RecordChunk.copied(memory, length), key, partition);
      }
      KeptRows.giveBack(memory);
    }
    PartitionIterator iterator = (isThrough ? family.through : family.iterators).take();
    try {
      return read(iterator, key, partition, slices, reversed, place, needsHeader);
    } catch (RuntimeException | Error e) {
      iterator.discard();
      throw e;
    }
  }

  private RecordCache.Place ofPartition(Family family, byte[] partition, boolean needsHeader) {
    int kind = KeptPartition.kind(needsHeader);
    return store.database.recordCache.ofPartition(family, partition, kind);
  }

  /** All of a partition, from records that are kept. */
  private UnfilteredRowIterator readKept(RecordChunk records, DecoratedKey key, byte[] partition) {
    boolean isAtRow = records.next();
    boolean hasHeader = isAtRow && records.kind(partition.length) == Keys.HEADER;
    RecordDecoder decoder = store.decoder(metadata, false);
    Row staticRow = null;
    DeletionTime deletion = DeletionTime.LIVE;
    if (hasHeader) {
      staticRow = decoder.header(records.valueBytes());
      deletion = decoder.partitionDeletion();
      isAtRow = records.next();
    }
    KeptRows rows = new KeptRows(records, isAtRow, decoder, partition.length + 1);
    if (!hasHeader && !rows.hasNext()) {
      return null;
    }
    return new Result(
        metadata, filter, key, deletion, selected(staticRow, deletion), false, rows, null);
  }

  /**
   * With an iterator.
   *
   * @param place where all is to be kept; null if it is not
   * @param hadHeader whether the header belongs to that
   */
  private UnfilteredRowIterator read(
      PartitionIterator iterator,
      DecoratedKey key,
      byte[] partition,
      Slices slices,
      boolean reversed,
      RecordCache.Place place,
      boolean hadHeader) {
    RecordDecoder decoder = store.decoder(metadata, false);
    RocksIterator records = iterator.records;
    store.database.isolation.awaitComplete(partition);
    boolean hasHeader = false;
    boolean needsHeader = store.needsHeader(filter);
    KeptPartition kept =
        place != null && place.mayKeep() && needsHeader == hadHeader
            ? new KeptPartition(place)
            : null;
    if (needsHeader) {
      records.seek(Keys.record(partition, Keys.HEADER));
      byte[] first = records.isValid() ? records.key() : null;
      if (first == null || !Keys.hasPrefix(first, partition)) {
        store.database.check(records);
        iterator.close();
        if (kept != null) {
          kept.none();
        }
        return null;
      }
      hasHeader = first[partition.length] == Keys.HEADER;
    }
    byte[] header = hasHeader ? records.value() : null;
    Row staticRow = hasHeader ? decoder.header(header) : null;
    DeletionTime deletion = hasHeader ? decoder.partitionDeletion() : DeletionTime.LIVE;
    if (hasHeader && kept != null) {
      kept.header(partition, header);
    }
    ClusteringComparator comparator = metadata.comparator;
    RangeCursor ranges = null;
    if (hasHeader && decoder.hasRanges()) {
      kept = null;
      ranges = new RangeCursor(store, records, comparator, partition, slices, reversed);
    } else if (hasHeader && !reversed && beginsAtFirstRow(slices)) {
      // To where the cursor would seek.
      records.next();
    }
    boolean isShared = ranges != null && ranges.hasMore();
    RowCursor rows =
        new RowCursor(
            store, iterator, decoder, comparator, partition, slices, reversed, isShared, kept);
    if (ranges != null) {
      ranges.setRows(rows);
    }
    if (!hasHeader && !rows.hasNext()) {
      return null;
    }
    return new Result(
        metadata, filter, key, deletion, selected(staticRow, deletion), reversed, rows, ranges);
  }

  private static boolean beginsAtFirstRow(Slices slices) {
    return slices.size() > 0 && slices.get(0).start().size() == 0;
  }

  private static boolean isWhole(Slices slices) {
    return slices.size() == 1 && beginsAtFirstRow(slices) && slices.get(0).end().size() == 0;
  }

  private Row selected(Row staticRow, DeletionTime deletion) {
    if (staticRow == null || filter.fetchedColumns().statics.isEmpty()) {
      return Rows.EMPTY_STATIC_ROW;
    }
    Row selected = staticRow.filter(filter, deletion, false, metadata);
    return selected == null ? Rows.EMPTY_STATIC_ROW : selected;
  }

  /** Closes its rows; Cassandra's own iterator does the rest. */
  private static final class Result extends RowAndDeletionMergeIterator {
    private final Iterator<Row> rows;

    Result(
        TableMetadata metadata,
        ColumnFilter filter,
        DecoratedKey key,
        DeletionTime deletion,
        Row staticRow,
        boolean reversed,
        Iterator<Row> rows,
        Iterator<RangeTombstone> ranges) {
      super(
          metadata,
          key,
          deletion,
          filter,
          staticRow,
          reversed,
          EncodingStats.NO_STATS,
          rows,
          ranges == null ? Collections.emptyIterator() : ranges,
          true);
      this.rows = rows;
    }

    @Override
    public void close() {
      if (rows instanceof RowCursor) {
        ((RowCursor) rows).close();
      } else if (rows instanceof KeptRows) {
        ((KeptRows) rows).close();
      }
    }
  }
}
