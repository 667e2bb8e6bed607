/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.rows.ArrayCell;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.CellPath;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.utils.BulkIterator;
import org.apache.cassandra.utils.btree.BTree;
import org.apache.cassandra.utils.btree.UpdateFunction;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSource;

/**
 * Reads the value of a HEADER or ROW record back into Cassandra's objects, reconciling its
 * {@linkplain Fragments fragments} as Cassandra would. Large cell values are slices of the record.
 *
 * <p>What a record says of its partition is had from {@link #partitionDeletion} and {@link
 * #hasRanges} until the next record is decoded. A damaged record is a {@link
 * DamagedRecordException}. Not thread-safe: one a read.
 */
public final class RecordDecoder {
  private static final int USUAL_COLUMNS = 8;

  /** A value up to here takes less memory as a copy than as a slice. */
  private static final int MOST_COPIED_BYTES = 32;

  private final ClusteringComparator comparator;
  private final ColumnView columns;
  private final boolean keepsClustering;
  private final boolean strict;

  /** Cells and multi-cell columns of the fragment that is decoded, and how many there are. */
  private Object[] found = new Object[USUAL_COLUMNS];

  private int count;

  private DeletionTime partitionDeletion;
  private boolean hasRanges;
  private boolean hasDropped;
  private long base;

  /**
   * @param keepsClustering whether the records have their clustering in the value
   * @param strict whether a column that the schema does not know is an {@link
   *     UnknownColumnException}, as it must be when the record is to be written back, or is skipped
   */
  public RecordDecoder(
      ClusteringComparator comparator,
      ColumnView columns,
      boolean keepsClustering,
      boolean strict) {
    this.strict = strict;
    this.comparator = comparator;
    this.columns = columns;
    this.keepsClustering = keepsClustering;
  }

  /** The deletion of the partition that the last record has; live if it has none. */
  public DeletionTime partitionDeletion() {
    return partitionDeletion;
  }

  /** Whether the last record says that its partition may have range tombstones. */
  public boolean hasRanges() {
    return hasRanges;
  }

  /** Whether the last record has what went with a drop of a column, and so is not in its row. */
  public boolean hasDropped() {
    return hasDropped;
  }

  /** The static row of a HEADER; null if it has none. */
  public Row header(byte[] value) {
    return decode(new ByteReader(value), Clustering.STATIC_CLUSTERING, false);
  }

  /**
   * The row of a ROW record; null if the record only holds a partition deletion.
   *
   * @param suffix where in the key the comparable form of the clustering starts
   */
  public Row row(byte[] key, int suffix, byte[] value) {
    return row(key, suffix, key.length, new ByteReader(value));
  }

  /** As {@link #row(byte[], int, byte[])}, of a clustering that is known. */
  public Row row(Clustering<?> clustering, byte[] value) {
    return decode(new ByteReader(value), keepsClustering ? null : clustering, keepsClustering);
  }

  /**
   * The row of a table without clustering columns; null as of {@link #row(byte[], int, byte[])}.
   */
  public Row onlyRow(ByteReader value) {
    return decode(value, Clustering.EMPTY, false);
  }

  /**
   * As {@link #row(byte[], int, byte[])}, of a key among other bytes.
   *
   * @param end where the key ends
   */
  public Row row(byte[] key, int suffix, int end, ByteReader value) {
    Clustering<?> clustering =
        comparator.size() == 0
            ? Clustering.EMPTY
            : keepsClustering ? null : clustering(key, suffix, end);
    return decode(value, clustering, keepsClustering);
  }

  private Clustering<?> clustering(byte[] key, int suffix, int end) {
    Clustering<?> usual = columns.clusterings().read(key, suffix, end);
    if (usual != null) {
      return usual;
    }
    ByteComparable comparable = version -> ByteSource.fixedLength(key, suffix, end - suffix);
    return comparator.clusteringFromByteComparable(ByteBufferAccessor.instance, comparable);
  }

