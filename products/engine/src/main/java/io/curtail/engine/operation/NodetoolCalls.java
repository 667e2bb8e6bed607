/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.repair.RepairCoordinator;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.LoggerFactory;

/**
 * Hears of operations of nodetool that look at Cassandra's data files only: of most it names the
 * one that is for tables in RocksDB, before an index is built again it is built from the rows
 * there, and repairs that go by the mark of what is repaired are refused, as is what would take
 * {@linkplain TemporaryFiles temporary files} for data. Cassandra asks no memtable about them; all
 * that there is to notice is what it logs, at INFO, when it begins one. So it hears that line,
 * where Cassandra logs with Logback.
 */
final class NodetoolCalls extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private static final org.slf4j.Logger logger = LoggerFactory.getLogger(NodetoolCalls.class);

  /** Of {@code CompactionManager.parallelAllSSTableOperation}: type, keyspace, table. */
  private static final String BEGINNING = "Starting {} for {}.{}";

  /** Of {@code ColumnFamilyStore.rebuildSecondaryIndex}: keyspace, table, indexes. */
  private static final String REBUILDING =
      "User Requested secondary index re-build for {}/{} indexes: {}";

  /** Of {@code SSTableImporter.importNewSSTables}: a number, keyspace, table, options. */
  private static final String IMPORTING = "[{}] Loading new SSTables for {}/{}: {}";

  /** Options of what is in the table's own directories. */
  private static final String FROM_ITSELF = "srcPaths='[]'";

  private static final String REPAIRS = RepairCoordinator.class.getName();

  private static final Map<OperationType, String> INSTEAD =
      Map.of(
          OperationType.CLEANUP, "cleanup",
          OperationType.GARBAGE_COLLECT, "sweep",
          OperationType.SCRUB, "verify",
          OperationType.VERIFY, "verify");

  private final TableStores stores;

  NodetoolCalls(TableStores stores) {
    this.stores = stores;
    setName("curtail-engine");
  }

  /** Listens, if it does not yet or no more: Logback forgets it when it reads its file again. */
  void listen() {
    listen(LoggerFactory.getLogger(CompactionManager.class));
    listen(LoggerFactory.getLogger(ColumnFamilyStore.class));
    listen(LoggerFactory.getLogger(REPAIRS));
  }

  private void listen(org.slf4j.Logger source) {
    if (source instanceof Logger) {
      Logger logback = (Logger) source;
      setContext(logback.getLoggerContext());
      start();
      if (!logback.isAttached(this)) {
        logback.addAppender(this);
      }
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (REPAIRS.equals(event.getLoggerName())) {
      IncrementalRepairs.refuse(event.getFormattedMessage(), this::stored);
      return;
    }
    Object[] arguments = event.getArgumentArray();
    if (IMPORTING.equals(event.getMessage())) {
      if (arguments[3].toString().contains(FROM_ITSELF)) {
        refuse((String) arguments[1], (String) arguments[2]);
      }
      return;
    }
    if (arguments == null || arguments.length != 3) {
      return;
    }
    if (BEGINNING.equals(event.getMessage())) {
      warn((OperationType) arguments[0], arguments[1] + "." + arguments[2]);
    } else if (REBUILDING.equals(event.getMessage())) {
      build((String) arguments[0], (String) arguments[1], (String) arguments[2]);
    }
  }

  /**
   * They would be data for good, and may have rows that are deleted by now.
   *
   * @throws AssertionError if the table has temporary files, as Logback hands nothing else to who
   *     logs
   */
  private void refuse(String keyspace, String name) {
    TableMetadata table = Schema.instance.getTableMetadata(keyspace, name);
    if (table != null && stores.temporaryFiles.areThere(table)) {
      throw new AssertionError(
          table
              + " has files of a stream or a repair in its directory, which would be taken for data:"
              + " a minute after it, nodetool refresh again; or nodetool import from another"
              + " directory");
    }
  }

  private void warn(OperationType type, String table) {
    String instead = INSTEAD.get(type);
    if (instead != null && !memtables(table).isEmpty()) {
      logger.warn(
          "{} of {} looks at Cassandra's data files only, and the table has rows in RocksDB: run"
              + " curtail engine {} NODE {} (docs/engine/operate.md)",
          type,
          table,
          instead,
          table);
    }
  }

  /** Cassandra builds an index again from data files, which the same thread asks for next. */
  private void build(String keyspace, String name, String indexes) {
    Set<String> names = Set.of(indexes.split(","));
    for (StoredTable memtable : memtables(keyspace + "." + name)) {
      ColumnFamilyStore table = ColumnFamilyStore.getIfExists(memtable.metadata().id);
      if (table != null) {
        build(table, memtable, names);
      }
    }
  }

  /**
   * Not built until all is: a start builds it if the process dies meanwhile.
   *
   * @throws AssertionError if it failed, as Logback hands nothing else to who logs, and who asked
   *     would call it built
   */
  private static void build(ColumnFamilyStore table, StoredTable memtable, Set<String> names) {
    try {
      for (Index index : table.indexManager.listIndexes()) {
        String each = index.getIndexMetadata().name;
        if (names.contains(each) && !index.getIndexMetadata().isCustom()) {
          SystemKeyspace.setIndexRemoved(table.getKeyspaceName(), each);
        }
      }
      IndexBuild.run(
          table, memtable, index -> names.contains(index.getIndexMetadata().name), () -> {});
    } catch (RuntimeException e) {
      logger.error("{} of {} could not be built again", names, memtable.name(), e);
      throw new AssertionError(
          names
              + " of "
              + memtable.name()
              + " could not be built again from the rows in RocksDB ("
              + e.getMessage()
              + "): the log says why; nodetool rebuild_index again, or a start of the node builds it");
    }
  }

  private List<StoredTable> memtables(String table) {
    return stores.memtables().stream()
        .filter(memtable -> memtable.name().equals(table) && memtable.store().family() != null)
        .collect(Collectors.toList());
  }

  private List<String> stored(String keyspace, List<String> names) {
    return stores.memtables().stream()
        .filter(memtable -> !memtable.isClean())
        .map(StoredTable::metadata)
        .filter(table -> table.keyspace.equals(keyspace) && !table.isIndex())
        .filter(table -> names.isEmpty() || names.contains(table.name))
        .map(TableMetadata::toString)
        .distinct()
        .sorted()
        .collect(Collectors.toList());
  }
}
