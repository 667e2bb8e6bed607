/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.operation.TableStores;
import io.curtail.engine.options.EngineOptions;
import io.curtail.engine.table.TableStore;
import java.io.IOError;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.service.StorageService;

/**
 * Makes the memtables of one configuration.
 *
 * <p>Cassandra falls back to its default memtable, with a line in the log, if a configuration that
 * a table uses cannot be made at start: the table would be there and be empty. So at start a
 * factory is made in any case, and its refusal comes when the table is opened, which ends the node.
 * In a tool that loads the schema, as {@code sstablescrub} does, there is a factory that opens
 * nothing: RocksDB may be a running node's, and to open it changes files.
 */
final class RocksMemtableFactory implements Memtable.Factory {
  private static final String OF_A_TOOL =
      "rocksdb memtable: Cassandra's offline tools have data files only, and RocksDB is not opened";

  private final Map<String, String> parameters;
  private final EngineOptions options;
  private final Engine engine;
  private final ConfigurationException refusal;

  private RocksMemtableFactory(
      Map<String, String> parameters,
      EngineOptions options,
      Engine engine,
      ConfigurationException refusal) {
    this.parameters = parameters;
    this.options = options;
    this.engine = engine;
    this.refusal = refusal;
  }

  static RocksMemtableFactory of(Map<String, String> parameters) {
    Map<String, String> given = new HashMap<>(parameters);
    if (!DatabaseDescriptor.isDaemonInitialized()) {
      parameters.clear();
      return new RocksMemtableFactory(given, null, null, new ConfigurationException(OF_A_TOOL));
    }
    try {
      EngineOptions options = EngineOptions.take(parameters);
      GuardedMemtableFactory.checkInstalled();
      return new RocksMemtableFactory(given, options, Engine.open(options), null);
    } catch (RuntimeException | IOError | LinkageError e) {
      ConfigurationException refusal = refusal(e);
      if (StorageService.instance.isDaemonSetupCompleted()) {
        throw refusal;
      }
      parameters.clear();
      return new RocksMemtableFactory(given, null, null, refusal);
    }
  }

  /** Whether the memtables of a table, if there is one, are the engine's by its definition. */
  static boolean isOf(TableMetadata table) {
    return table != null && table.params.memtable.factory() instanceof RocksMemtableFactory;
  }

  private static ConfigurationException refusal(Throwable cause) {
    return cause instanceof ConfigurationException
        ? (ConfigurationException) cause
        : new ConfigurationException(
            "rocksdb memtable: it cannot be used: "
                + cause.getMessage()
                + " (docs/engine/operate.md, durability)",
            cause);
  }

  @Override
  public Memtable create(
      AtomicReference<CommitLogPosition> commitLogLowerBound,
      TableMetadataRef metadata,
      Memtable.Owner owner) {
    TableStores all = stores();
    if (SchemaConstants.isLocalSystemKeyspace(metadata.keyspace)) {
      throw new ConfigurationException(
          "rocksdb memtable: it cannot hold "
              + metadata
              + ", a table of Cassandra itself: name it in the tables that shall use it, and"
              + " leave the configuration 'default' as it is",
          false);
    }
    RocksMemtable before = DumpedTables.moveOut(owner);
    if (before == null) {
      DumpedTables.leaveRows(owner);
    }
    TableStore store = before == null ? all.open(metadata.get()) : before.store();
    ForeignIndexes.drop(metadata.get());
    return new RocksMemtable(commitLogLowerBound, metadata, owner, all, store);
  }

  /**
   * What the node has in RocksDB.
   *
   * @throws ConfigurationException if it cannot be opened
   */
  TableStores stores() {
    return engine().stores;
  }

  /** The node's RocksDB; throws as {@link #stores}. */
  Engine engine() {
    if (refusal != null) {
      throw refusal;
    }
    return engine;
  }

  @Override
  public boolean writesShouldSkipCommitLog() {
    return skipsCommitLog() && engine.skippedCommitLog.isAllowed();
  }

  @Override
  public boolean writesAreDurable() {
    // Where this is true, Cassandra does not replay its log and does not keep it: but what a table
    // had before it was altered to RocksDB is nowhere else until its former memtable is flushed.
    return StorageService.instance.isDaemonSetupCompleted() && !FormerMemtables.anyOf(this);
  }

  /** Whether what is written here may be missing in Cassandra's commit log. */
  boolean skipsCommitLog() {
    return options != null && options.skipCommitLog;
  }

  /**
   * Whether rows that are received are written to RocksDB before their stream ends. If not, their
   * data files stay beside it until they are absorbed; which must not depend on what is going on
   * now, since Cassandra asks twice in a stream.
   */
  @Override
  public boolean streamToMemtable() {
    if (engine != null) {
      engine.stores.watchFiles();
    }
    return options == null || !options.absorb;
  }

  /** A start deletes files of this node that came back, if nobody has looked before one is made. */
  @Override
  public boolean streamFromMemtable() {
    AskedTables.check();
    if (engine != null) {
      engine.stores.watchFiles();
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RocksMemtableFactory
        && parameters.equals(((RocksMemtableFactory) other).parameters);
  }

  @Override
  public int hashCode() {
    return parameters.hashCode();
  }
}
