/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.ByteWriter;
import io.curtail.engine.codec.Comparables;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.codec.RecordDecoder;
import io.curtail.engine.codec.RecordEncoder;
import io.curtail.engine.log.LogSync;
import io.curtail.engine.store.Batch;
import io.curtail.engine.store.Garbage;
import io.curtail.engine.store.StorageErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.commitlog.CommitLogReplayer;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;

/**
 * Applies one update of one partition as one batch: all of it is in the log, or nothing.
 *
 * <p>What a secondary index writes on behalf of the update joins the batch, so that a crash cannot
 * part an index from its table. Such nested writes only add, under shared locks, which are taken
 * when all are known, in the order that all writers take them: so none waits for one that waits for
 * it.
 *
 * <p>One object an update; the thread that applies it owns it.
 */
public final class PartitionWriter {
  private static final ThreadLocal<PartitionWriter> ENCLOSING = new ThreadLocal<>();
  private static final ThreadLocal<RecordEncoder> ENCODERS =
      ThreadLocal.withInitial(RecordEncoder::new);

  private static final ThreadLocal<Batch> BATCHES = ThreadLocal.withInitial(Batch::new);

  /** It and what it gives to the threads that write, which are classes in it. */
  private static final String COMMIT_LOG_REPLAYER = CommitLogReplayer.class.getName();

  /** Of a part of an update that may be in parts; one row may be larger. */
  private static final long MOST_BYTES = 1 << 20;

  /** Of a record that is written back whole, whatever was added to it. */
  private static final int SMALL = 1 << 10;

  /** Of a larger one so small a part, or less, is added as a fragment. */
  private static final int PART = 4;

  private final TableStore store;
  private final Supplier<TableMetadata> definition;
  private final UpdateTransaction indexer;
  private final Batch batch;
  private final boolean blind;

  /** Taken under the lock, so that it knows what others have written before. */
  private TableMetadata metadata;

  // Made when they are needed, which most updates do not.
  private PartitionLocks.Several indexLocks;
  private List<byte[]> partitions;
  private List<byte[]> hot = List.of();
  private List<PartitionWriter> nested = List.of();

  private PartitionWriter(
      TableStore store,
      Supplier<TableMetadata> definition,
      UpdateTransaction indexer,
      Batch batch,
      boolean blind) {
    this.store = store;
    this.definition = definition;
    this.indexer = indexer;
    this.batch = batch;
    this.blind = blind;
  }

  /** What an update may have that will expire or that deletes. */
  static Garbage garbage(PartitionUpdate update) {
    if (!update.deletionInfo().isLive()) {
      return Garbage.ANYWHERE;
    }
    EncodingStats stats = update.stats();
    boolean isClean =
        !stats.equals(EncodingStats.NO_STATS)
            && stats.minLocalDeletionTime == EncodingStats.NO_STATS.minLocalDeletionTime;
    return isClean ? Garbage.NONE : Garbage.IN_ROWS;
  }

  /**
   * Returns when the update may be acknowledged. Nobody is answered an entry of an index: it comes
   * with a write of its table, or is built, which ends with a flush that syncs the log, or was
   * found stale, and will be again. Nor is anybody what a start replays of Cassandra's log, whose
   * segments stay until a flush of all that was replayed has synced this one.
   *
   * @param definition of the table as it is now
   */
  public static void apply(
      TableStore store,
      Supplier<TableMetadata> definition,
      PartitionUpdate update,
      UpdateTransaction indexer) {
    write(store, definition, update, indexer);
    awaitSync(store);
  }

  private static void awaitSync(TableStore store) {
    LogSync sync = store.database.logSync;
    if (!store.isIndex && !(sync.isOfEachWrite() && isReplay())) {
      sync.await();
    }
  }

  /** Whether this thread replays Cassandra's log, in a node that starts. */
  private static boolean isReplay() {
    return !StorageService.instance.isDaemonSetupCompleted()
        && StackWalker.getInstance()
            .walk(
                frames ->
                    frames.anyMatch(frame -> frame.getClassName().startsWith(COMMIT_LOG_REPLAYER)));
  }

  /**
   * The same of an update of a stream, which is acknowledged as a whole: if it is large, in parts,
   * of which a reader may see the first. That has what the update deletes.
   */
  public static void applyInParts(
      TableStore store,
      Supplier<TableMetadata> definition,
      PartitionUpdate update,
      UpdateTransaction indexer) {
    writeInParts(store, definition, update, indexer);
    awaitSync(store);
  }

