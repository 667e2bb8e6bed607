/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.cassandra.utils.NativeLibrary;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the blocks of a file from the disk before it is written. */
final class DiskSpace {
  private static final Logger logger = LoggerFactory.getLogger(DiskSpace.class);
  private static final int ZEROS = 1 << 20;
  private static final int NO_SPACE = 28;

  /** Whether the C library can do it; else zeros are written, all of them to the disk. */
  private static final boolean CAN_ALLOCATE = register();

  private DiskSpace() {}

  private static boolean register() {
    try {
      Native.register(DiskSpace.class, "c");
      return true;
    } catch (LinkageError e) {
      logger.warn("Files of the log are filled with zeros, as there is no JNA: {}", e.toString());
      return false;
    }
  }

  private static native int posix_fallocate(int file, long offset, long length);

  /**
   * Makes an empty file that long, of zeros.
   *
   * @throws IOException if there is no room
   */
  static void take(FileChannel file, int length) throws IOException {
    int error = CAN_ALLOCATE ? posix_fallocate(NativeLibrary.getfd(file), 0, length) : -1;
    if (error == NO_SPACE) {
      throw new IOException("No space left on device");
    }
    if (error != 0) {
      writeZeros(file, length);
    }
  }

  private static void writeZeros(FileChannel file, int length) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(Math.min(length, ZEROS));
    while (file.position() < length) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), length - file.position()));
      file.write(zeros);
    }
  }
}
