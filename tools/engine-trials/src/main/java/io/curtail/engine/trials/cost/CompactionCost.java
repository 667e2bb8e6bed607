/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

/**
 * What a way to keep data files in order costs while rows are written anew at random.
 *
 * @param compaction {@code levels} or {@code universal}
 * @param room bytes of the disk for each byte of data; zero for as many as it takes
 * @param loaded bytes written to files for each byte of data, while the rows were written first
 * @param flushed the same by flushes, while they were written anew; without the log
 * @param compacted the same by compactions
 * @param runs sorted runs that a read of a key may have to look into, on average
 * @param disk bytes of files for each byte of data, on average
 * @param mostDisk the most of it, while compactions ran
 * @param refused tries of compactions for which the disk had no room
 */
public record CompactionCost(
    String compaction,
    double room,
    double loaded,
    double flushed,
    double compacted,
    double runs,
    double disk,
    double mostDisk,
    double refused) {

  /** What was written while rows were written anew, with the log: bytes for each byte of data. */
  public double written() {
    return 1 + flushed + compacted;
  }
}
