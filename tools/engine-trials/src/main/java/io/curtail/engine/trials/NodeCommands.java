/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials;

import io.curtail.engine.EngineMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMX;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.schema.SchemaConstants;

/** What the trials ask a node besides CQL. Runs in the node; {@code NodeProcess} calls it. */
public final class NodeCommands {
  private static final long INDEX_SECONDS = 180;

  private NodeCommands() {}

  public static void cql(String statement) {
    QueryProcessor.process(statement, ConsistencyLevel.ONE);
  }

  /** Makes all that the stock table has one data file. */
  public static void compactStock(String keyspace, String table) {
    store(keyspace, table).forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    store(keyspace, table).forceMajorCompaction();
  }

  /** Writes RocksDB's buffers of a table to disk. */
  public static void flush(String keyspace, String table) throws Exception {
    if (isInRocks(keyspace, table)) {
      engine().flush(keyspace, table);
    }
  }

  /** Compacts all that RocksDB has of a table. */
  public static void compact(String keyspace, String table) throws Exception {
    if (isInRocks(keyspace, table)) {
      engine().compact(keyspace, table);
    }
  }

  /** Takes the data files of a table into RocksDB. */
  public static void absorb(String keyspace, String table) throws Exception {
    if (isInRocks(keyspace, table)) {
      engine().absorb(keyspace, table);
    }
  }

  /** Sweeps a table. */
  public static void sweep(String keyspace, String table) throws Exception {
    if (isInRocks(keyspace, table)) {
      engine().sweep(keyspace, table);
    }
  }

  /**
   * Makes a kill lose nothing of stock tables, nor of the schema, which a trial's node does not
   * write at each change.
   */
  public static void makeDurable() throws Exception {
    for (String keyspace :
        List.of(SchemaConstants.SCHEMA_KEYSPACE_NAME, SchemaConstants.SYSTEM_KEYSPACE_NAME)) {
      for (ColumnFamilyStore store : Keyspace.open(keyspace).getColumnFamilyStores()) {
        store.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
      }
    }
    CommitLog.instance.sync(true);
  }

  /** Waits until the indexes of a table are built. */
  public static void awaitIndexes(String keyspace, String table) throws InterruptedException {
    ColumnFamilyStore store = store(keyspace, table);
    long end = System.nanoTime() + INDEX_SECONDS * 1_000_000_000;
    while (store.getBuiltIndexes().size() < store.metadata().indexes.size()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the indexes of " + table + " are not built");
      }
      Thread.sleep(5);
    }
  }

  private static boolean isInRocks(String keyspace, String table) {
    Memtable current = store(keyspace, table).getTracker().getView().getCurrentMemtable();
    return current.getClass().getName().equals(TrialNode.MEMTABLE);
  }

  private static ColumnFamilyStore store(String keyspace, String table) {
    return Keyspace.open(keyspace).getColumnFamilyStore(table);
  }

  /** What the node's engine answers to operators. */
  public static EngineMXBean engine() throws MalformedObjectNameException {
    return JMX.newMXBeanProxy(
        ManagementFactory.getPlatformMBeanServer(),
        new ObjectName(EngineMXBean.NAME),
        EngineMXBean.class);
  }
}
