/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.DatabaseOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns by name of a table whose compaction is behind: each file in level 0 is one more that reads
 * look into, and whose filter and index stay in the block cache. A warning comes at the bound that
 * the operator has set and each time the number has doubled since; what ends it is told, too.
 *
 * <p>From twice that bound on compactions read as fast as they can, until all tables are below it.
 * Writes are not refused: Cassandra's own, such as hints, batches, views and streams, would stand
 * still with them, or go on without half of what they do.
 *
 * <p>Nobody but the timer calls it.
 */
public final class CompactionBacklog {
  private static final Logger logger = LoggerFactory.getLogger(CompactionBacklog.class);
  private static final long PERIOD_SECONDS = 10;

  private final TableStores stores;
  private final DatabaseOptions settings;
  private final long bound;

  /** By table, the number of files that was warned of last. */
  private final Map<String, Long> warned = new HashMap<>();

  private boolean isHurried;

  /**
   * @param bound files in level 0 of a table from which on it is warned of
   */
  public CompactionBacklog(TableStores stores, DatabaseOptions settings, long bound) {
    this.stores = stores;
    this.settings = settings;
    this.bound = bound;
  }

  /** Looks again and again from now on; once. */
  public void start() {
    ScheduledFuture<?> unused =
        ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
            this::check, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** Looks once, and returns the tables that it has warned of and that are behind still. */
  public Set<String> check() {
    Set<String> tables = new TreeSet<>();
    long most = 0;
    for (StoredTable memtable : stores.memtables()) {
      String table = memtable.store().table;
      tables.add(table);
      try {
        long files = memtable.store().level0Files();
        most = Math.max(most, files);
        check(table, files);
      } catch (FSError e) {
        NoSpamLogger.log(
            logger, NoSpamLogger.Level.WARN, 10, TimeUnit.MINUTES, "Files of {}: {}", table, e);
      }
    }
    warned.keySet().retainAll(tables);
    hurry(most);
    return new TreeSet<>(warned.keySet());
  }

  private void hurry(long mostFiles) {
    if (!isHurried && mostFiles >= 2 * bound) {
      isHurried = true;
      settings.compactionThrottle.hurry(true);
      logger.warn(
          "Compactions of tables in RocksDB are not throttled from now on, as {} files are in"
              + " level 0 of one",
          mostFiles);
    } else if (isHurried && mostFiles < bound) {
      isHurried = false;
      settings.compactionThrottle.hurry(false);
      logger.info("Compactions of tables in RocksDB are throttled as before");
    }
  }

  private void check(String table, long files) {
    Long before = warned.get(table);
    if (files >= (before == null ? bound : 2 * before)) {
      warned.put(table, files);
      logger.warn(
          "Compaction of {} is behind: {} files in level 0, each of which a read may look into."
              + " Raise compaction_throughput or compaction_threads, or write less"
              + " (docs/engine/operate.md, runbook)",
          table,
          files);
    } else if (before != null && files < bound / 2.0) {
      warned.remove(table);
      logger.info("Compaction of {} has caught up: {} files in level 0", table, files);
    }
  }
}
