/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the segments that a process left and applies their records again, in their order. What is
 * in RocksDB already does not change by it: merges of the same fragment twice are one, and of each
 * key that was put or deleted the last change comes last again. For one thread.
 */
public final class LogReplay {
  private static final Logger logger = LoggerFactory.getLogger(LogReplay.class);

  /** What to do about RocksDB's directory if rows in it are lost: the end of an error. */
  public static final String ADVICE =
      ": put a checkpoint in the place of RocksDB's directory, or move it away and delete"
          + " curtail-rocksdb.properties in each data directory; then start and repair the node:"
          + " until that is done it answers as if the rows that it lacks had never been";

  private static final String SEGMENTS = "*" + LogSegment.SUFFIX + "*";

  /** Takes one batch of the log. */
  public interface Target {
    /** Applies it; what it throws ends the replay. */
    void apply(byte[] batch) throws RocksDBException;
  }

  private final Target target;
  private long records;
  private long gaps;

  private LogReplay(Target target) {
    this.target = target;
  }

  /**
   * Applies the records of the segments in a directory. After a loss of power those behind the
   * first that the disk may lack are removed: they may rest on it, and none had to survive.
   *
   * @param boot of the log; it is marked
   * @param families that a record may be of
   * @return the segments, oldest first
   * @throws IOException if one is damaged where it was synced, or missing
   * @throws RocksDBException as the target throws
   */
  public static List<LogSegment> replay(
      Path directory, BootMark boot, Set<Integer> families, Target target)
      throws IOException, RocksDBException {
    LogReplay replay = new LogReplay(target);
    List<LogSegment> segments = new ArrayList<>();
    List<Header> headers = headers(directory);
    if (boot.isOfAnotherBoot()) {
      leaveOutUnsynced(directory, boot.segment(), headers);
    }
    for (Header header : headers) {
      // What is flushed of it must not be ahead of it on the disk.
      try (FileChannel channel = FileChannel.open(header.file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
    boot.write(headers.isEmpty() ? 0 : headers.get(headers.size() - 1).number);
    for (Header header : headers) {
      long before = segments.isEmpty() ? 0 : segments.get(segments.size() - 1).number();
      if (before > 0 && before + 1 != header.number && !header.isNew) {
        throw new IOException("a segment of the log is missing before " + header.file + ADVICE);
      }
      segments.add(replay.segment(header, families));
      logger.info("Replayed {}: {} writes so far", header.file, replay.records);
    }
    if (replay.gaps > 0) {
      logger.warn(
          "The log has {} bytes of writes that were not finished when the process ended",
          replay.gaps);
    }
    return segments;
  }

  /**
   * Removes what is behind the first gap where nothing was synced, so that no later start finds it
   * either. Of the last segment that was synced, all before it are whole; those behind it go, since
   * what is missing at its end cannot be told from room that was not used.
   *
   * @param known the last segment that a start has read as it is now
   */
  private static void leaveOutUnsynced(Path directory, long known, List<Header> headers)
      throws IOException {
    while (!headers.isEmpty()) {
      Header last = headers.get(headers.size() - 1);
      if (last.number <= known) {
        return;
      }
      if (!last.isNew || last.number == known + 1) {
        cut(last);
        return;
      }
      logger.warn("Left out {}: nothing of it was synced when the machine stopped", last.file);
      Files.delete(last.file);
      LogSegment.syncDirectory(directory);
      headers.remove(last);
    }
  }

  private static void cut(Header header) throws IOException {
    byte[] bytes = Files.readAllBytes(header.file);
    ByteBuffer segment = ByteBuffer.wrap(bytes);
    int position = LogSegment.HEADER_BYTES;
    while (position + LogSegment.RECORD_BYTES <= bytes.length) {
      byte[] record = record(bytes, header.number, position);
      int size = record == null ? revoked(segment, header.number, position) : record.length;
      if (size == 0) {
        break;
      }
      position += LogSegment.lengthOf(size);
    }
    if (position < header.synced) {
      return; // damage, which the replay refuses
    }
    try (FileChannel channel = FileChannel.open(header.file, StandardOpenOption.WRITE)) {
      channel.truncate(position);
    }
    logger.info("Cut {} at {}, behind which the disk may lack writes", header.file, position);
  }

  /** What the segments in a directory, which may be absent, take up; in bytes. */
  public static long bytes(Path directory) throws IOException {
    long bytes = 0;
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, SEGMENTS)) {
        for (Path file : files) {
          bytes += Files.size(file);
        }
      }
    }
    return bytes;
  }

