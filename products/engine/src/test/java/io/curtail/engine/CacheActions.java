/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;

/** What tests ask a node of its own about the block cache. */
public final class CacheActions {
  private CacheActions() {}

  /**
   * How many bytes it has, of all tables. The sizes of tables are estimated before, which reads
   * indexes, and then for minutes not again.
   *
   * @param table one that was written
   */
  public static String cachedBytes(String keyspace, String table) {
    Engine.running().watch.look();
    ColumnFamilyStore store = Keyspace.open(keyspace).getColumnFamilyStore(table);
    return Long.toString(TestNode.store(store).property("rocksdb.block-cache-usage"));
  }
}
