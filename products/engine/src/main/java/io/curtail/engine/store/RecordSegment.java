/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.cassandra.utils.memory.MemoryUtil;

/**
 * A part of a {@link RecordCache}: a ring of records, oldest first, and an index of where they are.
 * A record that was read since it was written there goes to the front once more when its place is
 * needed (FIFO with reinsertion, as CLOCK), so no list is kept in order, and nothing is allocated
 * for a record. Thread-safe: one thread at a time.
 *
 * <p>A record in the ring: its place's size, the length of the key, how often it was written since
 * it was read and whether it is being written, the length of the value, the hash, the name of its
 * table, key, value; and some room, as a row that is updated may be longer then.
 */
final class RecordSegment {
  private static final int UNIT = RecordIndex.UNIT;

  /** Of a ring and its index. */
  static final int MOST_BYTES = UNIT << RecordIndex.PLACE_BITS;

  private static final int SIZE = 0;
  private static final int KEY_LENGTH = 4;
  private static final int UNREAD_WRITES = 6;
  private static final int VALUE_LENGTH = 8;
  private static final int HASH = 12;
  private static final int NAME = 16;
  private static final int KEY = 24;

  /** Of the room that a ring has up to its end, where the next record does not fit. */
  private static final char NO_KEY = Character.MAX_VALUE;

  /** A record that was written more often than this since it was read goes. */
  private static final int MOST_UNREAD_WRITES = 8;

  /** Beside how often that was: it is being written. */
  private static final int WRITING = 1 << 15;

  /** A larger value is not merged with what is written, as others wait meanwhile. */
  private static final int MOST_MERGED_BYTES = 16 << 10;

  /** Which part of a value it may grow by, and by how many bytes at most. */
  private static final int GROWTH_PART = 8;

  private static final int MOST_GROWTH = 64;

  /** A larger part of the ring than this is not given to one record. */
  private static final int PART = 16;

  /** Nor is more than this, as others wait while it is copied, and it would gain little. */
  private static final int MOST_RECORD_BYTES = 64 << 10;

  /** In place of the length of a value where there is no record. */
  private static final int NO_VALUE = -1;

  /** A ring that may grow does so in so many steps, of which it has one at first. */
  private static final int STEPS = 8;

  /** If less than one lookup in so many finds something, others do not have to make room. */
  private static final int LEAST_USE = 16;

  /** What {@link #get} answers of a key that is known to have no record. */
  static final byte[] ABSENT = new byte[0];

  /** Where so many go to the front, the one for which they do does not come in. */
  private static final int MOST_MOVES = 4;

  /** Where others have to go, only one record in so many comes in: most are never read again. */
  private static final int ONE_IN = 4;

  private final long memory;
  private final RecordIndex index;
  private final ByteBuffer ring;
  private final long ringAddress;

  /** Null if all of the ring is in use from the beginning. */
  private final CacheShare share;

  /** Of the ring, what is in use. */
  private int capacity;

  /** Positions that only grow; the place in the ring is the rest by its size. */
  private long head;

  private long tail;

  private final RunningWrites writes = new RunningWrites();
  private final KnownFamilies known;

  private int offered;
  private long hits;
  private long misses;
  private long hitsBefore;
  private long missesBefore;

  /** Where the turn began in which it has asked for more; negative if that was not this one. */
  private long askedFront = -1;

  private RecordSegment(
      long memory, RecordIndex index, ByteBuffer ring, CacheShare share, KnownFamilies known) {
    this.memory = memory;
    this.index = index;
    this.ring = ring;
    ringAddress = memory + index.bytes();
    this.share = share;
    this.known = known;
    capacity = share == null ? ring.capacity() : step();
  }

