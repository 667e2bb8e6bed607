/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.io.IOException;
import java.nio.file.FileSystemException;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.FSReadError;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * What RocksDB reports, as the error on which Cassandra's {@code disk_failure_policy} acts: one of
 * the file system, naming RocksDB's directory. Thread-safe.
 */
public final class StorageErrors {
  private StorageErrors() {}

  /** Of a read. */
  public static FSError reading(RocksDBException e, String directory) {
    return new FSReadError(new IOException(message(e), e), new File(directory));
  }

  /** Of a write. */
  public static FSError writing(RocksDBException e, String directory) {
    return new FSWriteError(new IOException(message(e), e), new File(directory));
  }

  /** Of a write that is not tried, because it could stop halfway. */
  static FSError noRoom(long freeBytes, long wantedBytes, String directory) {
    String message =
        "RocksDB: No space left: " + freeBytes + " bytes free, " + wantedBytes + " wanted";
    return new FSWriteError(new IOException(message), new File(directory));
  }

  /** What an exception says: those of the file system may say the name of the file and no more. */
  static String why(Exception e) {
    return e instanceof FileSystemException ? e.toString() : e.getMessage();
  }

  /** Whether RocksDB would only have had to wait, and was told not to. */
  static boolean isWait(RocksDBException e) {
    Status status = e.getStatus();
    return status != null
        && status.getCode() == Status.Code.Incomplete
        && "Write stall".equals(status.getState()); // the same code has what failed otherwise
  }

  private static String message(RocksDBException e) {
    String status = e.getStatus() == null ? "" : e.getStatus().getCodeString() + ": ";
    return "RocksDB: " + status + e.getMessage();
  }
}