  private Row decode(ByteReader in, Clustering<?> clustering, boolean clusteringInside) {
    partitionDeletion = DeletionTime.LIVE;
    hasRanges = false;
    hasDropped = false;
    Row merged = null;
    while (in.hasRemaining()) {
      int length = in.readLength();
      int end = in.limit(in.position() + length);
      Row row = fragment(in, clustering, clusteringInside);
      in.limit(end);
      if (row != null) {
        merged = merged == null ? row : Rows.merge(merged, row);
      }
    }
    return merged;
  }

  private Row fragment(ByteReader in, Clustering<?> known, boolean clusteringInside) {
    int flags = in.read();
    if ((flags & Fragments.DAMAGED) != 0) {
      throw in.corrupt("values that could not be merged");
    }
    base = in.readLong();
    LivenessInfo liveness = liveness(in, flags);
    Row.Deletion deletion =
        (flags & Fragments.ROW_DELETION) == 0
            ? Row.Deletion.LIVE
            : new Row.Deletion(deletion(in), (flags & Fragments.SHADOWABLE) != 0);
    if ((flags & Fragments.PARTITION_DELETION) != 0) {
      DeletionTime time = deletion(in);
      if (time.supersedes(partitionDeletion)) {
        partitionDeletion = time;
      }
    }
    hasRanges |= (flags & Fragments.RANGES) != 0;
    Clustering<?> clustering = known;
    if ((flags & Fragments.CLUSTERING) != 0) {
      clustering = clustering(in);
    } else if (clusteringInside && known == null) {
      throw in.corrupt("a row without a clustering");
    }
    if (!in.hasRemaining() && liveness.isEmpty() && deletion.isLive()) {
      return null;
    }
    boolean areSimple = columns(in);
    Row row =
        areSimple && deletion.isLive()
            ? BTreeRow.create(clustering, liveness, deletion, cells())
            : build(clustering, liveness, deletion);
    return row.isEmpty() ? null : row;
  }

  private Object[] cells() {
    return BTree.build(BulkIterator.of(found), count, UpdateFunction.noOp());
  }

  private Row build(Clustering<?> clustering, LivenessInfo liveness, Row.Deletion deletion) {
    Row.Builder builder = BTreeRow.sortedBuilder();
    builder.newRow(clustering);
    builder.addPrimaryKeyLivenessInfo(liveness);
    builder.addRowDeletion(deletion);
    for (int i = 0; i < count; i++) {
      Object item = found[i];
      if (item instanceof Cell) {
        builder.addCell((Cell<?>) item);
      } else {
        ((ComplexCells) item).addTo(builder);
      }
    }
    return builder.build();
  }

  private LivenessInfo liveness(ByteReader in, int flags) {
    if ((flags & Fragments.LIVENESS) == 0) {
      return LivenessInfo.EMPTY;
    }
    long timestamp = base + in.readSigned();
    if ((flags & Fragments.EXPIRING_LIVENESS) == 0) {
      return LivenessInfo.withExpirationTime(
          timestamp, LivenessInfo.NO_TTL, LivenessInfo.NO_EXPIRATION_TIME);
    }
    int ttl = (int) in.readUnsigned();
    return LivenessInfo.withExpirationTime(timestamp, ttl, in.readUnsigned());
  }

  private DeletionTime deletion(ByteReader in) {
    long timestamp = base + in.readSigned();
    return DeletionTime.build(timestamp, in.readUnsigned());
  }

  private Clustering<?> clustering(ByteReader in) {
    in.readLength();
    ByteBuffer[] components = new ByteBuffer[comparator.size()];
    for (int i = 0; i < components.length; i++) {
      components[i] = in.read() == 0 ? null : in.readBytes();
    }
    return Clustering.make(components);
  }

