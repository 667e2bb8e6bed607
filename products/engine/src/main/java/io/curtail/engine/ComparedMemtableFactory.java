/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.compare.ComparedSkipListMemtable;
import io.curtail.engine.compare.ComparedTrieMemtable;
import io.curtail.engine.compare.Shadow;
import io.curtail.engine.compare.ShadowOptions;
import io.curtail.engine.compare.Shadows;
import io.curtail.engine.store.Database;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.InheritingClass;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.OpenTrieMemtable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.MemtableParams;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadataRef;

/**
 * Makes Cassandra's own memtables, which also tell a {@link Shadow} what is written to them. The
 * tables of Cassandra itself and those of indexes have none.
 */
final class ComparedMemtableFactory extends StockMemtableFactory implements Shadow.Host {
  private static final Set<String> STOCK = Set.of("TrieMemtable", "SkipListMemtable");

  private final ShadowOptions options;

  private ComparedMemtableFactory(ShadowOptions options) {
    this.options = options;
  }

  static ComparedMemtableFactory of(Map<String, String> parameters) {
    ShadowOptions options = ShadowOptions.take(parameters);
    String stock = className(options.configuration);
    if (!STOCK.contains(stock.substring(stock.lastIndexOf('.') + 1))) {
      throw refusal("configuration", options.configuration, "class_name: TrieMemtable");
    }
    if (!className(options.with).equals(RocksMemtable.class.getName())) {
      throw refusal("with", options.with, "class_name: " + RocksMemtable.class.getName());
    }
    return new ComparedMemtableFactory(options);
  }

  private static ConfigurationException refusal(String parameter, String value, String example) {
    return new ConfigurationException(
        "ComparedMemtable: its parameter "
            + parameter
            + " is \""
            + value
            + "\" but must name a memtable configuration such as one with "
            + example
            + " (docs/engine/configure.md)",
        false);
  }

  /** The class of a configuration in {@code cassandra.yaml}; empty if there is none. */
  private static String className(String name) {
    Map<String, InheritingClass> definitions = DatabaseDescriptor.getMemtableConfigurations();
    InheritingClass found = definitions.get(name);
    for (int depth = 0; found != null && depth <= definitions.size(); depth++) {
      if (found.class_name != null) {
        return found.class_name;
      }
      found = definitions.get(found.inherits);
    }
    return "";
  }

  @Override
  Memtable.Factory findStock() {
    return MemtableParams.get(options.configuration).factory();
  }

  @Override
  public Memtable create(
      AtomicReference<CommitLogPosition> commitLogLowerBound,
      TableMetadataRef metadata,
      Memtable.Owner owner) {
    if (SchemaConstants.isLocalSystemKeyspace(metadata.keyspace)
        || metadata.get().isIndex()
        || !(owner instanceof ColumnFamilyStore)) {
      return stock().create(commitLogLowerBound, metadata, owner);
    }
    Shadow shadow = Shadows.NODE.of((ColumnFamilyStore) owner, metadata, options, this);
    return OpenTrieMemtable.isMadeBy(stock())
        ? new ComparedTrieMemtable(
            commitLogLowerBound, metadata, owner, stock(), guard(metadata, owner), shadow)
        : new ComparedSkipListMemtable(
            commitLogLowerBound, metadata, owner, guard(metadata, owner), shadow);
  }

  @Override
  public boolean isCompared(Memtable.Factory memtables) {
    return memtables instanceof ComparedMemtableFactory;
  }

  @Override
  public Database open(String configuration) {
    return ((RocksMemtableFactory) MemtableParams.get(configuration).factory()).engine().database;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ComparedMemtableFactory
        && options.equals(((ComparedMemtableFactory) other).options);
  }

  @Override
  public int hashCode() {
    return options.hashCode();
  }
}
