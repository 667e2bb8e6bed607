/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.table.TableStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns by name of a table whose compaction is behind: each file in level 0 is one more that reads
 * look into, and whose filter and index stay in the block cache. A warning comes at the bound that
 * the operator has set and each time the number has doubled since; what ends it is told, too.
 *
 * <p>From another bound on, the table's writes are refused until it has fewer files, so that what
 * reads look into and what filters take ends somewhere. They do not wait: those who do hold threads
 * that writes of other tables need.
 *
 * <p>Nobody but the timer calls it.
 */
public final class CompactionBacklog {
  private static final Logger logger = LoggerFactory.getLogger(CompactionBacklog.class);
  private static final long PERIOD_SECONDS = 10;

  private final TableStores stores;
  private final long warnFrom;
  private final long refuseFrom;

  /** By table, the number of files that was warned of last. */
  private final Map<String, Long> warned = new HashMap<>();

  /**
   * @param warnFrom files in level 0 of a table, or of an index, from which on it is warned of
   * @param refuseFrom the same, from which on writes of the table are refused
   */
  public CompactionBacklog(TableStores stores, long warnFrom, long refuseFrom) {
    this.stores = stores;
    this.warnFrom = warnFrom;
    this.refuseFrom = refuseFrom;
  }

  /** Looks again and again from now on; once. */
  public void start() {
    ScheduledFuture<?> unused =
        ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
            this::check, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** Looks once, and returns the tables that it has warned of and that are behind still. */
  public Set<String> check() {
    List<StoredTable> memtables = stores.memtables();
    Set<String> tables = new TreeSet<>();
    Map<TableId, String> refusals = new HashMap<>();
    for (StoredTable memtable : memtables) {
      TableStore store = memtable.store();
      long files = store.level0Files();
      tables.add(store.table);
      warn(store.table, files);
      if (files >= refuseFrom) {
        refusals.put(store.name().id(), refusal(store.table, files));
      }
    }
    warned.keySet().retainAll(tables);
    for (StoredTable memtable : memtables) {
      refuse(memtable.store(), refusals.get(memtable.store().name().id()));
    }
    return new TreeSet<>(warned.keySet());
  }

  private void warn(String table, long files) {
    Long before = warned.get(table);
    if (files >= (before == null ? warnFrom : 2 * before)) {
      warned.put(table, files);
      logger.warn(
          "Compaction of {} is behind: {} files in level 0, each of which a read may look into;"
              + " from {} on its writes are refused. Raise compaction_throughput or"
              + " compaction_threads, or write less (docs/engine/operate.md, runbook)",
          table,
          files,
          refuseFrom);
    } else if (before != null && files < warnFrom / 2.0) {
      warned.remove(table);
      logger.info("Compaction of {} has caught up: {} files in level 0", table, files);
    }
  }

  private String refusal(String table, long files) {
    return "compaction of "
        + table
        + " is behind: it had "
        + files
        + " files in level 0 and max_level0_files is "
        + refuseFrom
        + ": write less, or raise compaction_throughput, until it has caught up";
  }

  /** What the log has of before the start is written in any case. */
  private static void refuse(TableStore store, String why) {
    if (store.isIndex || !StorageService.instance.isDaemonSetupCompleted()) {
      return;
    }
    boolean wasRefusing = store.refusesWrites();
    store.refuseWrites(why);
    if (why != null && !wasRefusing) {
      logger.error("Writes of {} are refused from now on: {}", store.table, why);
    } else if (why == null && wasRefusing) {
      logger.info("Writes of {} are taken again", store.table);
    }
  }
}
