/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.table.PartitionWalk;
import java.util.Collections;
import java.util.Iterator;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.index.SecondaryIndexBuilder;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.TimeUUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds legacy indexes from a table's rows in RocksDB, which stay there. Cassandra builds from
 * data files alone; but it asks the memtable to flush before, and chooses the files then, so this
 * comes in between: what has no data file is indexed when the choice is made.
 *
 * <p>What is written meanwhile is indexed by its write, as the index is there, and what moves to
 * data files meanwhile by Cassandra. For one thread.
 */
public final class IndexBuild extends SecondaryIndexBuilder {
  private static final Logger logger = LoggerFactory.getLogger(IndexBuild.class);

  private static final int POLL_MILLIS = 20;

  /** What was built by this process. By identity: one that is made again has the same name. */
  private static final Set<Index> BUILT =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final ColumnFamilyStore table;
  private final StoredTable memtable;
  private final Set<Index> indexes;
  private final Runnable beforeEach;
  private final TimeUUID id = TimeUUID.Generator.nextTimeUUID();
  private volatile long parts;

  private IndexBuild(
      ColumnFamilyStore table, StoredTable memtable, Set<Index> indexes, Runnable beforeEach) {
    this.table = table;
    this.memtable = memtable;
    this.indexes = indexes;
    this.beforeEach = beforeEach;
  }

  /**
   * Builds those of a table's legacy indexes that are not built, and waits; and those that this
   * process has not. They may have been built long ago, but Cassandra tells by name: one that is
   * dropped and made again at once it may call built because the first was.
   *
   * @throws RuntimeException if one cannot be built, or it was stopped
   */
  public static void unbuilt(ColumnFamilyStore table, StoredTable memtable) {
    String keyspace = table.getKeyspaceName();
    run(
        table,
        memtable,
        index ->
            !BUILT.contains(index)
                || !SystemKeyspace.isIndexBuilt(keyspace, index.getIndexMetadata().name),
        () -> {});
  }

  /**
   * Builds some of a table's legacy indexes, and waits.
   *
   * @param beforeEach is run before each partition, by the thread that builds
   */
  public static void run(
      ColumnFamilyStore table, StoredTable memtable, Predicate<Index> wanted, Runnable beforeEach) {
    Set<Index> indexes =
        table.indexManager.listIndexes().stream()
            .filter(index -> !index.getIndexMetadata().isCustom())
            .filter(wanted)
            .collect(Collectors.toSet());
    if (indexes.isEmpty() || memtable.store().family() == null) {
      return;
    }
    memtable.store().filesAwaited.begin();
    try {
      IndexBuild build = new IndexBuild(table, memtable, indexes, beforeEach);
      await(CompactionManager.instance.submitIndexBuild(build), table.getTracker());
    } finally {
      memtable.store().filesAwaited.end();
    }
  }

  /**
   * Cassandra asks a memtable to flush with the lock of its table's flushes in hand: given back
   * while this waits, since a build may take hours.
   */
  private static void await(Future<?> build, Object lock) {
    boolean isInterrupted = false;
    synchronized (lock) {
      while (!build.isDone()) {
        try {
          lock.wait(POLL_MILLIS);
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    FBUtilities.waitOnFuture(build);
  }

  @Override
  public void build() {
    logger.info("Building {} from the rows of {} in RocksDB", names(), memtable.name());
    // Writes that began before the index was there do not know it: the walk finds what they wrote.
    Keyspace.writeOrder.awaitNewBarrier();
    int pageSize = table.indexManager.calculateIndexingPageSize();
    RegularAndStaticColumns columns = columns();
    long partitions = 0;
    Iterator<DecoratedKey> walk = new PartitionWalk(memtable.store()).keys();
    while (areAnyLeft() && walk.hasNext()) {
      beforeEach.run();
      if (isStopRequested()) {
        throw new CompactionInterruptedException(getCompactionInfo());
      }
      DecoratedKey key = walk.next();
      table.indexManager.indexPartition(key, indexes, pageSize, columns);
      parts = CompactionProgress.partsBefore(key.getToken());
      partitions++;
    }
    // Synced, or flushed: Cassandra notes next that they are built.
    for (Index index : indexes) {
      index
          .getBackingTable()
          .ifPresent(
              each -> each.forceBlockingFlush(ColumnFamilyStore.FlushReason.INDEX_BUILD_COMPLETED));
    }
    BUILT.addAll(indexes);
    logger.info("Built {} from {} partitions of {}", names(), partitions, memtable.name());
  }

  /** Not once all were dropped. */
  private boolean areAnyLeft() {
    return indexes.stream()
        .anyMatch(index -> table.indexManager.getIndex(index.getIndexMetadata()) == index);
  }

  private Set<String> names() {
    return indexes.stream().map(index -> index.getIndexMetadata().name).collect(Collectors.toSet());
  }

  /** What the indexes are of; all columns if one is of a column of the key. */
  private RegularAndStaticColumns columns() {
    RegularAndStaticColumns all = table.metadata().regularAndStaticColumns();
    RegularAndStaticColumns.Builder some = RegularAndStaticColumns.builder();
    for (Index index : indexes) {
      boolean isOfKey = true;
      for (ColumnMetadata column : all) {
        if (index.dependsOn(column)) {
          some.add(column);
          isOfKey = false;
        }
      }
      if (isOfKey) {
        return all;
      }
    }
    return some.build();
  }

  @Override
  public CompactionInfo getCompactionInfo() {
    return CompactionProgress.of(table.metadata(), OperationType.INDEX_BUILD, parts, id);
  }
}
