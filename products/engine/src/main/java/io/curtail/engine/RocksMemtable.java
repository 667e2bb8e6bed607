/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.operation.IncrementalRepairs;
import io.curtail.engine.operation.IndexBuild;
import io.curtail.engine.operation.MoveOut;
import io.curtail.engine.operation.OlderIndexes;
import io.curtail.engine.operation.StoredTable;
import io.curtail.engine.operation.TableStores;
import io.curtail.engine.operation.ViewBuild;
import io.curtail.engine.snapshot.Snapshots;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.table.FlushSet;
import io.curtail.engine.table.PartitionReader;
import io.curtail.engine.table.PartitionWriter;
import io.curtail.engine.table.StoredPartition;
import io.curtail.engine.table.TableStore;
import io.curtail.engine.table.TokenRangeIterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.metrics.StorageMetrics;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.service.CacheService;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table whose data stays in RocksDB: the {@code class_name} of a memtable configuration in {@code
 * cassandra.yaml}.
 *
 * <p>It is not flushed as other memtables are. Cassandra replaces it when the table is truncated or
 * dropped, and its data goes; or altered to another memtable, and its data goes to Cassandra's own
 * data files first, which are read together with this. A large one is copied: {@link MoveOut}.
 */
public final class RocksMemtable extends SwitchedMemtable implements StoredTable {
  private static final Logger logger = LoggerFactory.getLogger(RocksMemtable.class);

  private static final String ALTERED = "the table was altered to another memtable";

  private final TableStores stores;
  private final TableStore store;
  private final Memtable.Owner owner;
  private final RestOfTable rest;
  private final Truncation truncation = new Truncation();
  private final Move move;

  /** Whether Cassandra has another memtable for the table now. */
  private volatile boolean isSwitchedOut;

  /** Whether the next memtable goes on with the store. */
  private volatile boolean isHandedOn;

  /** Who flushes it; null if nobody does. */
  private volatile Thread flusher;

  RocksMemtable(
      AtomicReference<CommitLogPosition> commitLogLowerBound,
      TableMetadataRef metadata,
      Memtable.Owner owner,
      TableStores stores,
      TableStore store) {
    super(metadata, commitLogLowerBound);
    this.stores = stores;
    this.owner = owner;
    rest = new RestOfTable(this, owner);
    move = new Move(this, owner, stores.purgeHolds);
    this.store = store;
    stores.setMemtable(this);
  }

  /** What Cassandra calls with the parameters of a configuration; takes those it knows. */
  public static Memtable.Factory factory(Map<String, String> parameters) {
    return RocksMemtableFactory.of(parameters);
  }

  @Override
  public long put(PartitionUpdate update, UpdateTransaction indexer, OpOrder.Group opGroup) {
    store.announce(update);
    if (store.receivedStreams.writing()) {
      PartitionWriter.applyInParts(store, this::metadata, update, indexer);
    } else {
      PartitionWriter.apply(store, this::metadata, update, indexer);
    }
    currentOperations.addAndGet(update.operationCount());
    return Long.MAX_VALUE;
  }

  @Override
  public void absorb(PartitionUpdate update) {
    store.announce(update);
    PartitionWriter.write(store, this::metadata, update, UpdateTransaction.NO_OP);
  }

  @Override
  public TableStore store() {
    return store;
  }

  @Override
  public String name() {
    return metadata().keyspace + "." + metadata().name;
  }

  @Override
  public int dataFiles() {
    return rest.dataFiles();
  }

  @Override
  public long dataFileBytes() {
    return rest.dataFileBytes();
  }

  @Override
  public void addToDiskUse(long bytes) {
    if (bytes != 0 && owner instanceof ColumnFamilyStore) {
      ((ColumnFamilyStore) owner).getTracker().updateLiveDiskSpaceUsed(bytes);
      StorageMetrics.load.inc(bytes);
    }
  }

