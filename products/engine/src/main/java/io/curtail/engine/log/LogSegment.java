/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.apache.cassandra.utils.NativeLibrary;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One file of the {@linkplain WriteAheadLog log}, its blocks taken from the disk when it is made,
 * so that a write to it does not fail for want of space. It is not mapped into memory: a thread of
 * Java that waits for a page holds up the whole process at its next safepoint.
 *
 * <pre>
 * header   magic (8), number of the segment (8), how far it is synced (4), check of that (4)
 * record   length (4), check (4), bytes, zeros up to a multiple of eight
 * </pre>
 *
 * <p>A check is the CRC-32C of the segment's number, the position, the length and the bytes. Of a
 * record that does not count any more the length is negative, and the check leaves the bytes out.
 * Records lie one after the other, but are written side by side: a crash can leave a gap with whole
 * records after it. Below the synced position there is none, or the file is damaged.
 *
 * <p>Appending is thread-safe; the rest is for one thread at a time.
 */
public final class LogSegment {
  private static final Logger logger = LoggerFactory.getLogger(LogSegment.class);

  /** Of the header, before the first record. */
  public static final int HEADER_BYTES = 24;

  static final int RECORD_BYTES = 8;
  static final long MAGIC = 0x4355525441494C31L;
  static final String SUFFIX = ".log";

  /** At the end of the name of a file that was never synced. */
  static final String NEW = ".new";

