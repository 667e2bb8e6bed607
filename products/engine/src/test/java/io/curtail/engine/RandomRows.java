/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.CellPath;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.ComplexColumnData;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;

/** Rows of one table, with few timestamps and values so that they compete at every rule. */
final class RandomRows {
  static final TableMetadata TABLE =
      TableMetadata.builder("twin", "random")
          .partitioner(Murmur3Partitioner.instance)
          .addPartitionKeyColumn("k", Int32Type.instance)
          .addClusteringColumn("c", Int32Type.instance)
          .addRegularColumn("z", Int32Type.instance)
          .addRegularColumn("a", UTF8Type.instance)
          .addRegularColumn("m", MapType.getInstance(UTF8Type.instance, Int32Type.instance, true))
          .addRegularColumn("b", SetType.getInstance(Int32Type.instance, true))
          .build();

  private final Random random;
  private final long origin;

  RandomRows(Random random) {
    this.random = random;
    origin = random.nextInt(10) == 0 ? random.nextLong() : 1_700_000_000_000_000L;
  }

  Row next() {
    Row.Builder row = BTreeRow.unsortedBuilder();
    row.newRow(Clustering.make(ByteBufferUtil.bytes(7)));
    if (random.nextInt(3) == 0) {
      int ttl = random.nextInt(4);
      row.addPrimaryKeyLivenessInfo(
          ttl == 0
              ? LivenessInfo.create(timestamp(), 0)
              : LivenessInfo.withExpirationTime(timestamp(), ttl, deletionTime(random.nextInt(3))));
    }
    if (random.nextInt(5) == 0) {
      row.addRowDeletion(Row.Deletion.regular(deletion()));
    }
    for (ColumnMetadata column : TABLE.regularColumns()) {
      if (random.nextInt(3) == 0) {
        continue;
      }
      if (column.isSimple()) {
        row.addCell(cell(column, null));
        continue;
      }
      if (random.nextInt(4) == 0) {
        row.addComplexDeletion(column, deletion());
      }
      for (int path = 0; path < 4; path++) {
        if (random.nextBoolean()) {
          ByteBuffer bytes =
              column.name.toString().equals("m")
                  ? ByteBufferUtil.bytes("x".repeat(path))
                  : ByteBufferUtil.bytes(path - 2);
          row.addCell(cell(column, CellPath.create(bytes)));
        }
      }
    }
    return row.build();
  }

  private Cell<?> cell(ColumnMetadata column, CellPath path) {
    ByteBuffer value =
        random.nextInt(6) == 0
            ? ByteBufferUtil.EMPTY_BYTE_BUFFER
            : ByteBufferUtil.bytes(random.nextInt(3) - 1);
    switch (random.nextInt(4)) {
      case 0:
        return BufferCell.tombstone(column, timestamp(), deletionTime(random.nextInt(3)), path);
      case 1:
        int ttl = 1 + random.nextInt(3);
        long time = deletionTime(random.nextInt(3));
        return new BufferCell(column, timestamp(), ttl, time, value, path);
      default:
        return BufferCell.live(column, timestamp(), value, path);
    }
  }

  private DeletionTime deletion() {
    return DeletionTime.build(timestamp(), deletionTime(random.nextInt(3)));
  }

  private long timestamp() {
    return origin + random.nextInt(6);
  }

  private static long deletionTime(int step) {
    return 4_000_000_000L + step;
  }

  /** A row as text, without what its own deletions shadow: equal for rows that read alike. */
  static String canonical(Row row) {
    if (row == null || row.isEmpty()) {
      return "nothing";
    }
    DeletionTime rowDeletion = row.deletion().time();
    StringJoiner text = new StringJoiner("; ");
    LivenessInfo liveness = row.primaryKeyLivenessInfo();
    text.add(
        liveness.isEmpty() || rowDeletion.deletes(liveness) ? "no liveness" : liveness.toString());
    text.add(rowDeletion.toString());
    for (ColumnData data : row) {
      List<String> cells = new ArrayList<>();
      DeletionTime shadow = rowDeletion;
      if (data.column().isComplex()) {
        DeletionTime complex = ((ComplexColumnData) data).complexDeletion();
        if (!complex.isLive() && !rowDeletion.supersedes(complex)) {
          shadow = complex;
          cells.add("deleted " + complex);
        }
        for (Cell<?> cell : (ComplexColumnData) data) {
          addUnlessShadowed(cells, cell, shadow);
        }
      } else {
        addUnlessShadowed(cells, (Cell<?>) data, shadow);
      }
      if (!cells.isEmpty()) {
        text.add(data.column().name + cells.toString());
      }
    }
    return text.toString();
  }

  private static void addUnlessShadowed(List<String> cells, Cell<?> cell, DeletionTime shadow) {
    if (!shadow.deletes(cell)) {
      cells.add(
          (cell.path() == null ? "" : ByteBufferUtil.bytesToHex(cell.path().get(0)))
              + "@"
              + cell.timestamp()
              + " "
              + cell.ttl()
              + " "
              + cell.localDeletionTime()
              + " "
              + ByteBufferUtil.bytesToHex(cell.buffer()));
    }
  }
}