  @Override
  public boolean mayPurge() {
    if (!(owner instanceof ColumnFamilyStore)
        || isSwitchedOut
        || store.state() != GenerationState.SERVING
        || !isInRocks()
        || store.changes() != null
        || store.receivedStreams.areAny()
        || !StorageService.instance.isDaemonSetupCompleted()) { // the commit log is being replayed
      return false;
    }
    ColumnFamilyStore table = (ColumnFamilyStore) owner;
    String onlyRepaired =
        metadata().params.compaction.options().get("only_purge_repaired_tombstones");
    return !table.getNeverPurgeTombstones()
        && !Boolean.parseBoolean(onlyRepaired)
        && rest.isNothing()
        && store.absorbed.areGone();
  }

  @Override
  public boolean isBeingEmptied() {
    return truncation.goesOn();
  }

  @Override
  public UnfilteredRowIterator rowIterator(
      DecoratedKey key,
      Slices slices,
      ColumnFilter filter,
      boolean reversed,
      SSTableReadsListener listener) {
    return new PartitionReader(store, metadata(), filter).read(key, slices, reversed);
  }

  /**
   * Whether there is such a partition, without its rows: Cassandra's compactions, which alone ask,
   * look for null, close nothing, and hold no read order that Cassandra waits for.
   */
  @Override
  public UnfilteredRowIterator rowIterator(DecoratedKey key) {
    TableMetadata table = metadata();
    try (Family.Use use = store.use();
        UnfilteredRowIterator rows =
            use == null
                ? null
                : PartitionReader.through(store, table, ColumnFilter.all(table))
                    .read(use.family, key, Slices.ALL, false)) {
      return rows == null ? null : EmptyIterators.unfilteredRow(table, key, false);
    }
  }

  @Override
  public UnfilteredPartitionIterator partitionIterator(
      ColumnFilter filter, DataRange range, SSTableReadsListener listener) {
    return new TokenRangeIterator(store, metadata(), filter, range);
  }

  /** By the thread that asks for the partitions next. */
  @Override
  public LifecycleTransaction setFlushTransaction(LifecycleTransaction transaction) {
    flusher = Thread.currentThread();
    return super.setFlushTransaction(transaction);
  }

  /**
   * For the flush that moves the rows out, and for streams and repairs. Those asked before the move
   * began, or chose data files before it ended, and would get a part only.
   */
  @Override
  public FlushablePartitionSet<?> getFlushSet(PartitionPosition from, PartitionPosition to) {
    if (isSwitchedOut && Thread.currentThread() == flusher) {
      return move.flushSet(from, to);
    }
    if (isSwitchedOut || rest.hasRowsOnTheirWay()) {
      throw StoredPartition.hasMoved(store);
    }
    AskedTables.remove(this);
    FlushSet range = stores.temporaryFiles.flushSet(this, store, from, to);
    if (isSwitchedOut) { // and maybe gone before they were counted
      throw StoredPartition.hasMoved(store);
    }
    return range;
  }

  @Override
  public boolean shouldSwitch(ColumnFamilyStore.FlushReason reason) {
    switch (reason) {
      case TRUNCATE:
        if (store.state().isLive() && mustGoFirst()) {
          // Its rows go later, all or, if the node dies, none.
          stores.endTruncation(store, metadata());
          return moveOut("it is truncated, and has data files beside it, or on their way");
        }
        stores.truncate(store, metadata());
        return true;
      case DROP:
        stores.killInTime(store);
        return true;
      case INDEX_BUILD_STARTED:
        if (!isInRocks() && !ForeignIndexes.names(metadata()).isEmpty()) {
          return moveOut("an index is built");
        }
        IndexBuild.unbuilt((ColumnFamilyStore) owner, this);
        return isMovingOutOnceSynced(reason);
      case VIEW_BUILD_STARTED:
        return ViewBuild.begin((ColumnFamilyStore) owner, this)
            ? isMovingOutOnceSynced(reason)
            : moveOut("a view is built");
      case SCHEMA_CHANGE:
        return !isInRocks() && leave();
      case SNAPSHOT:
      case OWNED_RANGES_CHANGE:
      case INDEX_REMOVED:
        return false;
      case STARTUP: // which does not wait for a move
        store.database.logSync.sync();
        return false;
      case DRAIN:
      case COMMITLOG_DIRTY:
      case MEMTABLE_LIMIT:
      case MEMTABLE_PERIOD_EXPIRED:
      case USER_FORCED:
        return isMovingOutOnceSynced(reason);
      case STREAMS_RECEIVED:
        store.receivedStreams.written();
        if (metadata().isCounter()) { // of which a cache knows what there was before
          CacheService.instance.invalidateCounterCacheForCf(metadata());
        }
        return isMovingOutOnceSynced(reason);
      case ANTICOMPACTION:
        return IncrementalRepairs.fail(name());
      default:
        // A repair or a stream reads nothing but data files of a table with a stock memtable.
        return isMovingOutOnceSynced(reason)
            || (isLeaving() && !metadata().isIndex() && moveOut(ALTERED + " (" + reason + ")"))
            || AskedTables.add(this);
    }
  }

