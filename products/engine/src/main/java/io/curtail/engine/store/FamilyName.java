/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.Objects;
import java.util.UUID;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The name of a column family: {@code keyspace/table/id/generation}. The hidden table of a
 * secondary index has the id of its base table, and a name with a dot. Immutable.
 */
public final class FamilyName {
  // No keyspace can be called so.
  private static final String SHADOWS = "/shadow/";
  private static final String COPIES = "/restoring/";

  /** What the names of all generations of a table start with: {@code keyspace/table/id}. */
  public final String table;

  /** Counted from zero; a truncation begins the next. */
  public final int generation;

  /** The name of a generation of a table. */
  public FamilyName(String table, int generation) {
    this.table = table;
    this.generation = generation;
  }

  /** Reads a name. */
  static FamilyName parse(String name) {
    int slash = name.lastIndexOf('/');
    return new FamilyName(name.substring(0, slash), Integer.parseInt(name.substring(slash + 1)));
  }

  /** A new name for a copy of a snapshot, of use only while that is restored. */
  public static FamilyName ofCopy() {
    return new FamilyName(COPIES + UUID.randomUUID(), 0);
  }

  /** A new name for what a table is compared with, of use only to this process. */
  public static FamilyName ofShadow(TableMetadata metadata) {
    return new FamilyName(SHADOWS + metadata.name + "/" + UUID.randomUUID(), 0);
  }

  /** Whether a column family is a copy of a snapshot. */
  public static boolean isCopy(String family) {
    return family.startsWith(COPIES);
  }

  /** Whether a table of Cassandra is or was compared with it. */
  static boolean isShadow(String family) {
    return family.startsWith(SHADOWS);
  }

  /** Whether a column family is nobody's rows, and of use only to the process that made it. */
  public static boolean isLeftover(String family) {
    return isCopy(family) || isShadow(family);
  }

  /** The name of a table, without a generation. */
  public static String table(TableMetadata metadata) {
    return table(metadata, metadata.name);
  }

  /** The hidden table of an index, which has the id of its base table. */
  public static String table(TableMetadata base, String name) {
    return base.keyspace + "/" + name + "/" + base.id;
  }

  /** Of the table, or of the base table of the index. */
  public TableId id() {
    return TableId.fromString(table.substring(table.lastIndexOf('/') + 1));
  }

  /** Whether it is of the table with this id, or of one of its indexes. */
  public boolean hasId(TableId id) {
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
