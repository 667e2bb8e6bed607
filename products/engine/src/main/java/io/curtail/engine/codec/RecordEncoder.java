/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import java.nio.ByteBuffer;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.CellPath;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.ComplexColumnData;
import org.apache.cassandra.db.rows.Row;

/**
 * Writes rows and partition headers as single {@linkplain Fragments fragments}.
 *
 * <p>Not thread-safe: one a thread.
 */
public final class RecordEncoder {
  private final ByteWriter body = new ByteWriter();
  private final ByteWriter inner = new ByteWriter();
  private ColumnDictionary columns;
  private long base;

  /**
   * Encodes one record.
   *
   * @param row the row, or null if the record only says something of the partition
   * @param keepClustering whether the clustering cannot be had back from the key
   * @return the fragment without its length, until the next is encoded
   */
  public ByteWriter encode(
      ColumnDictionary dictionary,
      Row row,
      DeletionTime partitionDeletion,
      boolean hasRanges,
      boolean keepClustering) {
    columns = dictionary;
    base = base(row, partitionDeletion);
    body.clear();
    body.write(flags(row, partitionDeletion, hasRanges, keepClustering));
    body.writeLong(base);
    if (row != null) {
      liveness(row.primaryKeyLivenessInfo());
      if (!row.deletion().isLive()) {
        deletion(row.deletion().time());
      }
    }
    if (!partitionDeletion.isLive()) {
      deletion(partitionDeletion);
    }
    if (row != null) {
      if (keepClustering) {
        clustering(row.clustering());
      }
      for (ColumnData data : row) {
        column(data);
      }
    }
    return body;
  }

  private static int flags(
      Row row, DeletionTime partitionDeletion, boolean hasRanges, boolean keepClustering) {
    int flags = partitionDeletion.isLive() ? 0 : Fragments.PARTITION_DELETION;
    if (hasRanges) {
      flags |= Fragments.RANGES;
    }
    if (row == null) {
      return flags;
    }
    LivenessInfo liveness = row.primaryKeyLivenessInfo();
    if (!liveness.isEmpty()) {
      flags |= Fragments.LIVENESS;
      if (liveness.isExpiring()) {
        flags |= Fragments.EXPIRING_LIVENESS;
      }
    }
    if (!row.deletion().isLive()) {
      flags |= Fragments.ROW_DELETION;
      if (row.deletion().isShadowable()) {
        flags |= Fragments.SHADOWABLE;
      }
    }
    return keepClustering ? flags | Fragments.CLUSTERING : flags;
  }

  /** The timestamp that most of the record shares. */
  private static long base(Row row, DeletionTime partitionDeletion) {
    if (row == null) {
      return partitionDeletion.markedForDeleteAt();
    }
    if (!row.primaryKeyLivenessInfo().isEmpty()) {
      return row.primaryKeyLivenessInfo().timestamp();
    }
    for (Cell<?> cell : row.cells()) {
      return cell.timestamp();
    }
    return row.deletion().time().markedForDeleteAt();
  }

  private void liveness(LivenessInfo liveness) {
    if (liveness.isEmpty()) {
      return;
    }
    body.writeSigned(liveness.timestamp() - base);
    if (liveness.isExpiring()) {
      body.writeUnsigned(liveness.ttl());
      body.writeUnsigned(liveness.localExpirationTime());
    }
  }

  private void deletion(DeletionTime time) {
    body.writeSigned(time.markedForDeleteAt() - base);
    body.writeUnsigned(time.localDeletionTime());
  }

  private void clustering(Clustering<?> clustering) {
    inner.clear();
    for (int i = 0; i < clustering.size(); i++) {
      ByteBuffer component = clustering.bufferAt(i);
      inner.write(component == null ? 0 : 1);
      if (component != null) {
        inner.writeBytes(component);
      }
    }
    body.writeUnsigned(inner.size());
    body.append(inner);
  }

  private void column(ColumnData data) {
    long id = columns.id(data.column());
    if (data.column().isSimple()) {
      body.writeUnsigned(id << 1);
      cell((Cell<?>) data);
      return;
    }
    body.writeUnsigned(id << 1 | 1);
    ComplexColumnData complex = (ComplexColumnData) data;
    boolean deleted = !complex.complexDeletion().isLive();
    body.write(deleted ? 1 : 0);
    if (deleted) {
      deletion(complex.complexDeletion());
    }
    body.writeUnsigned(complex.cellsCount());
    for (Cell<?> cell : complex) {
      path(cell.path());
      cell(cell);
    }
  }

  private void path(CellPath path) {
    body.writeBytes(path.get(0));
  }

  private void cell(Cell<?> cell) {
    boolean tombstone = !cell.isExpiring() && cell.localDeletionTime() != Cell.NO_DELETION_TIME;
    ByteBuffer value = cell.buffer();
    int flags = cell.isExpiring() ? Fragments.CELL_EXPIRES : 0;
    flags |= tombstone ? Fragments.CELL_DELETED : 0;
    flags |= cell.timestamp() != base ? Fragments.CELL_TIMESTAMP : 0;
    flags |= value.hasRemaining() ? Fragments.CELL_VALUE : 0;
    body.write(flags);
    if (cell.timestamp() != base) {
      body.writeSigned(cell.timestamp() - base);
    }
    if (cell.isExpiring()) {
      body.writeUnsigned(cell.ttl());
    }
    if (cell.isExpiring() || tombstone) {
      body.writeUnsigned(cell.localDeletionTime());
    }
    if (value.hasRemaining()) {
      body.writeBytes(value);
    }
  }
}