  /**
   * Takes memory outside of the heap, which it keeps for as long as the process runs; the system
   * gives it when it is used.
   *
   * @param bytes of ring and index
   * @param share of which it takes more when it is of use; null to use all from the beginning
   * @param known of all segments
   * @return null if there is no memory
   */
  static RecordSegment allocate(int bytes, CacheShare share, KnownFamilies known) {
    long memory = MemoryUtil.allocate(bytes);
    if (memory == 0) {
      return null;
    }
    RecordIndex index = new RecordIndex(memory, bytes);
    int ringBytes = (bytes - index.bytes()) / UNIT * UNIT;
    ByteBuffer ring =
        MemoryUtil.getByteBuffer(memory + index.bytes(), ringBytes, ByteOrder.nativeOrder());
    return new RecordSegment(memory, index, ring, share, known);
  }

  /** Gives its memory back, if nobody has it yet. */
  void free() {
    MemoryUtil.free(memory);
  }

  /**
   * Of a table.
   *
   * @param family the number by which RocksDB knows it
   * @param number by which it is known here, until all that is kept of it is of no use
   */
  static long name(int family, int number) {
    return (long) family << Integer.SIZE | number;
  }

  private static int family(long name) {
    return (int) (name >>> Integer.SIZE);
  }

  /** The value of a record; null if it is not here, {@link #ABSENT} if there is none. */
  synchronized byte[] get(long name, long hash, byte[] key) {
    int at = findUnwritten(name, hash, key);
    if (at < 0) {
      misses++;
      return null;
    }
    read(at);
    int place = index.place(at);
    int length = ring.getInt(place + VALUE_LENGTH);
    return length == NO_VALUE ? ABSENT : bytes(place + KEY + key.length, length);
  }

  /**
   * Copies the value of a record.
   *
   * @return its length; negative if it is not here, or longer
   */
  synchronized int get(long name, long hash, byte[] key, byte[] into) {
    int at = findUnwritten(name, hash, key);
    int place = at < 0 ? 0 : index.place(at);
    int length = at < 0 ? -1 : ring.getInt(place + VALUE_LENGTH);
    if (length < 0 || length > into.length) {
      misses++;
      return -1;
    }
    read(at);
    ByteBuffer there = ring.duplicate();
    there.position(place + KEY + key.length);
    there.get(into, 0, length);
    return length;
  }

  /** As {@link #find}; negative, too, while the record is being written. */
  private int findUnwritten(long name, long hash, byte[] key) {
    int at = find(name, hash, key);
    return at >= 0 && isBeingWritten(index.place(at)) ? -1 : at;
  }

  private boolean isBeingWritten(int place) {
    return (ring.getChar(place + UNREAD_WRITES) & WRITING) != 0;
  }

  /** The index has a record there which is read now. */
  private void read(int at) {
    index.setRead(at);
    int place = index.place(at);
    if (ring.getChar(place + UNREAD_WRITES) != 0) {
      ring.putChar(place + UNREAD_WRITES, (char) 0);
    }
    hits++;
  }

  /** A mark of this moment, for {@link #put}; negative while a record near it is being written. */
  synchronized long mark(long hash) {
    return writes.mark(hash);
  }

  /**
   * Keeps a record that was read after a mark, unless one near it was written since, or it is
   * large.
   *
   * @param value null if there is none
   */
  synchronized void put(long name, long hash, byte[] key, byte[] value, long mark) {
    if (mark(hash) != mark || mark < 0) {
      return;
    }
    int valueBytes = value == null ? 0 : value.length;
    int most = Math.min(MOST_RECORD_BYTES, ring.capacity() / PART);
    if (valueBytes > most || KEY + key.length + valueBytes > most || find(name, hash, key) >= 0) {
      return;
    }
    int growth = Math.min(valueBytes / GROWTH_PART, MOST_GROWTH);
    int size = align(KEY + key.length + valueBytes + growth);
    growAtEnd(size);
    // Else it might fit on neither side of the head, in an empty ring.
    if (2 * size > capacity || !isAdmitted(size) || !makeRoom(size)) {
      return;
    }
    int place = append(size);
    ring.putInt(place + SIZE, size);
    ring.putChar(place + KEY_LENGTH, (char) key.length);
    ring.putChar(place + UNREAD_WRITES, (char) 0);
    ring.putInt(place + VALUE_LENGTH, value == null ? NO_VALUE : valueBytes);
    ring.putInt(place + HASH, (int) hash);
    ring.putLong(place + NAME, name);
    ByteBuffer bytes = ring.duplicate();
    bytes.position(place + KEY);
    bytes.put(key);
    if (value != null) {
      bytes.put(value);
    }
    known.add(family(name));
    index.add(hash, place);
  }

