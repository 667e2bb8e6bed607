/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.compare.Shadows;
import io.curtail.engine.operation.Absorber;
import io.curtail.engine.operation.CompactionBacklog;
import io.curtail.engine.operation.MoveOut;
import io.curtail.engine.operation.NodeWatch;
import io.curtail.engine.operation.Sweeper;
import io.curtail.engine.operation.TableStores;
import io.curtail.engine.operation.Tasks;
import io.curtail.engine.operation.TemporaryFiles;
import io.curtail.engine.operation.WriteBuffers;
import io.curtail.engine.options.EngineOptions;
import io.curtail.engine.snapshot.Restore;
import io.curtail.engine.store.Database;
import io.curtail.engine.store.FamilyName;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.MBeanWrapper;

/**
 * The engine of this node: its one {@link Database}, the tables in it, and what goes on in the
 * background.
 *
 * <p>It opens when the first table or statement names a configuration of the engine, and stays open
 * until the process ends. Thread-safe.
 */
final class Engine {
  private static volatile Engine running;

  final Database database;
  final SkippedCommitLog skippedCommitLog = new SkippedCommitLog();
  final TemporaryFiles temporaryFiles;
  final TableStores stores;
  final Tasks tasks = new Tasks();
  final Sweeper sweeper;
  final Absorber absorber;
  final MoveOut moveOut;
  final EngineMetrics metrics;
  final CompactionBacklog backlog;
  final NodeWatch watch;

  private volatile boolean isShutDown;

  /**
   * The node's RocksDB, opened if it is not yet.
   *
   * @throws ConfigurationException if it cannot be opened, or is open with other options
   */
  static synchronized Engine open(EngineOptions options) {
    if (running == null) {
      running = new Engine(options);
      running.skippedCommitLog.listen();
      new DroppedTables(running.stores).listen();
      MBeanWrapper.instance.registerMBean(new EngineControl(running), EngineMXBean.NAME);
      running.metrics.register();
      running.backlog.start();
      running.database.watchRoom();
      running.watch.start();
      if (options.absorb) {
        running.absorber.start();
      }
      running.moveOut.start();
      new WriteBuffers(running.database).start();
      registerKeyspace(running);
      awaitShutdown(running);
    } else {
      Set<String> differences = running.database.options.differences(options);
      if (!differences.isEmpty()) {
        throw new ConfigurationException(
            "rocksdb memtable: a node has one RocksDB, so all configurations must agree on "
                + differences
                + "; only skip_commitlog may differ");
      }
    }
    return running;
  }

  /**
   * In a thread of its own: a node that joins a cluster holds Cassandra's lock until it has the
   * schema, and may be opening the engine for a table of that schema.
   */
  private static void awaitShutdown(Engine engine) {
    Thread thread =
        new Thread(
            () -> StorageService.instance.addPostShutdownHook(engine::shutDown),
            "curtail-engine-shutdown-hook");
    thread.setDaemon(true);
    thread.start();
    ProcessEnd.after(() -> engine.isShutDown, engine.database.families::endBackgroundWork);
  }

  /** Later: Cassandra may be making its first tables now, and a virtual one is a table, too. */
  private static void registerKeyspace(Engine engine) {
    ScheduledFuture<?> unused =
        ScheduledExecutors.optionalTasks.schedule(
            () -> EngineKeyspace.register(engine), 1, TimeUnit.SECONDS);
  }

  /** The open engine; null if there is none yet. Flushes of all tables ask, so none waits here. */
  static Engine running() {
    return running;
  }

  /** Whether this node has rows of a table in RocksDB, whatever its definition says by now. */
  static boolean hasRowsOf(TableMetadata table) {
    Engine engine = running();
    return engine != null && engine.database.generations.tables().contains(FamilyName.table(table));
  }

  private Engine(EngineOptions options) {
    database = new Database(options, NativeMerge::load, EngineFailures::tell);
    Restore.deleteLeftover(database);
    temporaryFiles =
        new TemporaryFiles(
            database.temporaryTables,
            table -> database.generations.tables().contains(table),
            database::updateMarker);
    stores = new TableStores(database, temporaryFiles);
    metrics = new EngineMetrics(database, stores);
    sweeper = new Sweeper(stores, options.sweepPeriodMillis, options.sweepBytesPerSecond);
    absorber = new Absorber(stores, tasks);
    backlog = new CompactionBacklog(stores, database.settings, options.warnLevel0Files);
    moveOut = new MoveOut(stores, tasks, options.moveAtOnceBytes);
    watch = new NodeWatch(database, stores);
  }

  private void shutDown() {
    Shadows.NODE.close();
    sweeper.close();
    absorber.close();
    moveOut.close();
    try {
      database.closeLog();
    } finally {
      isShutDown = true;
    }
  }
}
