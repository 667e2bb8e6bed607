/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.DefaultSchemaUpdateHandler;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.SchemaTransformation;
import org.apache.cassandra.schema.SchemaTransformation.SchemaTransformationResult;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Cassandra's handler of schema changes, which also refuses what a table in RocksDB cannot have:
 * the client gets the error, and nothing was changed. It sees the statements that this node
 * coordinates, not what it hears from other nodes: see {@link ForeignIndexes}.
 */
final class RefusingSchema extends DefaultSchemaUpdateHandler {
  RefusingSchema(BiConsumer<SchemaTransformationResult, Boolean> updated) {
    super(updated);
  }

  @Override
  public synchronized SchemaTransformationResult apply(
      SchemaTransformation transformation, boolean local) {
    return super.apply(new Checked(transformation), local);
  }

  /** As the handler does that this one replaces. */
  SchemaTransformationResult applyUnchecked(SchemaTransformation transformation) {
    return super.apply(transformation, false);
  }

  /** A schema change that fails before anything is written if a table may not be like that. */
  private static final class Checked implements SchemaTransformation {
    private final SchemaTransformation change;

    Checked(SchemaTransformation change) {
      this.change = change;
    }

    @Override
    public Keyspaces apply(Keyspaces before) {
      Keyspaces after = change.apply(before);
      for (KeyspaceMetadata keyspace : after) {
        KeyspaceMetadata former = before.getNullable(keyspace.name);
        if (!keyspace.equals(former)) {
          check(keyspace, former);
        }
      }
      return after;
    }

    private static void check(KeyspaceMetadata keyspace, KeyspaceMetadata former) {
      for (TableMetadata table : keyspace.tablesAndViews()) {
        TableMetadata before = former == null ? null : former.getTableOrViewNullable(table.name);
        String why = why(table, before);
        // What is wrong already must not stand in the way of what mends it.
        if (why != null && (before == null || !why.equals(why(before, null)))) {
          throw new InvalidRequestException("rocksdb memtable: " + table + " cannot " + why);
        }
      }
    }

    /** What the table cannot do; null if nothing is wrong. */
    private static String why(TableMetadata table, TableMetadata before) {
      Memtable.Factory memtable = table.params.memtable.factory();
      if (!(memtable instanceof RocksMemtableFactory)) {
        return before == null
                || memtable instanceof GuardedMemtableFactory
                || memtable.equals(before.params.memtable.factory())
            ? null
            : whyNotUnguarded(table, before);
      }
      if (!ForeignIndexes.names(table).isEmpty()) {
        return "be stored in RocksDB and have the index "
            + ForeignIndexes.names(table)
            + ", which is of a kind that misses rows after a restart. Use CREATE INDEX ... USING"
            + " 'legacy_local_table', or the memtable 'default'";
      }
      List<String> indexes = before == null ? List.of() : IndexedTypes.changed(before, table);
      if (!indexes.isEmpty()) {
        return "be changed, since a type gets other fields by which the entries of its index "
            + indexes
            + " are ordered: writes would fail. Use DROP INDEX before, and CREATE INDEX after it";
      }
      return table.params.cdc && ((RocksMemtableFactory) memtable).skipsCommitLog()
          ? "have CDC and a memtable with skip_commitlog: true"
          : null;
    }

    /** A restart with such a memtable does not look for rows in RocksDB. */
    private static String whyNotUnguarded(TableMetadata table, TableMetadata before) {
      String move = "move to the memtable " + table.params.memtable;
      if (before.params.memtable.factory() instanceof RocksMemtableFactory) {
        return move
            + ", since a node that stops meanwhile would not find its rows. Use 'default', or a"
            + " configuration with class_name: "
            + GuardedMemtable.class.getName();
      }
      return Engine.hasRowsOf(before)
          ? move
              + " yet, since it has rows in RocksDB, which a node that stops would not find: wait"
              + " until 'curtail engine status' does not show it on any node"
          : null;
    }

    @Override
    public Optional<Long> fixedTimestampMicros() {
      return change.fixedTimestampMicros();
    }

    @Override
    public String toString() {
      return change.toString();
    }
  }
}
