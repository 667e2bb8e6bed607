/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.log.LogReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether what the log has, written again to data files, may need all the room of the disk. */
final class RoomForLog {
  private static final Logger logger = LoggerFactory.getLogger(RoomForLog.class);

  /** Its own files, and a compaction of them that keeps what it reads until its end, twice. */
  private static final int AMPLE_LOGS = 4;

  private RoomForLog() {}

  /**
   * Whether nothing else should be written before it has been read.
   *
   * @param directory of the database
   * @param log the directory of the log; it may be absent
   */
  static boolean isShort(String directory, Path log) throws IOException {
    long logBytes = LogReplay.bytes(log);
    long freeBytes = Files.getFileStore(Path.of(directory)).getUsableSpace();
    boolean isShort = isShort(logBytes, freeBytes);
    if (isShort) {
      logger.warn(
          "{} has room for {} MiB, and a log of {} MiB: compactions wait until it has been read",
          directory,
          freeBytes >> 20,
          logBytes >> 20);
    }
    return isShort;
  }

  static boolean isShort(long logBytes, long freeBytes) {
    return logBytes > freeBytes / AMPLE_LOGS;
  }
}