  /** The headers of all segments, oldest first. */
  private static List<Header> headers(Path directory) throws IOException {
    List<Header> headers = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, SEGMENTS)) {
      for (Path file : files) {
        Header header = new Header(file);
        if (header.isWhole) {
          headers.add(header);
        } else if (header.isNew) {
          // A spare one, or nothing of it came to the disk.
          Files.delete(file);
        } else {
          throw new IOException("the log has a damaged header in " + file + ADVICE);
        }
      }
    }
    LogSegment.syncDirectory(directory);
    headers.sort(Comparator.comparingLong(header -> header.number));
    return headers;
  }

  /** What the first bytes of a segment say. */
  private static final class Header {
    private final Path file;
    private final boolean isNew;
    private final boolean isWhole;
    private final long number;
    private final int synced;

    Header(Path file) throws IOException {
      this.file = file;
      isNew = file.toString().endsWith(LogSegment.NEW);
      ByteBuffer bytes = ByteBuffer.allocate(LogSegment.HEADER_BYTES);
      try (FileChannel channel = FileChannel.open(file)) {
        int read = 0;
        while (read >= 0 && bytes.hasRemaining()) {
          read = channel.read(bytes);
        }
        number = bytes.getLong(Long.BYTES);
        synced = LogSegment.synced(bytes, number);
        isWhole =
            !bytes.hasRemaining()
                && bytes.getLong(0) == LogSegment.MAGIC
                && synced >= LogSegment.HEADER_BYTES
                && synced <= channel.size();
      }
    }
  }

  private LogSegment segment(Header header, Set<Integer> families)
      throws IOException, RocksDBException {
    byte[] bytes = Files.readAllBytes(header.file);
    ByteBuffer segment = ByteBuffer.wrap(bytes);
    int position = LogSegment.HEADER_BYTES;
    while (position + LogSegment.RECORD_BYTES <= bytes.length) {
      byte[] record = record(bytes, header.number, position);
      if (record != null) {
        target.apply(record);
        records++;
        position += LogSegment.lengthOf(record.length);
      } else if (revoked(segment, header.number, position) > 0) {
        position += LogSegment.lengthOf(revoked(segment, header.number, position));
      } else if (position < header.synced) {
        throw new IOException(
            "the log has a checksum mismatch at " + position + " in " + header.file + ADVICE);
      } else {
        gaps += segment.getLong(position) == 0 ? 0 : Long.BYTES;
        position += Long.BYTES;
      }
    }
    return new LogSegment(header.file, header.number, bytes.length, families);
  }

  /** How many bytes a record has at a position that does not count; 0 if there is none. */
  private static int revoked(ByteBuffer segment, long number, int position) {
    int size = -segment.getInt(position);
    boolean isThere =
        size > 0
            && size <= segment.capacity() - position - LogSegment.RECORD_BYTES
            && segment.getInt(position + Integer.BYTES)
                == LogSegment.checkOfRevoked(number, position, size);
    return isThere ? size : 0;
  }

  /** The record at a position; null if there is no whole one. */
  private static byte[] record(byte[] segment, long number, int position) {
    ByteBuffer header = ByteBuffer.wrap(segment, position, LogSegment.RECORD_BYTES);
    int length = header.getInt();
    int from = position + LogSegment.RECORD_BYTES;
    if (length <= 0 || length > segment.length - from) {
      return null;
    }
    return LogSegment.check(number, position, segment, from, length) == header.getInt()
        ? Arrays.copyOfRange(segment, from, from + length)
        : null;
  }
}
