/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.operation.TableStores;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.store.NodeMarker;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.MemtableParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the memtables of another configuration, but for tables that have rows in RocksDB which
 * nobody has opened: then a process died while they moved out, and goes on with it here. Indexes
 * stay with their table.
 *
 * <p>Cassandra makes the first memtable of each table before it serves anybody, and takes this
 * factory for a table whose own configuration is gone as well. A node that has rows in RocksDB and
 * cannot open it does not start.
 */
final class GuardedMemtableFactory extends StockMemtableFactory {
  private static final Logger logger = LoggerFactory.getLogger(GuardedMemtableFactory.class);
  private static final String CONFIGURATION = "configuration";

  private static boolean areTablesChecked;

  private final String configuration;

  private GuardedMemtableFactory(String configuration) {
    this.configuration = configuration;
  }

  static GuardedMemtableFactory of(Map<String, String> parameters) {
    String configuration = parameters.remove(CONFIGURATION);
    if (configuration == null || !definitions().contains(configuration)) {
      throw new ConfigurationException(
          "GuardedMemtable: its parameter configuration is "
              + configuration
              + " but must name another memtable configuration, as trie in: trie: { class_name:"
              + " TrieMemtable }",
          false);
    }
    RefusingSchemaFactory.install();
    return new GuardedMemtableFactory(configuration);
  }

  /**
   * Refuses the engine on a node that would not notice an unfinished move when it starts.
   *
   * @throws ConfigurationException that says what to configure
   */
  static void checkInstalled() {
    MemtableParams byDefault = MemtableParams.DEFAULT;
    if (byDefault != null && !(byDefault.factory() instanceof GuardedMemtableFactory)) {
      throw new ConfigurationException(
          "rocksdb memtable: a table that moves out of RocksDB could be empty after a restart. Set"
              + " the memtable configuration default in cassandra.yaml to class_name: "
              + GuardedMemtable.class.getName()
              + ", parameters: configuration: NAME, where NAME is the configuration that default"
              + " was before (docs/engine/configure.md)",
          false);
    }
  }

  private static Set<String> definitions() {
    return DatabaseDescriptor.getMemtableConfigurations().keySet();
  }

  @Override
  Memtable.Factory findStock() {
    Memtable.Factory found = MemtableParams.get(configuration).factory();
    if (found instanceof GuardedMemtableFactory || found instanceof RocksMemtableFactory) {
      throw new ConfigurationException(
          "GuardedMemtable: its parameter configuration is "
              + configuration
              + " but must name a memtable configuration of Cassandra, such as class_name:"
              + " TrieMemtable",
          false);
    }
    return found;
  }

  @Override
  public Memtable create(
      AtomicReference<CommitLogPosition> commitLogLowerBound,
      TableMetadataRef metadata,
      Memtable.Owner owner) {
    if (SchemaConstants.isLocalSystemKeyspace(metadata.keyspace)
        || !(owner instanceof ColumnFamilyStore)) {
      return stock().create(commitLogLowerBound, metadata, owner);
    }
    DumpedTables.moveOutForGood(owner);
    TableStores stores = stores();
    if (stores != null
        && (stores.hasUnopened(metadata.get()) || isIndexOfLeaving(stores, metadata.get()))) {
      return goOn(commitLogLowerBound, metadata, (ColumnFamilyStore) owner, stores);
    }
    if (stores != null && !StorageService.instance.isDaemonSetupCompleted()) {
      checkTables(stores);
      stores.deleteTemporaryFiles(metadata.get());
    }
    DumpedTables.leaveRows(owner);
    return createGuarded(commitLogLowerBound, metadata, owner);
  }

  /**
   * At a start, when the schema is there and no table is served: one with rows in RocksDB and a
   * memtable that does not look for them would be empty.
   */
  private static synchronized void checkTables(TableStores stores) {
    if (areTablesChecked) {
      return;
    }
    for (KeyspaceMetadata keyspace : Schema.instance.distributedKeyspaces()) {
      for (TableMetadata table : keyspace.tablesAndViews()) {
        Memtable.Factory factory = table.params.memtable.factory();
        boolean looks =
            factory instanceof RocksMemtableFactory || factory instanceof GuardedMemtableFactory;
        if (!looks && stores.hasUnopened(table)) {
          throw new ConfigurationException(
              "rocksdb memtable: "
                  + table
                  + " has rows in RocksDB, but its memtable configuration "
                  + table.params.memtable
                  + " would not find them: make its class_name in cassandra.yaml "
                  + RocksMemtable.class.getName()
                  + " again; or "
                  + GuardedMemtable.class.getName()
                  + ", with which the rows go to Cassandra's data files, until the log has said that"
                  + " none are left",
              false);
        }
      }
    }
    areTablesChecked = true;
  }

  private static boolean isIndexOfLeaving(TableStores stores, TableMetadata metadata) {
    TableMetadata table = metadata.isIndex() ? Schema.instance.getTableMetadata(metadata.id) : null;
    return table != null
        && !(table.params.memtable.factory() instanceof RocksMemtableFactory)
        && stores.isServing(table);
  }

  private static Memtable goOn(
      AtomicReference<CommitLogPosition> commitLogLowerBound,
      TableMetadataRef reference,
      ColumnFamilyStore owner,
      TableStores stores) {
    TableMetadata metadata = reference.get();
    if (!definitions().contains(metadata.params.memtable.configurationKey())) {
      throw new ConfigurationException(
          "rocksdb memtable: "
              + metadata
              + " has rows in RocksDB, but its memtable configuration "
              + metadata.params.memtable
              + " is not in cassandra.yaml: put it back, and move the table out with ALTER TABLE"
              + " before it is removed",
          false);
    }
    if (!metadata.isIndex()) {
      logger.warn(
          "Rows of {} are still in RocksDB, since the node stopped while they moved: they are served"
              + " from there, and go to Cassandra's data files when the node is up",
          metadata);
    }
    return new RocksMemtable(
        commitLogLowerBound,
        reference,
        owner,
        stores,
        stores.adopt(metadata, GenerationState.SERVING));
  }

  /** What the node has in RocksDB; null if nothing. */
  private static TableStores stores() {
    Engine running = Engine.running();
    if (running != null) {
      return running.stores;
    }
    if (StorageService.instance.isDaemonSetupCompleted()) {
      return null;
    }
    NodeMarker marker;
    try {
      marker = NodeMarker.read();
    } catch (IOException e) {
      throw new ConfigurationException("rocksdb memtable: " + e, e);
    }
    return marker == null ? null : open(marker);
  }

  private static TableStores open(NodeMarker marker) {
    for (String name : definitions()) {
      Memtable.Factory factory = MemtableParams.getWithFallback(name).factory();
      if (factory instanceof RocksMemtableFactory) {
        return ((RocksMemtableFactory) factory).stores();
      }
    }
    throw new ConfigurationException(
        "rocksdb memtable: this node has rows in RocksDB, in "
            + marker.directory
            + ", but no memtable configuration in cassandra.yaml has class_name: "
            + RocksMemtable.class.getName()
            + ": put it back; it may go when the log has said that no table has rows in RocksDB any"
            + " more",
        false);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GuardedMemtableFactory
        && configuration.equals(((GuardedMemtableFactory) other).configuration);
  }

  @Override
  public int hashCode() {
    return configuration.hashCode();
  }
}
