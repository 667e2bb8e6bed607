/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.log.WriteAheadLog;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ExportImportFilesMetaData;
import org.rocksdb.ImportColumnFamilyOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The column families of the node's RocksDB by name. None comes or goes while anybody writes: with
 * {@code unordered_write}, RocksDB looks them up without a lock. Thread-safe.
 */
public final class Families {
  private static final Logger logger = LoggerFactory.getLogger(Families.class);

  /** Of the {@link Catalog}. */
  static final String DEFAULT = "default";

  /**
   * What one more column family may take of the disk at once: RocksDB writes the options of all.
   */
  private static final long ROOM_BYTES = 1 << 20;

  private static final long OPTIONS_BYTES = 16 << 10;

  private static final MutableColumnFamilyOptions COMPACTING =
      MutableColumnFamilyOptions.builder().setDisableAutoCompactions(false).build();

  private final String directory;
  private final DatabaseOptions settings;
  private final RocksDB database;
  private final WaitedFlushes flushes;
  private final Map<String, Family> families = new ConcurrentHashMap<>();
  private final AtomicInteger idleIterators = new AtomicInteger();

  /** Whether they wait for {@link #goOnCompacting}; nobody but who opens asks. */
  private boolean isWaiting;

  private volatile WriteAheadLog log;

