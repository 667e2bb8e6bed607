/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a table has on one level of RocksDB's tree, as RocksDB counts it. Immutable. */
public final class Level {
  /** As many as RocksDB has by default; more only by {@code cf_options}. */
  public static final int COUNT = 7;

  private static final int MOST = 64;

  /** Zero is where flushes write to. */
  public final int level;

  /** How many data files. */
  public final long files;

  /** What they take. */
  public final long bytes;

  /** How many of the files are being compacted. */
  public final long compactedFiles;

  private Level(int level, long files, long bytes, long compactedFiles) {
    this.level = level;
    this.files = files;
    this.bytes = bytes;
    this.compactedFiles = compactedFiles;
  }

  /** Those that have files, lowest first. */
  public static List<Level> of(Map<String, String> statistics) {
    List<Level> levels = new ArrayList<>();
    for (int level = 0; level < MOST; level++) {
      long files = value(statistics, level, "NumFiles");
      if (files > 0) {
        levels.add(
            new Level(
                level,
                files,
                value(statistics, level, "SizeBytes"),
                value(statistics, level, "CompactedFiles")));
      }
    }
    return levels;
  }

  /** What RocksDB leaves out has nothing. */
  private static long value(Map<String, String> statistics, int level, String what) {
    return (long) Double.parseDouble(statistics.getOrDefault(name(level, what), "0"));
  }

  private static String name(int level, String what) {
    return "compaction.L" + level + "." + what;
  }
}
