/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.log.BootMark;
import io.curtail.engine.log.LogReplay;
import io.curtail.engine.log.LogSegment;
import io.curtail.engine.log.LogSync;
import io.curtail.engine.log.WriteAheadLog;
import io.curtail.engine.options.EngineOptions;
import io.curtail.engine.options.MemoryShares;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Statistics;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one RocksDB of this node: a column family for each generation of each table, and the default
 * column family for what must be known of them ({@link Catalog}).
 *
 * <p>It stays open until the process ends. What RocksDB cannot read or write is an {@link
 * org.apache.cassandra.io.FSError} that names its directory. Thread-safe.
 */
public final class Database {
  private static final Logger logger = LoggerFactory.getLogger(Database.class);

  /** The parameters that it was opened with. */
  public final EngineOptions options;

  /** Where it is, as errors name it. */
  public final String directory;

  /** What RocksDB's Java has of it. */
  public final RocksDB rocksdb;

  /** What is known of tables. */
  public final Catalog catalog;

  /** The column families. */
  public final Families families;

  /** What each generation of each table is to the node. */
  public final Generations generations;

  /** The tables that may have temporary data files. */
  public final TemporaryTables temporaryTables;

  /** What makes writes durable. */
  public final LogSync logSync;

  /** What readers of several records ask. */
  public final Isolation isolation = new Isolation();

  /** The records that are written again and again. */
  public final HotRecords hotRecords = new HotRecords();

  /** What reads of single records have found. */
  public final RecordCache recordCache;

  /** RocksDB's own objects. */
  public final DatabaseOptions settings;

  final WriteAheadLog log;

  final Ingestion ingestion = new Ingestion(this);

  private final StalledWrites stalledWrites = new StalledWrites();

  private final BackgroundErrors.Question asking = this::writeNothing;
  private boolean isMarked;

  /**
   * Opens it, and brings what a process left to an end.
   *
   * @param loader of the C library
   * @param failures told what fails in threads of RocksDB and of the log
   * @throws ConfigurationException if it cannot be opened
   */
  public Database(EngineOptions options, NativeCalls.Loader loader, Consumer<Throwable> failures) {
    this.options = options;
    directory = RocksDirectory.of(options);
    NodeMarker marker;
    try {
      marker = NodeMarker.read();
      RocksDirectory.check(Path.of(directory), logDirectory(), marker);
      Path libraries = Path.of(directory, "native");
      loadLibrary(libraries);
      settings = new DatabaseOptions(options, directory, libraries, loader, failures);
      boolean isRoomShort = RoomForLog.isShort(directory, logDirectory());
      families =
          Ingestion.open(Path.of(directory), () -> new Families(settings, directory, isRoomShort));
      SortedFile.deleteAll(directory);
      settings.flushes.setFamilies(families);
      rocksdb = families.database();
      settings.compactionRoom.look(rocksdb);
    } catch (IOException | RocksDBException e) {
      throw new ConfigurationException(
          "rocksdb memtable: RocksDB could not be opened in "
              + directory
              + ": "
              + StorageErrors.why(e)
              + " (docs/engine/operate.md, durability)",
          e);
    }
    recordCache =
        RecordCache.allocate(
            options.recordCacheBytes, settings.cacheShare, settings.nativeCalls(), this::get);
    catalog = new Catalog(this, families.get(Families.DEFAULT).handle);
    WriteAheadLog opened = null;
    try {
      families.names().stream().filter(FamilyName::isLeftover).forEach(this::dropLeftover);
      catalog.checkFormat(families.names());
      generations = new Generations(catalog);
      RocksDirectory.checkRows(directory, marker, generations.tables());
      temporaryTables = new TemporaryTables(catalog);
      // Before the log is read: what it has of them is left out.
      generations.recover(families.names()).forEach(this::dropFamily);
      opened = new WriteAheadLog(logDirectory(), options.logBytes, replay(), new Storage());
      log = opened;
      families.goOnCompacting();
      settings.flushes.setLog(log);
      families.setLog(log);
      isMarked = marker != null && marker.directory.equals(Path.of(directory));
      mark(hasAnything());
      if (isMarked) {
        NodeMarker.writeWhereMissing(Path.of(directory));
      }
    } catch (IOException | RocksDBException e) {
      families.close(opened);
      throw new ConfigurationException(
          "rocksdb memtable: the log could not be read in "
              + directory
              + ": "
              + StorageErrors.why(e)
              + " (docs/engine/operate.md, durability)",
          e);
    } catch (RuntimeException | Error e) {
      families.close(opened);
      throw e;
    }
    logSync = new LogSync(log, directory, options.sync, options.syncPeriodMillis, failures);
    settings.flushes.setLogSync(logSync);
    logger.info(
        "RocksDB {} is open in {}: {} column families, sync {}, merge in {}",
        RocksDB.rocksdbVersion(),
        directory,
        families.names().size(),
        options.sync,
        settings.isMergingNatively() ? "native code" : "Java");
    MemoryShares.log(options);
  }