  private static void writeInParts(
      TableStore store,
      Supplier<TableMetadata> definition,
      PartitionUpdate update,
      UpdateTransaction indexer) {
    if (PartitionHalves.isOne(update) || update.dataSize() <= MOST_BYTES) {
      write(store, definition, update, indexer);
    } else {
      PartitionHalves halves = PartitionHalves.of(update);
      writeInParts(store, definition, halves.first, indexer);
      writeInParts(store, definition, halves.second, indexer);
    }
  }

  /** Returns when the update can be read; durable once the log is synced. */
  public static void write(
      TableStore store,
      Supplier<TableMetadata> definition,
      PartitionUpdate update,
      UpdateTransaction indexer) {
    byte[] partition = store.keys.encode(update.partitionKey());
    store.changing(partition);
    PartitionWriter enclosing = ENCLOSING.get();
    if (enclosing != null) {
      enclosing.applyNested(store, definition, update, partition);
      return;
    }
    boolean blind =
        indexer == UpdateTransaction.NO_OP
            && store.mergesBlindly(definition.get())
            && !update.deletionInfo().hasRanges();
    Batch batch = BATCHES.get();
    batch.clear();
    PartitionWriter writer = new PartitionWriter(store, definition, indexer, batch, blind);
    Lock lock = blind ? store.locks.shared(partition) : store.locks.exclusive(partition);
    lock.lock();
    try {
      writer.apply(update, partition);
    } finally {
      lock.unlock();
    }
    writer.joinFragments();
    writer.nested.forEach(PartitionWriter::joinFragments);
  }

  private void apply(PartitionUpdate update, byte[] partition) {
    boolean indexed = indexer != UpdateTransaction.NO_OP;
    if (indexed) {
      ENCLOSING.set(this);
    }
    try {
      partitions = List.of(partition);
      indexer.start();
      try {
        collect(update, partition);
      } finally {
        indexer.commit();
      }
      write();
    } finally {
      if (indexed) {
        ENCLOSING.remove();
      }
    }
  }

  private void write() {
    if (indexLocks == null) {
      // All of a partition without clustering columns is one record.
      store.database.write(batch, store.isClustered ? partitions : List.of());
      return;
    }
    indexLocks.lockShared();
    try {
      store.database.write(batch, partitions);
    } finally {
      indexLocks.unlock();
    }
  }

  private void applyNested(
      TableStore indexStore,
      Supplier<TableMetadata> index,
      PartitionUpdate update,
      byte[] partition) {
    if (update.deletionInfo().hasRanges()) {
      throw new IllegalStateException("an index removed a range of entries of " + index.get());
    }
    if (indexLocks == null) {
      indexLocks = new PartitionLocks.Several();
      nested = new ArrayList<>();
      partitions = new ArrayList<>(partitions);
    }
    indexLocks.add(indexStore.locks, partition);
    partitions.add(partition);
    PartitionWriter writer =
        new PartitionWriter(indexStore, index, UpdateTransaction.NO_OP, batch, true);
    nested.add(writer);
    writer.collect(update, partition);
  }

