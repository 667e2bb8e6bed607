/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.Memtable;

/** Whether a table has one memtable, so that no write of it is in another that is to be flushed. */
final class OnlyMemtable {
  private OnlyMemtable() {}

  /** The memtable that Cassandra writes to; null if there is another beside it, or before it. */
  static Memtable of(ColumnFamilyStore table) {
    View view = table.getTracker().getView();
    return view.liveMemtables.size() == 1 && view.flushingMemtables.isEmpty()
        ? view.getCurrentMemtable()
        : null;
  }
}