  /** Has compactions follow the room of the disk from now on; once. */
  public void watchRoom() {
    boolean isByRoom = settings.areMergesByRoom();
    if (isByRoom && !MergeLimits.canBeSet()) {
      logger.warn(
          "This version of RocksDB's jar does not take limits of compaction: on a disk with less than"
              + " three times the rows of a table its garbage may stay");
      isByRoom = false;
    }
    settings.compactionRoom.start(rocksdb, isByRoom ? mergeRoom()::look : room -> {});
  }

  private MergeRoom mergeRoom() {
    return new MergeRoom(families, DatabaseOptions.UNIVERSAL_RUNS * options.writeBufferBytes);
  }

  private Path logDirectory() {
    return Path.of(directory, "log");
  }

  /** Writes again what the log has, before anybody reads. */
  private List<LogSegment> replay() throws IOException, RocksDBException {
    Files.createDirectories(logDirectory());
    return LogReplay.replay(
        logDirectory(),
        new BootMark(Path.of(directory, "curtail-boot")),
        families.numbers(),
        bytes -> {
          try (WriteBatch batch = new WriteBatch(bytes)) {
            stalledWrites.run(() -> rocksdb.write(settings.writing, batch));
          }
        });
  }

  /** What the log has to know of RocksDB. */
  private final class Storage implements WriteAheadLog.Storage {
    @Override
    public long place() {
      return rocksdb.getLatestSequenceNumber();
    }

    @Override
    public boolean isFlushed(int family, long place) {
      return settings.flushes.isFlushed(family, place);
    }

    @Override
    public void flush(Set<Integer> numbers) throws RocksDBException {
      families.flush(numbers);
    }
  }

  private static void loadLibrary(Path folder) throws IOException {
    Files.createDirectories(folder);
    NativeLibraryLoader.getInstance().loadLibrary(folder.toString());
    RocksDB.loadLibrary();
    QuickExit.register();
  }

  /** Whether writes may be added without reading what is there. */
  public boolean isMergingNatively() {
    return settings.isMergingNatively();
  }

  /** A use of a column family, by its name; null if it is not there. */
  public Family.Use use(String name) {
    Family family = families.get(name);
    return family == null ? null : family.use();
  }

  /** Makes the column family of a generation that is in this state, or will be. */
  public synchronized Family createFamily(FamilyName name, GenerationState state) {
    families.checkRoom();
    mark(true);
    generations.set(name, state.isLive() ? GenerationState.CREATING : state);
    Family family = families.create(name.toString());
    generations.set(name, state);
    return family;
  }

