/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.compare;

import io.curtail.engine.table.TableStore;
import org.apache.cassandra.db.partitions.PartitionUpdate;

/** What shadows have in RocksDB. */
public final class ShadowTables {
  private ShadowTables() {}

  /** What one has now; null if nothing. */
  public static TableStore of(Shadow shadow) {
    ShadowStore store = shadow.store();
    return store == null ? null : store.store;
  }

  /** Writes what Cassandra has not taken. */
  public static void write(Shadow shadow, PartitionUpdate update) {
    shadow.store().write(update);
  }
}
