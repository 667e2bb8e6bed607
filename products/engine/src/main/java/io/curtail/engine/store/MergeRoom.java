/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.utils.NoSpamLogger;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives tables with universal compaction {@link MergeLimits} that fit the room of the disk.
 * Thread-safe.
 */
public final class MergeRoom {
  private static final Logger logger = LoggerFactory.getLogger(MergeRoom.class);

  /** A table smaller than the room by this has its usual limits, however much of it is garbage. */
  private static final int PLENTY = 4;

  /** With less garbage than this in percent of the rows, {@code levels} writes less. */
  private static final int LITTLE_PERCENT = 25;

  private final Families families;
  private final long leastBytes;
  private final RocksDB database;

  /**
   * @param families of a database with universal compaction
   * @param leastBytes of a table that is worth it
   */
  public MergeRoom(Families families, long leastBytes) {
    this.families = families;
    this.leastBytes = leastBytes;
    database = families.database();
  }

  /**
   * Looks at all tables, and sets the limits of the largest of those that need others: of one, as
   * RocksDB writes the options of all for each.
   *
   * @param room bytes that compactions may add to the disk
   */
  public synchronized void look(long room) {
    Family largest = null;
    MergeLimits itsLimits = null;
    long most = -1;
    for (Family family : families.all()) {
      try (Family.Use use = family.use()) {
        long bytes = use == null ? 0 : bytes(use);
        boolean isPlenty = bytes < leastBytes || bytes <= room / PLENTY;
        boolean isUsual = family.mergeLimits.equals(MergeLimits.USUAL);
        if (use == null || bytes <= most || (isPlenty && isUsual)) {
          continue;
        }
        MergeLimits wanted = wanted(use, bytes, room);
        if (!wanted.equals(family.mergeLimits)) {
          largest = family;
          itsLimits = wanted;
          most = bytes;
        }
      } catch (RocksDBException e) {
        warn(e);
      }
    }
    if (largest != null) {
      set(largest, itsLimits, room);
    }
  }

  private long bytes(Family.Use use) throws RocksDBException {
    return database.getLongProperty(use.handle, "rocksdb.live-sst-files-size");
  }

  /**
   * Looser ones with some more room than they need, so that they do not come and go; the same while
   * the rows are being merged, as the garbage is about to go.
   */
  private MergeLimits wanted(Family.Use use, long bytes, long room) throws RocksDBException {
    List<Level> levels = Level.of(database.getMapProperty(use.handle, "rocksdb.cfstats"));
    Level last = levels.isEmpty() ? null : levels.get(levels.size() - 1);
    // Which of those in level 0 is the oldest is not asked: as if there were no garbage.
    long rows = last == null || last.level == 0 ? bytes : Math.min(bytes, last.bytes);
    MergeLimits now = use.family.mergeLimits;
    if (last != null && last.compactedFiles > 0) {
      return now;
    }
    MergeLimits wanted = MergeLimits.of(rows, bytes - rows, room);
    if (now.isTighterThan(wanted)) {
      long less = now.equals(MergeLimits.FEW) ? room / 16 * 15 : room / 4 * 3;
      MergeLimits withLess = MergeLimits.of(rows, bytes - rows, less);
      return now.isTighterThan(withLess) ? withLess : now;
    }
    return wanted;
  }

  private void set(Family family, MergeLimits limits, long room) {
    try (Family.Use use = family.use()) {
      if (use != null && families.setLimits(use, limits)) {
        boolean isTighter = limits.isTighterThan(family.mergeLimits);
        family.mergeLimits = limits;
        tell(family.name, limits, isTighter, room >> 20);
      }
    } catch (RocksDBException e) {
      warn(e);
    }
  }

  private static void tell(String family, MergeLimits limits, boolean isTighter, long mebibytes) {
    if (limits.equals(MergeLimits.FEW)) {
      logger.warn(
          "{} takes more than the {} MiB that compactions may use of the disk: what is deleted or"
              + " written over in it stays until there is room (docs/engine/configure.md, how much"
              + " disk)",
          family,
          mebibytes);
    } else if (isTighter && limits.garbagePercent < LITTLE_PERCENT) {
      logger.warn(
          "Compactions may use {} MiB of the disk, so garbage of {} goes when it is {} % of the rows,"
              + " and much is written for it: make room, or set compaction: levels"
              + " (docs/engine/configure.md, how much disk)",
          mebibytes, family, limits.garbagePercent);
    } else {
      logger.info(
          "Compactions may use {} MiB of the disk: garbage of {} goes when it is {} % of the rows",
          mebibytes, family, limits.garbagePercent);
    }
  }

  private static void warn(RocksDBException e) {
    NoSpamLogger.log(
        logger, NoSpamLogger.Level.WARN, 10, TimeUnit.MINUTES, "Limits of compaction: {}", e);
  }
}