  /** Drops the column family of this name, if it is there, and forgets its generation. */
  public synchronized void dropFamily(String name) {
    if (FamilyName.isLeftover(name)) {
      families.drop(name);
      return;
    }
    FamilyName rows = FamilyName.parse(name);
    generations.end(rows); // a start refuses to go on without rows that are live
    families.drop(name);
    generations.forget(rows);
    updateMarker();
  }

  private void dropLeftover(String family) {
    families.drop(family);
    if (FamilyName.isShadow(family)) {
      catalog.forgetGarbage(FamilyName.parse(family).table);
    }
  }

  /** Notes on the disk, after a change, whether the node has anything here. */
  public synchronized void updateMarker() {
    mark(hasAnything());
  }

  /** Whether a start without the engine would be wrong. */
  public boolean hasAnything() {
    return !generations.isEmpty() || !temporaryTables.areGone();
  }

  /** Notes, or no longer notes, that the node has rows here. */
  private void mark(boolean hasRows) {
    if (hasRows == isMarked) {
      return;
    }
    try {
      if (hasRows) {
        NodeMarker.write(Path.of(directory));
      } else {
        NodeMarker.delete();
        logger.info(
            "No table has rows in RocksDB any more: its configuration and jars may be removed");
      }
      isMarked = hasRows;
    } catch (IOException e) {
      throw new FSWriteError(e, new File(directory));
    }
  }

  /** The options of a column family of this name; the caller closes them. */
  public ColumnFamilyOptions familyOptions(String name) {
    return settings.familyOptions(name);
  }

  /** The record of a key; null if there is none. */
  public byte[] get(ColumnFamilyHandle family, byte[] key) {
    NativeCalls calls = settings.nativeCalls();
    byte[] found =
        calls == null ? NativeCalls.FAILED : calls.get(rocksdb, settings.reading, family, key);
    if (found != NativeCalls.FAILED) {
      return found;
    }
    try {
      return rocksdb.get(family, settings.reading, key);
    } catch (RocksDBException e) {
      throw StorageErrors.reading(e, directory);
    }
  }

  /**
   * The records of several keys, as of one moment; null for those that are not there.
   *
   * @return null if that could not be had: RocksDB's Java binding answers an input or output error
   *     as it answers a missing key, so what is missing is asked for again, alone
   */
  public List<byte[]> get(ColumnFamilyHandle family, List<byte[]> keys) {
    try {
      List<byte[]> found =
          rocksdb.multiGetAsList(settings.reading, Collections.nCopies(keys.size(), family), keys);
      for (int i = 0; i < found.size(); i++) {
        if (found.get(i) == null && get(family, keys.get(i)) != null) {
          return null;
        }
      }
      return found;
    } catch (RocksDBException e) {
      throw StorageErrors.reading(e, directory);
    }
  }

  /**
   * An iterator that stays within the keys that share the seek target's fixed prefix; the caller
   * closes it. Reads of Cassandra take {@link IdleIterators}.
   */
  public RocksIterator partitionIterator(ColumnFamilyHandle family) {
    return rocksdb.newIterator(family, settings.readingOnePartition);
  }

  /** An iterator as of now; the caller closes it, and the options after it. */
  public RocksIterator iterator(ColumnFamilyHandle family, ReadOptions reading) {
    return rocksdb.newIterator(family, reading);
  }

