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
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.schema.TableMetadata;

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
    while (true) {
      Unfiltered left = next(expected);
      Unfiltered right = next(actual);
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

  private static Unfiltered next(Iterator<Unfiltered> rows) {
    while (rows.hasNext()) {
      Unfiltered next = rows.next();
      if (!next.isRow()) {
        return next;
      }
      Row row = reconciled((Row) next);
      if (!row.isEmpty()) {
        return row;
      }
    }
    return null;
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
