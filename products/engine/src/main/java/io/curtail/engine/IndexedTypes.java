/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.PartitionerDefinedOrder;
import org.apache.cassandra.index.internal.CassandraIndex;
import org.apache.cassandra.schema.IndexMetadata;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The types by which legacy indexes order their entries. Cassandra gives an index those that its
 * table has when it is made or opened: with a user type that gets a field it would go on with the
 * former one, which takes no value of the new.
 */
final class IndexedTypes {
  private IndexedTypes() {}

  /** The legacy indexes of a table whose types change. */
  static List<String> changed(TableMetadata before, TableMetadata after) {
    return after.indexes.stream()
        .filter(index -> !index.isCustom() && before.indexes.get(index.name).isPresent())
        .filter(index -> !types(before, index).equals(types(after, index)))
        .map(index -> index.name)
        .collect(Collectors.toList());
  }

  /** Without the names of fields, which may change. */
  private static List<AbstractType<?>> types(TableMetadata table, IndexMetadata index) {
    TableMetadata entries = CassandraIndex.indexCfsMetadata(table, index);
    return StreamSupport.stream(entries.primaryKeyColumns().spliterator(), false)
        .map(column -> column.type)
        .filter(type -> !(type instanceof PartitionerDefinedOrder)) // by the token
        .map(AbstractType::expandUserTypes)
        .collect(Collectors.toList());
  }
}
