/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.Objects;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The name of a column family: {@code keyspace/table/id/generation}. The hidden table of a
 * secondary index has the id of its base table, and a name with a dot. Immutable.
 */
final class FamilyName {
  /** What the names of all generations of a table start with: {@code keyspace/table/id}. */
  final String table;

  final int generation;

  FamilyName(String table, int generation) {
    this.table = table;
    this.generation = generation;
  }

  /** Reads a name. */
  static FamilyName parse(String name) {
    int slash = name.lastIndexOf('/');
    return new FamilyName(name.substring(0, slash), Integer.parseInt(name.substring(slash + 1)));
  }

  static String table(TableMetadata metadata) {
    return table(metadata, metadata.name);
  }

  /** The hidden table of an index, which has the id of its base table. */
  static String table(TableMetadata base, String name) {
    return base.keyspace + "/" + name + "/" + base.id;
  }

  /** Whether it is of the table with this id, or of one of its indexes. */
  boolean hasId(TableId id) {
    return table.endsWith("/" + id);
  }

  boolean isIndex() {
    return table.indexOf('.') >= 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FamilyName
        && ((FamilyName) other).table.equals(table)
        && ((FamilyName) other).generation == generation;
  }

  @Override
  public int hashCode() {
    return Objects.hash(table, generation);
  }

  @Override
  public String toString() {
    return table + "/" + generation;
  }
}
