/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.log.SyncMode;
import io.curtail.engine.options.EngineOptions;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.GuardrailsOptions;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of settings that do nothing for tables in RocksDB, or cost much: guardrails of which
 * Cassandra thinks only when it writes a data file, CDC without the commit log, as no start checks
 * it, and views, or a sync with each write, without {@code absorb: true}.
 *
 * <p>For one thread.
 */
final class SettingsWatch {
  private static final Logger logger = LoggerFactory.getLogger(SettingsWatch.class);

  /** Of a guardrail that counts. */
  private static final long NOT_SET = -1;

  private final TableStores stores;
  private final EngineOptions options;
  private Set<String> unchecked = Set.of();
  private Set<String> unguarded = Set.of();
  private Set<String> viewed = Set.of();
  private Set<String> uncaptured = Set.of();
  private boolean saysOfStreams;

  SettingsWatch(TableStores stores, EngineOptions options) {
    this.stores = stores;
    this.options = options;
  }

  /** Warns of each guardrail and table once, and again when it was all right meanwhile. */
  void look() {
    Set<String> guardrails = guardrails();
    Set<String> tables = guardrails.isEmpty() ? Set.of() : tables(table -> !table.isIndex());
    if (!tables.isEmpty()
        && !(unguarded.containsAll(tables) && unchecked.containsAll(guardrails))) {
      logger.warn(
          "The guardrails {} are checked as data files are written, and so not for tables in"
              + " RocksDB: {}",
          guardrails,
          tables);
    }
    unguarded = tables;
    unchecked = guardrails;
    if (!saysOfStreams && doStreamsWait() && !tables(table -> !table.isIndex()).isEmpty()) {
      saysOfStreams = true;
      logger.warn(
          "A stream that is received waits for a sync of the log with each partition, as sync is {}:"
              + " set absorb: true before nodes join, leave or are repaired"
              + " (docs/engine/operate.md)",
          options.sync.name().toLowerCase(Locale.ROOT));
    }
    Set<String> withViews = options.absorb ? Set.of() : tables(SettingsWatch::hasViews);
    if (!viewed.containsAll(withViews)) {
      logger.warn(
          "A node that joins or moves stores each row of the views of {} in its batch log, since it"
              + " receives them as writes: set absorb: true on all nodes before nodes join, leave or"
              + " move (docs/engine/operate.md)",
          withViews);
    }
    viewed = withViews;
    Set<String> withCdc =
        DatabaseDescriptor.isCDCEnabled() ? tables(SettingsWatch::lacksCdc) : Set.of();
    if (!uncaptured.containsAll(withCdc)) {
      logger.warn(
          "CDC has nothing of what is written to {}, since skip_commitlog is true now in their"
              + " memtable configuration: set it to false, and start the node again",
          withCdc);
    }
    uncaptured = withCdc;
  }

  private boolean doStreamsWait() {
    return !options.absorb && options.sync != SyncMode.PERIODIC;
  }

  private static boolean lacksCdc(TableMetadata table) {
    return table.params.cdc && table.params.memtable.factory().writesShouldSkipCommitLog();
  }

  private Set<String> tables(Predicate<TableMetadata> which) {
    return stores.memtables().stream()
        .filter(memtable -> memtable.store().family() != null)
        .filter(memtable -> which.test(memtable.metadata()))
        .map(StoredTable::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean hasViews(TableMetadata table) {
    KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(table.keyspace);
    return keyspace != null
        && !table.isIndex()
        && keyspace.views.stream().anyMatch(view -> view.baseTableId.equals(table.id));
  }

  /** Those that are set, of these. */
  private static Set<String> guardrails() {
    GuardrailsOptions set = DatabaseDescriptor.getGuardrailsConfig();
    Set<String> names = new TreeSet<>();
    if (set.getPartitionSizeWarnThreshold() != null
        || set.getPartitionSizeFailThreshold() != null) {
      names.add("partition_size_*_threshold");
    }
    if (isSet(set.getPartitionTombstonesWarnThreshold())
        || isSet(set.getPartitionTombstonesFailThreshold())) {
      names.add("partition_tombstones_*_threshold");
    }
    if (set.getCollectionSizeWarnThreshold() != null
        || set.getCollectionSizeFailThreshold() != null) {
      names.add("collection_size_*_threshold");
    }
    if (isSet(set.getItemsPerCollectionWarnThreshold())
        || isSet(set.getItemsPerCollectionFailThreshold())) {
      names.add("items_per_collection_*_threshold");
    }
    return names;
  }

  private static boolean isSet(long threshold) {
    return threshold != NOT_SET;
  }
}