  /** Of one on its way out the next memtable is Cassandra's, which names no snapshot of ours. */
  private boolean mustGoFirst() {
    return rest.hasRows() || (!isInRocks() && TableStores.wantsSnapshot(metadata()));
  }

  /** Whether others would come to light, if its rows went and the process died. */
  boolean coversOthers() {
    return store.state() == GenerationState.SERVING && rest.hasRows();
  }

  /** The next memtable of the table goes on with its store, which lives. */
  void handOn() {
    isHandedOn = true;
  }

  boolean isHandedOn() {
    return isHandedOn;
  }

  /** Whoever asks rests on it: a stream gives up the files whose rows it has written here. */
  private boolean isMovingOutOnceSynced(ColumnFamilyStore.FlushReason reason) {
    try {
      store.database.logSync.sync();
    } catch (FSError e) {
      if (reason != ColumnFamilyStore.FlushReason.DRAIN
          && reason != ColumnFamilyStore.FlushReason.COMMITLOG_DIRTY) {
        throw e;
      }
      // A drain asks for both, and would leave other tables, hints and the commit log as they are.
      logger.error("{} is not flushed, since its log could not be synced", store.table, e);
      return store.state() == GenerationState.MOVING_OUT;
    }
    OlderIndexes.flush((ColumnFamilyStore) owner, this, reason);
    return store.state() == GenerationState.MOVING_OUT;
  }

  @Override
  public boolean isLeaving() {
    return !isSwitchedOut && store.state() == GenerationState.SERVING && !isInRocks();
  }

  /** Moves at once what cannot wait or is soon written, and leaves the rest to {@link MoveOut}. */
  private boolean leave() {
    if (metadata().isIndex() || !store.state().isLive()) {
      return false; // flushed with its table, or emptied or dropped by now
    }
    if (!mayLeaveLater()
        || MoveOut.isShort((ColumnFamilyStore) owner, store.database.options.moveAtOnceBytes)) {
      return MoveOut.inTime(store, () -> moveOut(ALTERED));
    }
    logger.info(
        "The rows of {} go to Cassandra's data files in the background, since the table was"
            + " altered to another memtable; they are served from RocksDB meanwhile",
        store.table);
    return false;
  }

  /** Not if a restart would not find the rows, or an index of Cassandra knows nothing of them. */
  private boolean mayLeaveLater() {
    return owner instanceof ColumnFamilyStore
        && metadata().params.memtable.factory() instanceof GuardedMemtableFactory
        && ForeignIndexes.names(metadata()).isEmpty();
  }

  /**
   * Whether it shall be there. An index has the definition of when it was made or opened, and its
   * next memtable is of that, whatever its table's is by now.
   */
  private boolean isInRocks() {
    TableMetadata table = metadata();
    return RocksMemtableFactory.isOf(table)
        || (table.isIndex()
            && RocksMemtableFactory.isOf(Schema.instance.getTableMetadata(table.id)));
  }

