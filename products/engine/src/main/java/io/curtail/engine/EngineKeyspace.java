/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.compare.Shadow;
import io.curtail.engine.compare.Shadows;
import io.curtail.engine.operation.StoredTable;
import io.curtail.engine.store.Level;
import java.util.List;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;

/** The virtual keyspace {@code curtail_engine}: what there is to see, with CQL. Thread-safe. */
final class EngineKeyspace {
  static final String NAME = "curtail_engine";

  private EngineKeyspace() {}

  static void register(Engine engine) {
    if (VirtualKeyspaceRegistry.instance.getKeyspaceNullable(NAME) == null) {
      VirtualKeyspaceRegistry.instance.register(
          new VirtualKeyspace(
              NAME,
              List.of(
                  new Tables(engine), new Levels(engine), new Metrics(engine), new Compared())));
    }
  }

  private static TableMetadata.Builder table(
      String name, String comment, AbstractType<?> partitionKey) {
    return TableMetadata.builder(NAME, name)
        .kind(TableMetadata.Kind.VIRTUAL)
        .comment(comment)
        .partitioner(new LocalPartitioner(partitionKey));
  }

  /** One whose partitions are tables of the node. */
  private static TableMetadata.Builder ofTables(String name, String comment) {
    return table(name, comment, CompositeType.getInstance(UTF8Type.instance, UTF8Type.instance))
        .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
        .addPartitionKeyColumn("table_name", UTF8Type.instance);
  }

  /** The tables and indexes that RocksDB has rows of. */
  private static final class Tables extends AbstractVirtualTable {
    private final Engine engine;

    Tables(Engine engine) {
      super(
          ofTables("tables", "tables stored in RocksDB")
              .addRegularColumn("state", UTF8Type.instance)
              .addRegularColumn("generation", Int32Type.instance)
              .addRegularColumn("level0_files", LongType.instance)
              .addRegularColumn("records_estimate", LongType.instance)
              .addRegularColumn("live_bytes", LongType.instance)
              .addRegularColumn("file_bytes", LongType.instance)
              .addRegularColumn("write_buffer_bytes", LongType.instance)
              .addRegularColumn("pending_compaction_bytes", LongType.instance)
              .addRegularColumn("cassandra_data_files", Int32Type.instance)
              .addRegularColumn("cassandra_data_file_bytes", LongType.instance)
              .build());
      this.engine = engine;
    }

    @Override
    public DataSet data() {
      SimpleDataSet rows = new SimpleDataSet(metadata);
      for (StoredTable memtable : engine.stores.memtables()) {
        TableMetadata table = memtable.metadata();
        SimpleDataSet row = rows.row(table.keyspace, table.name);
        EngineMetrics.ofTable(memtable).forEach(row::column);
      }
      return rows;
    }
  }

  /** The levels that have files, of each table and index. */
  private static final class Levels extends AbstractVirtualTable {
    private final Engine engine;

    Levels(Engine engine) {
      super(
          ofTables("levels", "levels of RocksDB's tree, of each table")
              .addClusteringColumn("level", Int32Type.instance)
              .addRegularColumn("files", LongType.instance)
              .addRegularColumn("bytes", LongType.instance)
              .build());
      this.engine = engine;
    }

    @Override
    public DataSet data() {
      SimpleDataSet rows = new SimpleDataSet(metadata);
      for (StoredTable memtable : engine.stores.memtables()) {
        TableMetadata table = memtable.metadata();
        for (Level level : memtable.store().levels()) {
          rows.row(table.keyspace, table.name, level.level)
              .column("files", level.files)
              .column("bytes", level.bytes);
        }
      }
      return rows;
    }
  }

  /** The tables that are written to RocksDB to be compared. */
  private static final class Compared extends AbstractVirtualTable {
    Compared() {
      super(
          ofTables("compared", "tables of Cassandra that are compared with RocksDB")
              .addRegularColumn("state", UTF8Type.instance)
              .addRegularColumn("queued_bytes", LongType.instance)
              .addRegularColumn("written", LongType.instance)
              .addRegularColumn("skipped", LongType.instance)
              .addRegularColumn("errors", LongType.instance)
              .addRegularColumn("followed", LongType.instance)
              .addRegularColumn("compared", LongType.instance)
              .addRegularColumn("differences", LongType.instance)
              .addRegularColumn("rocksdb_write_p50_micros", LongType.instance)
              .addRegularColumn("rocksdb_write_p99_micros", LongType.instance)
              .addRegularColumn("rocksdb_read_p50_micros", LongType.instance)
              .addRegularColumn("rocksdb_read_p99_micros", LongType.instance)
              .addRegularColumn("cassandra_read_p50_micros", LongType.instance)
              .addRegularColumn("cassandra_read_p99_micros", LongType.instance)
              .build());
    }

    @Override
    public DataSet data() {
      SimpleDataSet rows = new SimpleDataSet(metadata);
      for (Shadow shadow : Shadows.NODE.all()) {
        SimpleDataSet row = rows.row(shadow.table.getKeyspaceName(), shadow.table.getTableName());
        shadow.values().forEach(row::column);
      }
      return rows;
    }
  }

  /** {@link EngineMetrics}, by name. */
  private static final class Metrics extends AbstractVirtualTable {
    private final Engine engine;

    Metrics(Engine engine) {
      super(
          table("metrics", "the node's RocksDB", UTF8Type.instance)
              .addPartitionKeyColumn("name", UTF8Type.instance)
              .addRegularColumn("value", LongType.instance)
              .build());
      this.engine = engine;
    }

    @Override
    public DataSet data() {
      SimpleDataSet rows = new SimpleDataSet(metadata);
      engine.metrics.values().forEach((name, value) -> rows.row(name).column("value", value));
      return rows;
    }
  }
}