  /**
   * A record is about to be written: it is not answered before the end, nor does it come in. If it
   * is being written already, it goes.
   */
  synchronized void begin(long hash, BatchChanges change) {
    writes.begin(hash);
    if (!known.has(change.family)) {
      return;
    }
    for (int at = index.first(hash); at >= 0; at = index.next(hash, at)) {
      int place = index.place(at);
      if (isOf(place, change)) {
        if (isBeingWritten(place)) {
          index.remove(at);
        } else {
          ring.putChar(
              place + UNREAD_WRITES, (char) (ring.getChar(place + UNREAD_WRITES) | WRITING));
        }
      }
    }
  }

  /**
   * A record was written, and by nobody else if it is still here: so it is changed here, too, or
   * goes.
   *
   * @param isWritten false if it could not be written
   * @param calls that merge; null if there are none
   */
  synchronized void end(long hash, BatchChanges change, boolean isWritten, NativeCalls calls) {
    writes.end(hash);
    if (!known.has(change.family)) {
      return;
    }
    for (int at = index.first(hash); at >= 0; at = index.next(hash, at)) {
      int place = index.place(at);
      if (isOf(place, change) && !(isWritten && write(place, change, calls))) {
        index.remove(at);
      }
    }
  }

  /** What is kept by a hash is about to be written: it goes, and nothing comes in. */
  synchronized void begin(long hash, int family) {
    writes.begin(hash);
    if (known.has(family)) {
      index.removeAll(hash);
    }
  }

  /** It was written, or could not be. */
  synchronized void end(long hash) {
    writes.end(hash);
  }

  /** Whether a record is of the key of a change, by whichever number its table was known. */
  private boolean isOf(int place, BatchChanges change) {
    return family(ring.getLong(place + NAME)) == change.family
        && isKey(place, change.bytes, change.keyFrom, change.keyLength);
  }

  /** Makes a change in its place; false if that cannot be, or nobody reads it. */
  private boolean write(int place, BatchChanges change, NativeCalls calls) {
    int unread = (ring.getChar(place + UNREAD_WRITES) & ~WRITING) + 1;
    int from = KEY + change.keyLength;
    int room = ring.getInt(place + SIZE) - from;
    if (unread > MOST_UNREAD_WRITES || change.valueLength > room) {
      return false;
    }
    int before = ring.getInt(place + VALUE_LENGTH);
    int length = -1;
    if (change.kind == Batch.PUT || (change.kind == Batch.MERGE && before == NO_VALUE)) {
      length = change.copyTo(ring, place + from);
    } else if (change.kind == Batch.MERGE && before <= MOST_MERGED_BYTES) {
      length = change.mergeInto(ringAddress + place + from, before, room, calls);
    }
    if (length < 0) {
      return false;
    }
    ring.putInt(place + VALUE_LENGTH, length);
    ring.putChar(place + UNREAD_WRITES, (char) unread); // last: if anything fails, nobody reads it
    return true;
  }

  synchronized long hits() {
    return hits;
  }

  synchronized long misses() {
    return misses;
  }

  /** What it takes of its share at first. */
  int firstBytes() {
    return index.bytes() + capacity;
  }

  /** Of the memory, what was used yet. */
  synchronized long bytes() {
    return index.bytes() + Math.min(head, capacity);
  }