  /** Returns whether its rows move now; not if they are gone, as a truncation came first. */
  private boolean moveOut(String why) {
    if (!store.beginMove()) {
      return false;
    }
    logger.info(
        "The rows of {} go to Cassandra's data files, since {}; what is written from now on does"
            + " not",
        store.table,
        why);
    if (!metadata().isIndex()) {
      stores.moveIndexes(metadata().id);
    }
    return true;
  }

  @Override
  public void switchOut(
      OpOrder.Barrier writeBarrier, AtomicReference<CommitLogPosition> commitLogUpperBound) {
    super.switchOut(writeBarrier, commitLogUpperBound);
    if (!isHandedOn) {
      leaveRows();
      if (store.state() == GenerationState.MOVING_OUT) {
        move.begin();
      }
    }
    isSwitchedOut = true;
  }

  /**
   * Notes on the disk what becomes of the rows, before another memtable takes this one's place: a
   * failure after that would leave it with the writes of the table for good.
   */
  void leaveRows() {
    DumpedTables.leaveRows(owner, stores, store);
  }

  @Override
  public void discard() {
    super.discard();
    if (isHandedOn) {
      return;
    }
    try {
      stores.dropInTime(store);
    } finally {
      stores.forget(this);
      move.end();
    }
  }

  @Override
  public void metadataUpdated() {
    TableMetadata table = metadata();
    if (!table.isIndex() && isInRocks()) {
      ForeignIndexes.drop(table);
    }
  }

  @Override
  public void localRangesUpdated() {}

  @Override
  public void performSnapshot(String snapshotName) {
    TableMetadata table = metadata();
    if (rest.hasRowsOnTheirWay()) {
      // Not asked to move this one, which has the rows that came since.
      ((ColumnFamilyStore) owner).forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    }
    store.filesAwaited.begin();
    try {
      boolean isOfTruncation = snapshotName.startsWith(SNAPSHOT_OF_TRUNCATION);
      stores.snapshot(store, table, snapshotName, isOfTruncation);
    } finally {
      store.filesAwaited.end();
    }
  }

  /**
   * A table just truncated counts as dirty until its snapshot is named: see {@link Snapshots}. One
   * whose older rows are on their way to data files does, too: snapshots and streams wait for them;
   * and to who empties it one that has data files, which may be absorbed if it is not asked.
   */
  @Override
  public boolean isClean() {
    if (isSwitchedOut) {
      return !store.state().isLive() || (store.family() == null && !stores.awaitsSnapshot(store));
    }
    return store.family() == null
        && !stores.awaitsSnapshot(store)
        && !rest.hasRowsOnTheirWay()
        && !(dataFiles() > 0 && Truncation.isEmptying(Thread.currentThread()));
  }

  /** Rows that this process has not written count too: Cassandra builds no index without any. */
  @Override
  public long operationCount() {
    return Math.max(super.operationCount(), store.family() == null ? 0 : 1);
  }

  @Override
  public long partitionCount() {
    return store.property("rocksdb.estimate-num-keys");
  }

  /** What is not in files yet: Cassandra counts files for itself, or is told of them. */
  @Override
  public long getLiveDataSize() {
    return store.property("rocksdb.cur-size-all-mem-tables");
  }

  /** Anything may be older than what is here, since it stays for ever. */
  @Override
  public long getMinTimestamp() {
    return Long.MIN_VALUE;
  }

  @Override
  public long getMinLocalDeletionTime() {
    return 0;
  }

  @Override
  public void addMemoryUsageTo(MemoryUsage usage) {
    usage.ownsOffHeap += store.property("rocksdb.cur-size-all-mem-tables");
  }

  @Override
  public void markExtraOnHeapUsed(long additionalSpace, OpOrder.Group opGroup) {}

  @Override
  public void markExtraOffHeapUsed(long additionalSpace, OpOrder.Group opGroup) {}

  @Override
  public String toString() {
    return "RocksMemtable " + store.table + "/" + store.generation;
  }
}