  /**
   * Opens the database of a directory with the column families that it has.
   *
   * @param isCompactingLater whether those are not compacted before {@link #goOnCompacting}
   */
  public Families(DatabaseOptions settings, String directory, boolean isCompactingLater)
      throws RocksDBException {
    List<byte[]> names = existing(directory);
    this.settings = settings;
    this.directory = directory;
    List<ColumnFamilyOptions> options = new ArrayList<>();
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    for (byte[] name : names) {
      ColumnFamilyOptions family = settings.familyOptions(new String(name, StandardCharsets.UTF_8));
      options.add(family);
      if (isCompactingLater && !family.disableAutoCompactions()) { // by the operator, for all
        family.setDisableAutoCompactions(true);
        isWaiting = true;
      }
      descriptors.add(new ColumnFamilyDescriptor(name, family));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    database = RocksDB.open(settings.database, directory, descriptors, handles);
    flushes = new WaitedFlushes(database, settings.backgroundErrors::isStopped);
    for (int i = 0; i < handles.size(); i++) {
      String name = new String(names.get(i), StandardCharsets.UTF_8);
      families.put(name, family(name, handles.get(i), options.get(i)));
    }
  }

  /**
   * Compacts those that wait for it, from now on. For each RocksDB writes the options of all to the
   * disk; where only that fails it compacts all the same.
   *
   * @throws RocksDBException if one of them would never be compacted
   */
  void goOnCompacting() throws RocksDBException {
    if (!isWaiting) {
      return;
    }
    for (Family family : families.values()) {
      try {
        database.setOptions(family.handle, COMPACTING);
      } catch (RocksDBException e) {
        if (database.getOptions(family.handle).disableAutoCompactions()) {
          throw e;
        }
        logger.warn("No options were written to {}, as compactions go on: {}", directory, e);
      }
    }
    isWaiting = false;
  }

  private static List<byte[]> existing(String directory) throws RocksDBException {
    try (Options none = new Options()) {
      List<byte[]> names = RocksDB.listColumnFamilies(none, directory);
      return names.isEmpty() ? List.of(RocksDB.DEFAULT_COLUMN_FAMILY) : names;
    }
  }

  private Family family(String name, ColumnFamilyHandle handle, ColumnFamilyOptions options) {
    return new Family(
        name,
        handle,
        options,
        new IdleIterators(database, handle, settings.readingOnePartition, idleIterators),
        new IdleIterators(database, handle, settings.readingThrough, idleIterators));
  }

  /** Where all writes are announced from now on. */
  void setLog(WriteAheadLog of) {
    log = of;
  }

  private <T> T change(WriteAheadLog.Change<T> change) throws RocksDBException {
    WriteAheadLog current = log;
    return current == null ? change.make() : current.whileNobodyWrites(change);
  }

  /** The database that they are in. */
  public RocksDB database() {
    return database;
  }

  /** The names of those of tables. */
  public Set<String> names() {
    Set<String> names = new HashSet<>(families.keySet());
    names.remove(DEFAULT);
    return names;
  }

  /** All that there are now. */
  Collection<Family> all() {
    return families.values();
  }

  /** The numbers by which RocksDB knows all of them. */
  Set<Integer> numbers() {
    Set<Integer> numbers = new HashSet<>();
    families.values().forEach(family -> numbers.add(family.number));
    return numbers;
  }

  /** The newest generation of a table that has one, also if its rows are gone; -1 if none has. */
  public int newestGeneration(String table) {
    int newest = -1;
    for (String name : names()) {
      FamilyName generation = FamilyName.parse(name);
      if (generation.table.equals(table)) {
        newest = Math.max(newest, generation.generation);
      }
    }
    return newest;
  }

  /** One of them; null if there is none of that name. */
  public Family get(String name) {
    return families.get(name);
  }

  /**
   * The one of this name, made if it is not there.
   *
   * @throws org.apache.cassandra.io.FSError if RocksDB fails
   */
  public synchronized Family create(String name) {
    return families.computeIfAbsent(
        name,
        absent -> {
          ColumnFamilyOptions options = settings.familyOptions(absent);
          try {
            ColumnFamilyDescriptor descriptor = descriptor(absent, options);
            return family(absent, change(() -> database.createColumnFamily(descriptor)), options);
          } catch (RocksDBException e) {
            options.close();
            throw StorageErrors.writing(e, directory);
          }
        });
  }

  /**
   * To be called before one is made. One whose options could not be written down is there for
   * RocksDB, and nobody has a handle of it until the next start; what others write meanwhile may
   * still take the room.
   *
   * @throws org.apache.cassandra.io.FSError if the disk is too full
   */
  void checkRoom() {
    File disk = new File(directory);
    long free = disk.getUsableSpace();
    long wanted = ROOM_BYTES + families.size() * OPTIONS_BYTES;
    if (free < wanted && disk.getTotalSpace() > 0) {
      throw StorageErrors.noRoom(free, wanted, directory);
    }
  }

  /** Adds one with the files that RocksDB exported, which are moved. */
  public synchronized void importFiles(String name, ExportImportFilesMetaData files)
      throws RocksDBException {
    ColumnFamilyOptions options = settings.familyOptions(name);
    try {
      ColumnFamilyDescriptor descriptor = descriptor(name, options);
      ColumnFamilyHandle handle = change(() -> importFiles(database, descriptor, files));
      families.put(name, family(name, handle, options));
    } catch (RocksDBException e) {
      options.close();
      throw e;
    }
  }

  /**
   * Makes a column family of exported files in any database; the files are moved.
   *
   * @throws RocksDBException if RocksDB does not take them
   */
  public static ColumnFamilyHandle importFiles(
      RocksDB database, ColumnFamilyDescriptor family, ExportImportFilesMetaData files)
      throws RocksDBException {
    try (ImportColumnFamilyOptions moving = new ImportColumnFamilyOptions().setMoveFiles(true)) {
      return database.createColumnFamilyWithImport(family, moving, files);
    }
  }

  private static ColumnFamilyDescriptor descriptor(String name, ColumnFamilyOptions options) {
    return new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8), options);
  }

  /**
   * Sets what is merged of one. RocksDB writes the options of all to the disk for it; where only
   * that fails they are set.
   *
   * @return false if it was dropped meanwhile
   */
  synchronized boolean setLimits(Family.Use use, MergeLimits limits) throws RocksDBException {
    // Alone: who makes or drops one would wait for it, and hold up all writers meanwhile.
    try {
      return use.run(handle -> limits.set(database, handle));
    } catch (RocksDBException e) {
      if (isOnlyUnwritten(e)) {
        return true;
      }
      throw e;
    }
  }

  /** Drops one, if it is there; those who use it may go on. */
  synchronized void drop(String name) {
    Family family = families.get(name);
    if (family == null) {
      return;
    }
    family.dropping(true);
    try {
      change(
          () -> {
            database.dropColumnFamily(family.handle);
            return null;
          });
    } catch (RocksDBException e) {
      if (!isDropped(e)) {
        family.dropping(false);
        throw StorageErrors.writing(e, directory);
      }
    }
    families.remove(name);
    family.closeIterators();
    family.release();
    logger.info("Dropped column family {}", name);
  }

  /** Whether only the file that lists the options could not be written, now or the last time. */
  private static boolean isDropped(RocksDBException e) {
    return (e.getStatus() != null && e.getStatus().getCode() == Status.Code.InvalidArgument)
        || isOnlyUnwritten(e);
  }

  private static boolean isOnlyUnwritten(RocksDBException e) {
    return String.valueOf(e.getMessage()).contains("persist options");
  }

  /** Lets go what idle iterators hold of one that was flushed. */
  void flushed(String name) {
    Family family = families.get(name);
    if (family != null) {
      family.drain();
    }
  }

  /** Lets go what idle iterators hold of all, such as files that were compacted. */
  public void closeIdleIterators() {
    families.values().forEach(Family::drain);
  }

  /** Whether one may be flushed that nobody has asked for: it would hold up a recovery. */
  public boolean mayFlush() {
    return settings.backgroundErrors.mayFlush();
  }

  /** Brings what one has in memory now into files, and returns when it is. */
  public void flush(Family.Use use) throws RocksDBException {
    flushes.run(use, false);
  }

  /** Does something that flushes one before it begins, as compactions and exports do. */
  public void flushBefore(Family.Use use, Family.Work work) throws RocksDBException {
    flushes.before(use, work);
  }

  /**
   * Brings all of all into files.
   *
   * @throws RocksDBException if one of them could not be flushed
   */
  private void flushAll() throws RocksDBException {
    flush(numbers());
  }

  /** What RocksDB does with all of them. */
  public interface Work {
    void run() throws RocksDBException;
  }

  /**
   * Brings all of all into files, then does something that flushes all before it begins, as a
   * checkpoint does.
   *
   * @throws RocksDBException if one of them could not be flushed, or the work fails
   */
  public void flushAllBefore(Work work) throws RocksDBException {
    flushAll();
    flushes.during(families.values(), work);
  }

  /** Brings one into files at once, though writers may have to wait for it. */
  public void flushNow(Family.Use use) throws RocksDBException {
    flushes.run(use, true);
  }

  /**
   * Brings all writes of some of them, by their numbers, into files.
   *
   * @throws RocksDBException if one of them could not be flushed; the others are if RocksDB takes
   *     writes
   */
  void flush(Set<Integer> numbers) throws RocksDBException {
    BackgroundErrors errors = settings.backgroundErrors;
    if (!mayFlush()) {
      throw new RocksDBException("RocksDB takes no writes now");
    }
    RocksDBException failure = null;
    for (Family family : families.values()) {
      try (Family.Use use = family.use()) {
        if (use != null && numbers.contains(use.handle.getID())) {
          flush(use);
        }
      } catch (RocksDBException e) {
        failure = e;
        errors.flushFailed();
        if (!mayFlush()) {
          break;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    errors.flushed();
  }

  /**
   * Ends what RocksDB does in the background, as the process ends: RocksDB would hold that up, for
   * as long as a compaction takes, and for ever where one of its threads has something to tell.
   */
  public void endBackgroundWork() {
    settings.compactionThrottle.hurry(true); // one that waits for its share would not hear of it
    database.cancelAllBackgroundWork(true);
  }

  /**
   * Closes a database that is of no use.
   *
   * @param log whose threads use it; null if there is none
   */
  void close(WriteAheadLog log) {
    if (log != null) {
      database.cancelAllBackgroundWork(false); // else one of them may wait long for a flush
      log.end(Long.MAX_VALUE);
    }
    database.close();
  }
}
