/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.Database;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again and again at what operators set by nodetool, of which Cassandra tells no memtable:
 * follows what the engine can follow, and warns of what it cannot do. And it tells Cassandra what
 * that does not ask for, and has it flush what it would not.
 *
 * <p>Thread-safe.
 */
public final class NodeWatch {
  private static final Logger logger = LoggerFactory.getLogger(NodeWatch.class);
  private static final long PERIOD_SECONDS = 10;

  private final Database database;
  private final TableStores stores;
  private final Runnable listening;
  private final DiskUse diskUse;
  private final SizeEstimates sizeEstimates;
  private final SnapshotWatch snapshots;
  private final SettingsWatch settings;
  private final OlderIndexes olderIndexes;
  private double throughput = DatabaseDescriptor.getCompactionThroughputBytesPerSec();
  private Set<String> withoutBackup = Set.of();
  private Set<String> unknown = Set.of();

  /** One that is not started. */
  public NodeWatch(Database database, TableStores stores) {
    this.database = database;
    this.stores = stores;
    listening = listening(stores);
    diskUse = new DiskUse(stores);
    sizeEstimates = new SizeEstimates(stores);
    snapshots = new SnapshotWatch(stores);
    settings = new SettingsWatch(stores, database.options);
    olderIndexes = new OlderIndexes(database, stores);
  }

  private static Runnable listening(TableStores stores) {
    try {
      return new NodetoolCalls(stores)::listen;
    } catch (LinkageError e) {
      logger.info("Cassandra logs without Logback: nothing warns of nodetool cleanup in vain");
      return () -> {};
    }
  }

  /** Looks again and again from now on; once. */
  public void start() {
    ScheduledFuture<?> unused =
        ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
            this::look, 0, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** Looks once. */
  public synchronized void look() {
    listening.run();
    ReturnedFiles.trackers(stores.memtables()).forEach(stores.returnedFiles::tryToWatch);
    stores.dropAgain();
    stores.unmarkRepairedFiles();
    followThroughput();
    checkBackups();
    warnOfUnknown();
    settings.look();
    diskUse.tell();
    olderIndexes.flushIfDue();
    snapshots.look();
    sizeEstimates.tell();
    stores.expiringSnapshots.removeExpired();
  }

  private void followThroughput() {
    double now = DatabaseDescriptor.getCompactionThroughputBytesPerSec();
    if (now != throughput) {
      throughput = now;
      if (database.options.followsCompactionThroughput) {
        database.settings.compactionThrottle.set(now);
      } else {
        logger.warn(
            "nodetool setcompactionthroughput changes nothing for tables in RocksDB, since their"
                + " configuration has compaction_throughput: without it they follow");
      }
    }
  }

  private void warnOfUnknown() {
    Set<String> now = stores.unknown();
    Set<String> since = new TreeSet<>(now);
    since.removeAll(unknown);
    if (!since.isEmpty()) {
      logger.warn(
          "RocksDB has rows of tables that no schema knows, as of a DROP that the process did not"
              + " outlive: {}; remove them with curtail engine drop-unknown NODE TABLE",
          since);
    }
    unknown = now;
  }

  private void checkBackups() {
    Set<String> tables = DatabaseDescriptor.isIncrementalBackupsEnabled() ? inRocks() : Set.of();
    if (!withoutBackup.containsAll(tables)) {
      logger.warn(
          "incremental_backups leaves out what is in RocksDB, of {}: take snapshots of them (nodetool"
              + " snapshot)",
          tables);
    }
    withoutBackup = tables;
  }

  /** The tables with rows in RocksDB that want to be in incremental backups. */
  private Set<String> inRocks() {
    return stores.memtables().stream()
        .filter(memtable -> memtable.store().family() != null)
        .filter(memtable -> memtable.metadata().params.incrementalBackups)
        .map(StoredTable::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