  private static final int SYNCED_AT = 16;
  private static final int BUFFER_BYTES = 32 << 10;
  private static final ThreadLocal<ByteBuffer> BUFFERS =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(BUFFER_BYTES));

  private static final ThreadLocal<ByteBuffer> PLACES =
      ThreadLocal.withInitial(() -> ByteBuffer.allocate(16));

  final int capacity;

  private final Set<Integer> families = ConcurrentHashMap.newKeySet();
  private final AtomicInteger end = new AtomicInteger(HEADER_BYTES);
  private volatile Path file;
  private long number;
  private long place = -1;

  /** How far it is whole and on the disk, as the header says. */
  private int synced;

  /** How far it is on the disk, past records that failed. */
  private int forced = HEADER_BYTES;

  /** The first record that could not be written: what is before it is whole. */
  private final AtomicInteger failedAt = new AtomicInteger(Integer.MAX_VALUE);

  /** Failed records, each by its place and size, which readers would not pass over yet. */
  private final Queue<int[]> gaps = new ConcurrentLinkedQueue<>();

  /** How its bytes are brought to the disk. */
  interface Disk {
    /** The real one. */
    Disk SYSTEM = channel -> channel.force(false);

    void force(FileChannel channel) throws IOException;
  }

  private Disk disk = Disk.SYSTEM;

  /** Null once nothing is appended any more, and all is synced. */
  private volatile FileChannel channel;

  /** A segment that is complete. */
  LogSegment(Path file, long number, int capacity, Set<Integer> families) {
    this.file = file;
    this.number = number;
    this.capacity = capacity;
    this.families.addAll(families);
  }

  private LogSegment(Path file, FileChannel channel, int capacity) {
    this.file = file;
    this.channel = channel;
    this.capacity = capacity;
  }

  /**
   * A new segment, without a number. Nothing waits for the disk here: a file keeps the suffix
   * {@link #NEW} until the first sync.
   */
  static LogSegment create(Path directory, long fileNumber, int capacity, Disk disk)
      throws IOException {
    Path file = directory.resolve(String.format("%016d%s", fileNumber, SUFFIX + NEW));
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      DiskSpace.take(channel, capacity);
      LogSegment segment = new LogSegment(file, channel, capacity);
      segment.disk = disk;
      return segment;
    } catch (IOException e) {
      channel.close();
      Files.deleteIfExists(file);
      throw e;
    }
  }

  /** Makes it the segment of that number, to append to. */
  void begin(long segmentNumber) throws IOException {
    number = segmentNumber;
    ByteBuffer header = ByteBuffer.allocate(SYNCED_AT);
    header.putLong(MAGIC).putLong(number);
    write(header, 0);
    setSynced(HEADER_BYTES);
  }

  long number() {
    return number;
  }

  /** The number in the name of its file. */
  static long fileNumber(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf(SUFFIX)));
  }

  long fileNumber() {
    return fileNumber(file);
  }

  /** The length that a record takes in a segment. */
  static int lengthOf(int size) {
    return RECORD_BYTES + (size + 7) / 8 * 8;
  }

  static int check(long number, int position, byte[] bytes, int from, int length) {
    CRC32C check = checkOfPlace(number, position, length);
    check.update(bytes, from, length);
    return (int) check.getValue();
  }

  private static CRC32C checkOfPlace(long number, int position, int length) {
    CRC32C check = new CRC32C();
    ByteBuffer place = PLACES.get().clear();
    place.putLong(number).putInt(position).putInt(length);
    check.update(place.flip());
    return check;
  }

  /** Of a record of so many bytes that was revoked. */
  static int checkOfRevoked(long number, int position, int size) {
    return (int) checkOfPlace(number, position, -size).getValue();
  }

  /**
   * Appends a record, of a batch that changes these column families.
   *
   * @return its position; 0 if it has no room
   * @throws IOException if it cannot be written: then it may be there after a crash all the same,
   *     and the segment takes no more
   */
  int append(byte[] bytes, int size, Set<Integer> changed) throws IOException {
    int length = lengthOf(size);
    int position;
    do {
      position = end.get();
      if (length > capacity - position) {
        return 0;
      }
    } while (!end.compareAndSet(position, position + length));
    try {
      for (Integer family : changed) {
        if (!families.contains(family)) {
          families.add(family);
        }
      }
      write(bytes, size, position);
    } catch (IOException | RuntimeException | Error e) {
      // Whatever it is, as for want of memory: the record's place must not count as synced.
      failedAt.accumulateAndGet(position, Math::min);
      end.set(capacity);
      passOver(position, size);
      throw e;
    }
    return position;
  }

  /** In pieces: of a buffer on the heap Java keeps a copy outside, as large, for each thread. */
  private void write(byte[] bytes, int size, int position) throws IOException {
    ByteBuffer piece = BUFFERS.get().clear();
    piece.putInt(size).putInt(check(number, position, bytes, 0, size));
    int taken = 0;
    int to = position;
    boolean isInterrupted = false;
    try {
      do {
        int length = Math.min(size - taken, piece.remaining());
        piece.put(bytes, taken, length);
        taken += length;
        write(piece, to);
        isInterrupted |= Thread.interrupted(); // or the next piece would close the file again
        to += piece.limit();
        piece.clear();
      } while (taken < size);
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Whole records may come after it, which are read after a loss of power if there is no gap. */
  private void passOver(int position, int size) {
    try {
      write(revoked(position, size), position);
    } catch (IOException | RuntimeException | Error e) {
      logger.debug("A failed record of {} is a gap until the next sync", file, e);
      gaps.add(new int[] {position, size});
    }
  }

  private ByteBuffer revoked(int position, int size) {
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
    return word.putInt(-size).putInt(checkOfRevoked(number, position, size));
  }

  /**
   * Makes readers pass over a record, and brings that to the disk.
   *
   * @throws IOException if that fails: then readers may find it or not
   */
  synchronized void revoke(int position, int size) throws IOException {
    ByteBuffer word = revoked(position, size);
    boolean isInterrupted = Thread.interrupted();
    try {
      while (true) {
        // It may be closed already, as it is full.
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
          // One aligned word: there as a whole or not at all.
          open.write(word.rewind(), position);
          disk.force(open);
          return;
        } catch (ClosedByInterruptException e) {
          isInterrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Java closes the file for all threads when one of them is interrupted in it. */
  private void write(ByteBuffer bytes, int position) throws IOException {
    bytes.flip();
    boolean isInterrupted = false;
    try {
      while (bytes.hasRemaining()) {
        FileChannel to = channel;
        try {
          to.write(bytes, position + bytes.position());
        } catch (ClosedChannelException e) {
          isInterrupted |= Thread.interrupted();
          openAgain(to);
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void openAgain(FileChannel closed) throws IOException {
    if (channel == closed) {
      channel = FileChannel.open(file, StandardOpenOption.WRITE);
    }
  }

  /** Where the next record goes. */
  int end() {
    return end.get();
  }

  /** The column families that its records change. */
  Set<Integer> families() {
    return families;
  }

  /** The place of its last write in RocksDB's order; negative if that is not known. */
  long place() {
    return place;
  }

  void setPlace(long last) {
    place = last;
  }

  boolean isOpen() {
    return channel != null;
  }

  /**
   * Brings all records before a position to the disk; they must be complete.
   *
   * @return whether the file has another name now, which is for {@link #syncDirectory}
   */
  boolean sync(int position) throws IOException {
    if (position <= forced) {
      return false;
    }
    for (int[] gap = gaps.peek(); gap != null; gap = gaps.peek()) {
      write(revoked(gap[0], gap[1]), gap[0]);
      gaps.remove();
    }
    force();
    forced = position;
    boolean isFirst = file.toString().endsWith(NEW);
    if (isFirst) {
      rename();
    }
    int whole = Math.min(position, failedAt.get());
    if (whole > synced) {
      setSynced(whole);
    }
    return isFirst;
  }

  private void force() throws IOException {
    boolean isInterrupted = false;
    try {
      while (true) {
        FileChannel written = channel;
        try {
          disk.force(written);
          return;
        } catch (ClosedChannelException e) {
          isInterrupted |= Thread.interrupted();
          openAgain(written);
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void rename() throws IOException {
    String name = file.getFileName().toString();
    file =
        Files.move(
            file,
            file.resolveSibling(name.substring(0, name.length() - NEW.length())),
            StandardCopyOption.ATOMIC_MOVE);
  }

  private void setSynced(int position) throws IOException {
    synced = position;
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
    word.putInt(position).putInt(checkOfSynced(number, position));
    // One aligned word: there as a whole or not at all.
    write(word, SYNCED_AT);
  }

  /** How far a segment read into memory is synced, in bytes; -1 if that is damaged. */
  public static int synced(ByteBuffer segment, long number) {
    int position = segment.getInt(SYNCED_AT);
    boolean isWhole = segment.getInt(SYNCED_AT + 4) == checkOfSynced(number, position);
    return isWhole ? position : -1;
  }

  private static int checkOfSynced(long number, int position) {
    return check(number, position, new byte[0], 0, 0);
  }

  /** Ends a segment to which nothing is appended any more, after its last sync. */
  void close() throws IOException {
    force();
    channel.close();
    channel = null;
    // Nobody reads it before the next start: the memory is for data.
    NativeLibrary.trySkipCache(file.toString(), 0, 0);
  }

  void delete() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
    Files.deleteIfExists(file);
  }

  /**
   * Brings the names of files in a directory to the disk, also in a thread that is interrupted.
   *
   * @throws IOException if the disk does not take them
   */
  public static void syncDirectory(Path directory) throws IOException {
    boolean isInterrupted = Thread.interrupted();
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException e) {
          isInterrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