  /**
   * Writes all of a batch or nothing; durable once {@link LogSync#await} returns.
   *
   * @param partitions that the batch is of: their readers see all of it or nothing; none if it is
   *     one record, which is all of its partition
   */
  public void write(Batch batch, List<byte[]> partitions) {
    OpOrder.Group unfinished = log.start();
    try {
      // What RocksDB cannot take now must not fill the log.
      BackgroundErrors.Period begun = settings.backgroundErrors.begin(asking);
      long record = log.append(batch.bytes(), batch.size(), batch.families());
      recordCache.begin(batch, partitions);
      boolean isWritten = false;
      try {
        stalledWrites.run(() -> write(batch, partitions, batch.mustBeAnnounced()));
        isWritten = true;
      } catch (RocksDBException e) {
        settings.backgroundErrors.refused(begun, e);
        logSync.revoke(record, batch.size());
        throw e;
      } finally {
        recordCache.end(batch, partitions, isWritten);
      }
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, directory);
    } finally {
      unfinished.close();
    }
  }

  /** Writes records past the engine's log, synced. */
  void writeSynced(WriteBatch records) {
    try (WriteOptions synced = new WriteOptions().setSync(true).setNoSlowdown(true)) {
      BackgroundErrors.Period begun = settings.backgroundErrors.begin(asking);
      try {
        stalledWrites.run(() -> rocksdb.write(synced, records));
      } catch (RocksDBException e) {
        settings.backgroundErrors.refused(begun, e);
        throw e;
      }
    } catch (RocksDBException e) {
      throw StorageErrors.writing(e, directory);
    }
  }

  private void write(Batch batch, WriteOptions writing) throws RocksDBException {
    byte[] bytes = batch.bytes();
    NativeCalls calls = settings.nativeCalls();
    if (calls != null && calls.writeBatch(rocksdb, writing, bytes, batch.size())) {
      return;
    }
    // After a failure again, as it does no harm, for RocksDB's exception.
    try (WriteBatch built = new WriteBatch(Arrays.copyOf(bytes, batch.size()))) {
      rocksdb.write(writing, built);
    }
  }

  /** Waits until RocksDB takes writes, or fails as they do. */
  private void writeNothing() throws RocksDBException {
    try (WriteBatch nothing = new WriteBatch()) {
      stalledWrites.run(() -> rocksdb.write(settings.writing, nothing));
    }
  }

  /** Readers must not wait for a writer that waits for write buffers, which may take long. */
  private void write(Batch batch, List<byte[]> partitions, boolean isAnnounced)
      throws RocksDBException {
    if (!isAnnounced) {
      write(batch, settings.writing);
      return;
    }
    Isolation.Announced announced = isolation.announce(partitions);
    try {
      write(batch, settings.writingSeveral);
    } finally {
      announced.close();
    }
  }

  /** What an iterator that became invalid has to say: nothing, or the error that ended it. */
  public void check(RocksIterator iterator) {
    try {
      iterator.status();
    } catch (RocksDBException e) {
      throw StorageErrors.reading(e, directory);
    }
  }

  /** RocksDB's counters since the start of the process. */
  public Statistics statistics() {
    return settings.statistics;
  }

  /** What is in use of the memory that RocksDB shares, in bytes. */
  public Map<String, Long> memoryBytes() {
    return Map.of(
        "block_cache", settings.blockCache.getUsage(),
        "block_cache_pinned", settings.blockCache.getPinnedUsage(),
        "record_cache", recordCache.bytes(),
        "write_buffers", sum("rocksdb.cur-size-all-mem-tables"),
        "table_readers", sum("rocksdb.estimate-table-readers-mem"));
  }

  /** A numeric property, added up over all tables. */
  public long sum(String property) {
    try {
      return rocksdb.getAggregatedLongProperty(property);
    } catch (RocksDBException e) {
      throw StorageErrors.reading(e, directory);
    }
  }

  /**
   * Comes before a wait for RocksDB to flush: once the log cannot be synced it would be for ever.
   *
   * @throws org.apache.cassandra.io.FSError if the log cannot be synced
   */
  public void syncBeforeFlush() {
    logSync.sync();
  }

  /** How long writers have waited for write buffers, all together, since the start. */
  public long stalledMicros() {
    return stalledWrites.micros();
  }

  /** What the log takes of the disk, in bytes. */
  public long logBytes() {
    return log.bytes();
  }

  /** Syncs the log and ends its threads, before the process ends; RocksDB stays open. */
  public void closeLog() {
    logSync.sync();
    logSync.close();
    log.close();
    logger.info("The log of RocksDB's tables is synced");
  }
}
