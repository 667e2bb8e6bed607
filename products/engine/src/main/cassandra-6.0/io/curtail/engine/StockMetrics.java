/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.schema.TableMetadataRef;

/** A factory whose tables have the metrics of another one, as Cassandra 6.0 asks for them. */
interface StockMetrics extends Memtable.Factory {
  /** The other one. */
  Memtable.Factory stock();

  @Override
  default Runnable createMemtableMetricsReleaser(TableMetadataRef metadata) {
    return stock().createMemtableMetricsReleaser(metadata);
  }
}
