/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.Family;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.RangeTombstoneMarker;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.transform.StoppingTransformation;
import org.apache.cassandra.db.transform.Transformation;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.serializers.MarshalException;
import org.apache.cassandra.tools.JsonTransformer;

/**
 * What RocksDB has of one partition, deleted and expired cells and all, as {@code sstabledump}
 * prints it of a data file.
 */
public final class PartitionDump {
  private PartitionDump() {}

  /**
   * Reads a partition.
   *
   * @param key as {@code nodetool getendpoints} takes it: components joined by colons
   * @param most rows and bounds of range deletions that are shown
   * @return JSON, an array of one partition or none
   * @throws IllegalArgumentException if it is no key of the table, or none are to be shown
   */
  public static String of(StoredTable table, String key, int most) throws IOException {
    if (most < 1) {
      throw new IllegalArgumentException("of " + most + " rows nothing can be shown");
    }
    TableMetadata metadata = table.metadata();
    DecoratedKey partition = partition(metadata, key);
    // Cassandra does not wait for this reader before it gives the rows up.
    try (Family.Use use = table.store().use();
        UnfilteredRowIterator rows =
            use == null
                ? null
                : table.rowIterator(
                    partition,
                    Slices.ALL,
                    ColumnFilter.all(metadata),
                    false,
                    SSTableReadsListener.NOOP_LISTENER)) {
      if (rows == null || rows.isEmpty()) {
        return "[ ]";
      }
      ByteArrayOutputStream json = new ByteArrayOutputStream();
      JsonTransformer.toJson(
          atStart(), Stream.of(Transformation.apply(rows, new First(most))), false, metadata, json);
      return json.toString(StandardCharsets.UTF_8);
    }
  }

  private static DecoratedKey partition(TableMetadata metadata, String key) {
    try {
      return metadata.partitioner.decorateKey(metadata.partitionKeyType.fromString(key));
    } catch (MarshalException e) {
      // Without the cause, whose class who asked may not have.
      throw new IllegalArgumentException(
          key + " is no partition key of " + metadata + ": " + e.getMessage());
    }
  }

  /** Cassandra asks it where in a file it is, and nothing else. */
  private static ISSTableScanner atStart() {
    return (ISSTableScanner)
        Proxy.newProxyInstance(
            PartitionDump.class.getClassLoader(),
            new Class<?>[] {ISSTableScanner.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getCurrentPosition")) {
                return 0L;
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  private static final class First extends StoppingTransformation<UnfilteredRowIterator> {
    private final int most;
    private int shown;

    First(int most) {
      this.most = most;
    }

    @Override
    protected Row applyToRow(Row row) {
      count();
      return row;
    }

    @Override
    protected RangeTombstoneMarker applyToMarker(RangeTombstoneMarker marker) {
      count();
      return marker;
    }

    private void count() {
      if (++shown >= most) {
        stopInPartition();
      }
    }
  }
}
