/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;

/** What the tables of the virtual keyspace have in common. */
final class VirtualTables {
  static final String KEYSPACE = "curtail";

  private VirtualTables() {}

  /** Begins a table whose partition key is a text. */
  static TableMetadata.Builder table(String name, String comment, String key) {
    return TableMetadata.builder(KEYSPACE, name)
        .kind(TableMetadata.Kind.VIRTUAL)
        .comment(comment)
        .partitioner(new LocalPartitioner(UTF8Type.instance))
        .addPartitionKeyColumn(key, UTF8Type.instance);
  }
}