  private int step() {
    return ring.capacity() / STEPS / UNIT * UNIT;
  }

  /** Near its end, once a turn, lets the ring be longer if it is given more. */
  private void growAtEnd(int size) {
    if (share == null || capacity == ring.capacity()) {
      return;
    }
    int place = (int) (head % capacity);
    long front = head - place;
    // Records that move to the front come in between.
    if (place + (MOST_MOVES + 1) * size <= capacity || front == askedFront) {
      return;
    }
    boolean isOfUse = (hits - hitsBefore) * LEAST_USE > misses - missesBefore;
    hitsBefore = hits;
    missesBefore = misses;
    int step = Math.min(step(), ring.capacity() - capacity);
    askedFront = front;
    if (share.take(step, isOfUse)) {
      while (tail < front) {
        takeOldest(false);
      }
      head -= front;
      tail -= front;
      capacity += step;
      askedFront = -1;
    }
  }

  /** Whether there is room behind what is of no use any more, or it is this one's turn. */
  private boolean isAdmitted(int size) {
    while (!fits(size) && wordOfOldest() < 0) {
      takeOldest(false);
    }
    return fits(size) || offered++ % ONE_IN == 0;
  }

  /** Lets the oldest go, until so many bytes fit; false if those are all in use. */
  private boolean makeRoom(int size) {
    int moves = 0;
    while (!fits(size)) {
      if (takeOldest(true) && ++moves == MOST_MOVES) {
        return fits(size);
      }
    }
    return true;
  }

  private boolean fits(int size) {
    return head + rest(size) + size - tail <= capacity;
  }

  /** What is left to the end of the ring, if so many bytes do not fit there. */
  private int rest(int size) {
    int place = (int) (head % capacity);
    return place + size > capacity ? capacity - place : 0;
  }

  private int append(int size) {
    int rest = rest(size);
    if (rest > 0) {
      int place = (int) (head % capacity);
      ring.putInt(place + SIZE, rest);
      ring.putChar(place + KEY_LENGTH, NO_KEY);
      head += rest;
    }
    int place = (int) (head % capacity);
    head += size;
    return place;
  }

  /** Where the index has the oldest record; negative if it has not. */
  private int wordOfOldest() {
    int place = (int) (tail % capacity);
    return ring.getChar(place + KEY_LENGTH) == NO_KEY
        ? -1
        : index.find(ring.getInt(place + HASH), place);
  }

  /**
   * Takes the oldest record out.
   *
   * @param moves whether it moves to the front if it was read
   * @return whether it has
   */
  private boolean takeOldest(boolean moves) {
    int at = wordOfOldest();
    int place = (int) (tail % capacity);
    int size = ring.getInt(place + SIZE);
    tail += size;
    if (at < 0) {
      return false;
    }
    if (moves && index.isRead(at) && fits(size)) {
      byte[] record = bytes(place, size);
      int to = append(size);
      ByteBuffer there = ring.duplicate();
      there.position(to);
      there.put(record);
      index.move(at, to);
      return true;
    }
    index.remove(at);
    return false;
  }

  /** Where the index has a record; negative if it has not. */
  private int find(long name, long hash, byte[] key) {
    for (int at = index.first(hash); at >= 0; at = index.next(hash, at)) {
      int place = index.place(at);
      if (ring.getLong(place + NAME) == name && isKey(place, key, 0, key.length)) {
        return at;
      }
    }
    return -1;
  }

  private boolean isKey(int place, byte[] key, int from, int length) {
    if (ring.getChar(place + KEY_LENGTH) != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (ring.get(place + KEY + i) != key[from + i]) {
        return false;
      }
    }
    return true;
  }

  private byte[] bytes(int from, int length) {
    byte[] bytes = new byte[length];
    ByteBuffer there = ring.duplicate();
    there.position(from);
    there.get(bytes);
    return bytes;
  }

  private static int align(int size) {
    return (size + UNIT - 1) / UNIT * UNIT;
  }
}
