/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.DroppedColumn;
import org.apache.cassandra.schema.TableMetadata;

/**
 * What the numbers of a {@link ColumnDictionary} mean under one version of the schema.
 *
 * <p>A dropped column keeps its type, and its cells count only if they are younger than the drop,
 * whether the column was added again or not, as in Cassandra's own data files. Immutable.
 */
public final class ColumnView {
  private static final long NEVER_DROPPED = Long.MIN_VALUE;

  private final TableMetadata metadata;
  private final ColumnDictionary dictionary;
  private final ColumnMetadata[] columns;
  private final long[] droppedAt;
  private final boolean mergesBlindly;
  private final ClusteringReader clusterings;

  /** What a dictionary means now; what it learns later is not in the view. */
  public ColumnView(TableMetadata metadata, ColumnDictionary dictionary) {
    this.metadata = metadata;
    this.dictionary = dictionary;
    mergesBlindly = mergesBlindly(metadata);
    clusterings = new ClusteringReader(metadata.comparator);
    int size = dictionary.size();
    columns = new ColumnMetadata[size];
    droppedAt = new long[size];
    for (int id = 0; id < size; id++) {
      ColumnDictionary.Entry entry = entry(id);
      columns[id] = resolve(entry);
      droppedAt[id] = droppedAt(entry);
    }
  }

  /**
   * Whether updates may be added without reading what is there. Not counters, whose merge is not in
   * the C library; not views, whose deletions can be shadowed again; not tables with a multi-cell
   * column whose paths can compare as equal when their bytes differ.
   */
  public boolean mergesBlindly() {
    return mergesBlindly;
  }

  private static boolean mergesBlindly(TableMetadata metadata) {
    if (metadata.isCounter() || metadata.isView()) {
      return false;
    }
    for (ColumnMetadata column : metadata.columns()) {
      if (column.isComplex() && !ExactTypes.ofPath(column.type)) {
        return false;
      }
    }
    return true;
  }

  /** Whether this is still the view of a dictionary under a version of the schema. */
  @SuppressWarnings("ReferenceEquality") // each version of a schema is one object
  public boolean isOf(TableMetadata current, ColumnDictionary columnDictionary) {
    return metadata == current
        && dictionary.size() == columns.length
        && dictionary == columnDictionary;
  }

  /** Of its rows. */
  ClusteringReader clusterings() {
    return clusterings;
  }

  /** The column of a number; null if this version of the schema does not know it. */
  ColumnMetadata column(int id) {
    return id < columns.length ? columns[id] : resolve(entry(id));
  }

  /** Cells at or before this timestamp went with a drop of the column. */
  long droppedAt(int id) {
    return id < droppedAt.length ? droppedAt[id] : droppedAt(entry(id));
  }

  private ColumnDictionary.Entry entry(int id) {
    ColumnDictionary.Entry entry = dictionary.entry(id);
    if (entry == null) {
      throw new IllegalStateException(
          "a record of " + metadata + " has a column numbered " + id + ", which is not known");
    }
    return entry;
  }

  private long droppedAt(ColumnDictionary.Entry entry) {
    DroppedColumn dropped = metadata.droppedColumns.get(entry.name);
    return dropped == null ? NEVER_DROPPED : dropped.droppedTime;
  }

  private ColumnMetadata resolve(ColumnDictionary.Entry entry) {
    ColumnMetadata current = metadata.getColumn(entry.name);
    if (current != null && fits(current, entry)) {
      return current;
    }
    ColumnMetadata dropped = metadata.getDroppedColumn(entry.name, entry.isStatic);
    return dropped != null && fits(dropped, entry) ? dropped : null;
  }

  private static boolean fits(ColumnMetadata column, ColumnDictionary.Entry entry) {
    return column.isStatic() == entry.isStatic && column.isComplex() == entry.isComplex;
  }
}