  private void collect(PartitionUpdate update, byte[] partition) {
    metadata = definition.get();
    try {
      DeletionInfo deletion = update.deletionInfo();
      tellIndexes(deletion);
      if (store.isClustered) {
        header(update, partition);
        for (Row row : update) {
          ClusteringComparator comparator = metadata.comparator;
          byte[] key = Comparables.record(partition, Keys.ROW, comparator, row.clustering());
          row(key, row, DeletionTime.LIVE);
        }
      } else {
        onlyRow(update, partition);
      }
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, store.database.directory);
    }
  }

  private void tellIndexes(DeletionInfo deletion) {
    if (!deletion.getPartitionDeletion().isLive()) {
      indexer.onPartitionDeletion(deletion.getPartitionDeletion());
    }
    if (deletion.hasRanges()) {
      deletion.rangeIterator(false).forEachRemaining(indexer::onRangeTombstone);
    }
  }

  private void header(PartitionUpdate update, byte[] partition) throws RocksDBException {
    DeletionInfo deletion = update.deletionInfo();
    Row staticRow = update.staticRow().isEmpty() ? null : update.staticRow();
    if (deletion.isLive() && staticRow == null) {
      return;
    }
    boolean hasRanges = deletion.hasRanges();
    batch.setHasHeaders();
    record(
        Keys.record(partition, Keys.HEADER),
        staticRow,
        deletion.getPartitionDeletion(),
        hasRanges,
        true);
    if (hasRanges) {
      RangeRecords.add(store, batch, metadata.comparator, partition, deletion.rangeIterator(false));
    }
  }

  private void onlyRow(PartitionUpdate update, byte[] partition) throws RocksDBException {
    if (!update.staticRow().isEmpty() || update.deletionInfo().hasRanges()) {
      throw new IllegalStateException(
          "a table without clustering columns has neither static columns nor ranges: " + metadata);
    }
    Row only = null;
    for (Row row : update) {
      only = row;
    }
    DeletionTime deletion = update.deletionInfo().getPartitionDeletion();
    if (only != null || !deletion.isLive()) {
      row(Keys.record(partition, Keys.ROW), only, deletion);
    }
  }

  private void row(byte[] key, Row row, DeletionTime partitionDeletion) throws RocksDBException {
    record(key, row, partitionDeletion, false, false);
  }

  /** Adds to a record, blindly or by reading and writing it back. */
  private void record(
      byte[] key, Row added, DeletionTime addedDeletion, boolean addedRanges, boolean isHeader)
      throws RocksDBException {
    ColumnFamilyHandle family = store.familyToWrite();
    boolean keepClustering = store.keepsClustering && !isHeader && added != null;
    if (blind) {
      merge(
          family,
          key,
          ENCODERS.get().encode(store.columns, added, addedDeletion, addedRanges, keepClustering));
      return;
    }
    Row row = added;
    DeletionTime deletion = addedDeletion;
    boolean hasRanges = addedRanges;
    byte[] stored = store.database.recordCache.findOnce(store.familyToIngest(), key);
    Row existing = null;
    if (stored != null) {
      RecordDecoder decoder = store.decoder(metadata, true);
      existing =
          isHeader ? decoder.header(stored) : decoder.row(key, store.keys.length(key) + 1, stored);
      hasRanges |= decoder.hasRanges();
      if (!addedDeletion.supersedes(decoder.partitionDeletion())) {
        deletion = decoder.partitionDeletion();
      }
    }
    if (existing != null) {
      row = added == null ? existing : Rows.merge(existing, added);
    }
    if (added != null) {
      tellIndexes(existing, added, row);
    }
    if (stored != null
        && stored.length > SMALL
        && !addedRanges
        && store.mergesBlindly(metadata)) { // read for an index, or beside a range
      ByteWriter fragment =
          ENCODERS.get().encode(store.columns, added, addedDeletion, false, keepClustering);
      if (fragment.size() <= stored.length / PART) {
        merge(family, key, fragment);
        return;
      }
    }
    batch.put(
        family,
        key,
        ENCODERS
            .get()
            .encode(
                store.columns,
                row,
                deletion,
                hasRanges,
                store.keepsClustering && !isHeader && row != null));
  }

  private void merge(ColumnFamilyHandle family, byte[] key, ByteWriter fragment)
      throws RocksDBException {
    if (store.database.hotRecords.add(store.table.hashCode(), key, fragment.size())) {
      hot = hot.isEmpty() ? new ArrayList<>() : hot;
      hot.add(key);
    }
    batch.merge(family, key, fragment);
  }

  /** Makes one fragment of the many that hot records have, so that readers need not. */
  private void joinFragments() {
    ColumnFamilyHandle family = store.family();
    for (byte[] key : hot) {
      byte[] partition = Arrays.copyOf(key, store.keys.length(key));
      Lock lock = store.locks.exclusive(partition);
      lock.lock();
      try {
        byte[] joined = store.database.get(family, key);
        if (joined != null
            && store.database.hotRecords.join(store.table.hashCode(), key, joined.length)) {
          batch.clear();
          batch.put(family, key, joined);
          store.database.write(batch, List.of(partition));
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private void tellIndexes(Row existing, Row added, Row merged) {
    if (existing == null) {
      indexer.onInserted(added);
    } else {
      indexer.onUpdated(existing, merged);
      if (!StorageService.instance.isDaemonSetupCompleted()) {
        // Cassandra replays its log. The row was in this one, too, but its entry may have been in a
        // memtable of Cassandra, in an index that is older than the table is here.
        indexer.onInserted(merged);
      }
    }
  }
}
