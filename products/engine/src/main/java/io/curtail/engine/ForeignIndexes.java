/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.IndexMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storage-attached and other custom indexes, which keep what they know of a memtable in memory
 * until it is flushed. This memtable is not, so after a restart they would miss rows and say
 * nothing.
 *
 * <p>{@link RefusingSchema} refuses them. One that comes from a node without the engine is dropped
 * again at once, and the log says why: no index is better than one that is quietly wrong.
 */
final class ForeignIndexes {
  private static final Logger logger = LoggerFactory.getLogger(ForeignIndexes.class);
  private static final int DELAY_MILLIS = 100;

  private ForeignIndexes() {}

  /** The names of such indexes. */
  static List<String> names(TableMetadata table) {
    return table.indexes.stream()
        .filter(IndexMetadata::isCustom)
        .map(index -> index.name)
        .collect(Collectors.toList());
  }

  static void drop(TableMetadata table) {
    for (IndexMetadata index : table.indexes) {
      if (index.isCustom()) {
        logger.error(
            "The index {} on {} is of a kind that misses rows after a restart when the table is"
                + " stored in RocksDB: it is dropped now. Use CREATE INDEX ... USING"
                + " 'legacy_local_table', or move the table with ALTER TABLE {} WITH memtable ="
                + " 'default'",
            index.name,
            table,
            table);
        ScheduledFuture<?> unused =
            ScheduledExecutors.nonPeriodicTasks.schedule(
                () -> drop(table, index), DELAY_MILLIS, TimeUnit.MILLISECONDS);
      }
    }
  }

  private static void drop(TableMetadata table, IndexMetadata index) {
    try {
      QueryProcessor.process(
          String.format("DROP INDEX IF EXISTS \"%s\".\"%s\"", table.keyspace, index.name),
          ConsistencyLevel.ONE);
    } catch (RuntimeException e) {
      logger.error("The index {} on {} could not be dropped: drop it", index.name, table, e);
    }
  }
}
