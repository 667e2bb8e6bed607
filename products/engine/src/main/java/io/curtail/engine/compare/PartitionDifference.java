/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.compare;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.cassandra.db.ClusteringBoundOrBoundary;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.RangeTombstoneBoundMarker;
import org.apache.cassandra.db.rows.RangeTombstoneBoundaryMarker;
import org.apache.cassandra.db.rows.RangeTombstoneMarker;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.AbstractIterator;

/**
 * The first difference of what two sources have of one partition, cell by cell and deletion by
 * deletion. What is deleted within a source may be there or not: only deletions that nothing else
 * covers, and what is not deleted, can be seen.
 */
final class PartitionDifference {
  private PartitionDifference() {}

  /** In words, without values; null if both are the same. Reads both, and closes neither. */
  static String between(UnfilteredRowIterator stock, UnfilteredRowIterator rocks) {
    UnfilteredRowIterator expected = reconciled(stock);
    UnfilteredRowIterator actual = reconciled(rocks);
    if (!expected.partitionLevelDeletion().equals(actual.partitionLevelDeletion())) {
      return "the deletion of the partition";
    }
    Row expectedStatic = reconciled(expected.staticRow());
    Row actualStatic = reconciled(actual.staticRow());
    if (!expectedStatic.equals(actualStatic)) {
      return "static columns" + columns(expectedStatic, actualStatic);
    }
    Iterator<Unfiltered> expectedRows = new WithoutSeconds(expected);
    Iterator<Unfiltered> actualRows = new WithoutSeconds(actual);
    while (true) {
      Unfiltered left = expectedRows.hasNext() ? expectedRows.next() : null;
      Unfiltered right = actualRows.hasNext() ? actualRows.next() : null;
      if (!Objects.equals(left, right)) {
        return text(left, right, stock.metadata());
      }
      if (left == null) {
        return null;
      }
    }
  }

  /** Cassandra's merge, which leaves out what deletions of partition and ranges cover. */
  private static UnfilteredRowIterator reconciled(UnfilteredRowIterator rows) {
    return UnfilteredRowIterators.merge(
        List.of(rows, EmptyIterators.unfilteredRow(rows.metadata(), rows.partitionKey(), false)));
  }

  /** Cassandra's merge, which leaves out what deletions of the row and its columns cover. */
  private static Row reconciled(Row row) {
    return row.isEmpty() ? row : Rows.merge(row, row);
  }

  /**
   * Rows and the bounds of deleted ranges, of which only timestamps count: of two ranges with one
   * timestamp Cassandra's memtables keep the seconds of the first for where they overlap, and its
   * merge those of the last. So a range that the partition's deletion covers by its timestamp may
   * be there or not, and so may what a range covers in a row.
   */
  private static final class WithoutSeconds extends AbstractIterator<Unfiltered> {
    private final UnfilteredRowIterator rows;
    private final long ofPartition;
    private long deletedAt;

    WithoutSeconds(UnfilteredRowIterator rows) {
      this.rows = rows;
      ofPartition = rows.partitionLevelDeletion().markedForDeleteAt();
      deletedAt = ofPartition;
    }

    @Override
    protected Unfiltered computeNext() {
      while (rows.hasNext()) {
        Unfiltered next = rows.next();
        Unfiltered left = next.isRow() ? row((Row) next) : marker((RangeTombstoneMarker) next);
        if (left != null) {
          return left;
        }
      }
      return endOfData();
    }

    private Row row(Row row) {
      Row left = reconciled(row);
      if (deletedAt != Long.MIN_VALUE) {
        TableMetadata table = rows.metadata();
        left = left.filter(ColumnFilter.all(table), time(deletedAt), false, table);
      }
      return left == null || left.isEmpty() ? null : left;
    }

    private RangeTombstoneMarker marker(RangeTombstoneMarker marker) {
      long before = deletedAt;
      deletedAt =
          marker.isOpen(false)
              ? Math.max(ofPartition, marker.openDeletionTime(false).markedForDeleteAt())
              : ofPartition;
      if (deletedAt == before) {
        return null;
      }
      ClusteringBoundOrBoundary<?> bound = marker.clustering();
      boolean isInFront = bound.kind().comparedToClustering < 0;
      if (before == ofPartition) {
        return isInFront
            ? RangeTombstoneBoundMarker.inclusiveOpen(false, bound, time(deletedAt))
            : RangeTombstoneBoundMarker.exclusiveOpen(false, bound, time(deletedAt));
      }
      if (deletedAt == ofPartition) {
        return isInFront
            ? RangeTombstoneBoundMarker.exclusiveClose(false, bound, time(before))
            : RangeTombstoneBoundMarker.inclusiveClose(false, bound, time(before));
      }
      return isInFront
          ? RangeTombstoneBoundaryMarker.exclusiveCloseInclusiveOpen(
              false, bound, time(before), time(deletedAt))
          : RangeTombstoneBoundaryMarker.inclusiveCloseExclusiveOpen(
              false, bound, time(before), time(deletedAt));
    }

    /** Which nothing of that timestamp supersedes. */
    private static DeletionTime time(long timestamp) {
      return DeletionTime.build(timestamp, Cell.MAX_DELETION_TIME);
    }
  }

  private static String text(Unfiltered stock, Unfiltered rocks, TableMetadata table) {
    if (stock == null || rocks == null || table.comparator.compare(stock, rocks) != 0) {
      boolean isExtra =
          stock == null || (rocks != null && table.comparator.compare(rocks, stock) < 0);
      Unfiltered first = isExtra ? rocks : stock;
      return (isExtra ? "RocksDB alone has " : "RocksDB lacks ") + name(first, table);
    }
    return name(stock, table)
        + (stock.isRow() && rocks.isRow() ? columns((Row) stock, (Row) rocks) : "");
  }

  private static String name(Unfiltered unfiltered, TableMetadata table) {
    return (unfiltered.isRow() ? "the row " : "a bound of a deleted range, ")
        + unfiltered.clustering().toString(table);
  }

  private static String columns(Row stock, Row rocks) {
    List<String> names = new ArrayList<>();
    if (!stock.primaryKeyLivenessInfo().equals(rocks.primaryKeyLivenessInfo())) {
      names.add("the row's own time");
    }
    if (!stock.deletion().equals(rocks.deletion())) {
      names.add("the row's deletion");
    }
    TreeSet<String> different = new TreeSet<>();
    for (ColumnData data : stock) {
      if (!data.equals(rocks.getColumnData(data.column()))) {
        different.add(data.column().name.toString());
      }
    }
    for (ColumnData data : rocks) {
      if (!data.equals(stock.getColumnData(data.column()))) {
        different.add(data.column().name.toString());
      }
    }
    names.addAll(different);
    return " in " + String.join(", ", names);
  }
}
