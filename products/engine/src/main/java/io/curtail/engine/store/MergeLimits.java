/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.lang.reflect.Constructor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * What universal compaction merges of a table. When the garbage, which is all but the oldest run,
 * has grown to a part of the rows, all runs become one; for that the disk needs room for all of
 * them once more. Garbage takes of that room while it grows: where rows, garbage and room are
 * {@code r}, {@code g} and {@code f}, all can become one as long as the garbage is not above {@code
 * (f + g - r) / 2}. With less room it goes earlier, at more bytes written. Without room for that it
 * stays until there is, and few runs at a time become one. Immutable.
 */
final class MergeLimits {
  /** Where there is room. With RocksDB's own 200 a table has three times its rows before. */
  static final MergeLimits USUAL = new MergeLimits(100);

  /**
   * Never all runs, and so few at a time that of the six or more that there are the oldest, which
   * is most of the table, is seldom among them: then that waits, until the next flush.
   */
  static final MergeLimits FEW = new MergeLimits(0);

  private static final int FEW_RUNS = 3;

  /** RocksDB multiplies it by the bytes of a run, of which there may be 16 TiB. */
  private static final int NEVER_PERCENT = 1_000_000;

  private static final int LEAST_PERCENT = 12;

  /**
   * By how much the next run may be larger than all that are merged with it. With RocksDB's 1 runs
   * of like size are left apart because they are not quite alike. So garbage of two thirds of the
   * rows may go already, when its runs have become one with each other.
   */
  private static final int SIZE_RATIO_PERCENT = 50;

  /** Runs grow between two looks, and are merged by six. */
  private static final double MARGIN = 0.8;

  private static final Constructor<MutableColumnFamilyOptions> RAW = find();

  /** How large the garbage is when it goes, in percent of the rows; zero if it stays. */
  final int garbagePercent;

  private MergeLimits(int garbagePercent) {
    this.garbagePercent = garbagePercent;
  }

  /**
   * Those of a table.
   *
   * @param rows bytes of its oldest run
   * @param garbage bytes of all others
   * @param room bytes that compactions may add to the disk
   */
  static MergeLimits of(long rows, long garbage, long room) {
    if (rows + garbage == 0) {
      return USUAL;
    }
    if (rows + garbage > room) {
      return FEW;
    }
    double most = MARGIN * 100 * ((double) room + garbage - rows) / (2.0 * rows);
    int percent = USUAL.garbagePercent;
    while (percent > most && percent > LEAST_PERCENT) {
      percent /= 2;
    }
    return new MergeLimits(percent);
  }

  /** Whether these are of a disk with less room. */
  boolean isTighterThan(MergeLimits other) {
    return garbagePercent < other.garbagePercent;
  }

  /** The options of RocksDB for this, as it names them. */
  String options() {
    boolean isFew = garbagePercent == 0;
    return "{max_merge_width="
        + (isFew ? FEW_RUNS : Integer.MAX_VALUE)
        + ";max_size_amplification_percent="
        + (isFew ? NEVER_PERCENT : garbagePercent)
        + ";size_ratio="
        + SIZE_RATIO_PERCENT
        + ";}";
  }

  /** Whether they can be set while the database is open. */
  static boolean canBeSet() {
    return RAW != null;
  }

  /** Sets them; all other options stay. RocksDB writes the options of all tables to the disk. */
  void set(RocksDB database, ColumnFamilyHandle table) throws RocksDBException {
    String[] names = {DatabaseOptions.UNIVERSAL_OPTIONS};
    String[] values = {options()};
    try {
      database.setOptions(table, RAW.newInstance(names, values));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** RocksDB takes them, but its Java classes have no name for them. */
  private static Constructor<MutableColumnFamilyOptions> find() {
    try {
      Constructor<MutableColumnFamilyOptions> raw =
          MutableColumnFamilyOptions.class.getDeclaredConstructor(String[].class, String[].class);
      raw.setAccessible(true);
      return raw;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MergeLimits && ((MergeLimits) other).garbagePercent == garbagePercent;
  }

  @Override
  public int hashCode() {
    return garbagePercent;
  }

  @Override
  public String toString() {
    return options();
  }
}