  /** Finds what a fragment has, in order; true if all of it is single cells. */
  private boolean columns(ByteReader in) {
    count = 0;
    boolean areSimple = true;
    boolean sorted = true;
    ColumnMetadata previous = null;
    while (in.hasRemaining()) {
      long header = in.readUnsigned();
      int id = (int) (header >>> 1);
      ColumnMetadata column = columns.column(id);
      if (column == null && strict) {
        throw new UnknownColumnException();
      }
      long droppedAt = columns.droppedAt(id);
      int before = count;
      if ((header & 1) == 0) {
        Cell<?> cell = cell(in, column, null);
        if (column != null && isLeft(cell.timestamp(), droppedAt)) {
          add(cell);
        }
      } else {
        areSimple = false;
        complex(in, column, droppedAt);
      }
      if (count > before) {
        sorted &= previous == null || previous.compareTo(column) < 0;
        previous = column;
      }
    }
    if (!sorted) {
      Arrays.sort(found, 0, count, Comparator.comparing(RecordDecoder::columnOf));
    }
    return areSimple;
  }

  private boolean isLeft(long timestamp, long droppedAt) {
    hasDropped |= timestamp <= droppedAt;
    return timestamp > droppedAt;
  }

  private void add(Object item) {
    if (count == found.length) {
      found = Arrays.copyOf(found, 2 * count);
    }
    found[count++] = item;
  }

  private static ColumnMetadata columnOf(Object item) {
    return item instanceof Cell ? ((Cell<?>) item).column() : ((ComplexCells) item).column;
  }

  private void complex(ByteReader in, ColumnMetadata column, long droppedAt) {
    DeletionTime deletion = in.read() == 0 ? DeletionTime.LIVE : deletion(in);
    int count = in.readLength();
    ComplexCells complex = new ComplexCells(column, count);
    if (column != null && !deletion.isLive() && isLeft(deletion.markedForDeleteAt(), droppedAt)) {
      complex.deletion = deletion;
    }
    for (int i = 0; i < count; i++) {
      CellPath path = CellPath.create(in.readBytes());
      Cell<?> cell = cell(in, column, path);
      if (column != null && isLeft(cell.timestamp(), droppedAt)) {
        complex.add(cell);
      }
    }
    if (column != null && !complex.isEmpty()) {
      add(complex);
    }
  }

  private Cell<?> cell(ByteReader in, ColumnMetadata column, CellPath path) {
    int flags = in.read();
    long timestamp = (flags & Fragments.CELL_TIMESTAMP) == 0 ? base : base + in.readSigned();
    int ttl = (flags & Fragments.CELL_EXPIRES) == 0 ? Cell.NO_TTL : (int) in.readUnsigned();
    boolean ends = (flags & (Fragments.CELL_EXPIRES | Fragments.CELL_DELETED)) != 0;
    long deletionTime = ends ? in.readUnsigned() : Cell.NO_DELETION_TIME;
    boolean hasValue = (flags & Fragments.CELL_VALUE) != 0;
    if (column == null) {
      if (hasValue) {
        in.skipBytes();
      }
      return null;
    }
    int length = hasValue ? in.readLength() : 0;
    return length <= MOST_COPIED_BYTES || in.isCopying()
        ? new ArrayCell(column, timestamp, ttl, deletionTime, in.copy(length), path)
        : new BufferCell(column, timestamp, ttl, deletionTime, in.slice(length), path);
  }

  /** The cells of one multi-cell column. */
  private static final class ComplexCells {
    private final ColumnMetadata column;
    private final List<Cell<?>> cells;
    private DeletionTime deletion = DeletionTime.LIVE;

    ComplexCells(ColumnMetadata column, int count) {
      this.column = column;
      this.cells = new ArrayList<>(count);
    }

    void add(Cell<?> cell) {
      cells.add(cell);
    }

    boolean isEmpty() {
      return cells.isEmpty() && deletion.isLive();
    }

    void addTo(Row.Builder builder) {
      if (!deletion.isLive()) {
        builder.addComplexDeletion(column, deletion);
      }
      // The builder sorts the cells of a multi-cell column itself.
      cells.forEach(builder::addCell);
    }
  }
}
