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
 * <p>The index has buckets of eight words; a word has a bit for "was read", eleven of the hash, and
 * the place in the ring. A record that finds its bucket full takes the place of another.
 *
 * <p>A record in the ring: its place's size, the lengths of key and value, how often it was written
 * since it was read, the hash, the name of its table, key, value; and some room, as a row that is
 * updated may be longer then.
 */
final class RecordSegment {
  /** The places of a ring are so many bytes apart, and a word has room for so many places. */
  private static final int UNIT = 16;

  private static final int PLACE_BITS = 20;

  /** Of a ring and its index. */
  static final int MOST_BYTES = UNIT << PLACE_BITS;

  private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;
  private static final int READ = 1 << 31;
  private static final int TAGS = (1 << 11) - 1;

  private static final int WAYS = 8;
  private static final int WORD_BYTES = 4;
  private static final int BUCKET_BYTES = WAYS * WORD_BYTES;

  /** Smaller records than this leave a part of the ring empty. */
  private static final int BYTES_A_WORD = 128;

  private static final int SIZE = 0;
  private static final int KEY_LENGTH = 4;
  private static final int UNREAD_WRITES = 6;
  private static final int VALUE_LENGTH = 8;
  private static final int HASH = 12;
  private static final int NAME = 16;
  private static final int KEY = 24;

  /** Of the room that a ring has up to its end, where the next record does not fit. */
  private static final char NO_KEY = Character.MAX_VALUE;

  /** A record that was written so often since it was read goes. */
  private static final int MOST_UNREAD_WRITES = 8;

  /** Which part of a value it may grow by, and by how many bytes at most. */
  private static final int GROWTH_PART = 8;

  private static final int MOST_GROWTH = 64;

  /** A larger part of the ring than this is not given to one record. */
  private static final int PART = 16;

  /** Nor is more than this, as others wait while it is copied, and it would gain little. */
  private static final int MOST_RECORD_BYTES = 64 << 10;

  /** In place of the length of a value where there is no record. */
  private static final int NO_VALUE = -1;

  /** What {@link #get} answers of a key that is known to have no record. */
  static final byte[] ABSENT = new byte[0];

  /** Where so many go to the front, the one for which they do does not come in. */
  private static final int MOST_MOVES = 4;

  /** Where others have to go, only one record in so many comes in: most are never read again. */
  private static final int ONE_IN = 4;

  private final long memory;
  private final ByteBuffer index;
  private final int bucketMask;
  private final ByteBuffer ring;
  private final long ringAddress;
  private final int capacity;

  /** Positions that only grow; the place in the ring is the rest by its size. */
  private long head;

  private long tail;

  private final RunningWrites writes = new RunningWrites();

  private int offered;
  private int nextVictim;
  private long hits;
  private long misses;

  private RecordSegment(long memory, ByteBuffer index, ByteBuffer ring) {
    this.memory = memory;
    this.index = index;
    this.ring = ring;
    ringAddress = memory + index.capacity();
    bucketMask = index.capacity() / BUCKET_BYTES - 1;
    capacity = ring.capacity();
  }

  /**
   * Takes memory outside of the heap, which it keeps for as long as the process runs; the system
   * gives it when it is used.
   *
   * @param bytes of ring and index
   * @return null if there is no memory
   */
  static RecordSegment allocate(int bytes) {
    long memory = MemoryUtil.allocate(bytes);
    if (memory == 0) {
      return null;
    }
    int words = Integer.highestOneBit(2 * (bytes / BYTES_A_WORD) - 1);
    int indexBytes = words * WORD_BYTES;
    ByteBuffer index = MemoryUtil.getByteBuffer(memory, indexBytes, ByteOrder.nativeOrder());
    MemoryUtil.setByte(memory, indexBytes, (byte) 0);
    int ringBytes = (bytes - indexBytes) / UNIT * UNIT;
    ByteBuffer ring =
        MemoryUtil.getByteBuffer(memory + indexBytes, ringBytes, ByteOrder.nativeOrder());
    return new RecordSegment(memory, index, ring);
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

  /** The value of a record; null if it is not here, {@link #ABSENT} if there is none. */
  synchronized byte[] get(long name, long hash, byte[] key) {
    int at = findUnwritten(name, hash, key);
    if (at < 0) {
      misses++;
      return null;
    }
    read(at);
    int place = place(index.getInt(at));
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
    int place = at < 0 ? 0 : place(index.getInt(at));
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

  /** As {@link #find}; negative, too, while a record near it is being written. */
  private int findUnwritten(long name, long hash, byte[] key) {
    return writes.isQuiet(hash) ? find(name, hash, key) : -1;
  }

  /** The index has a record there which is read now. */
  private void read(int at) {
    int word = index.getInt(at);
    if ((word & READ) == 0) {
      index.putInt(at, word | READ);
    }
    int place = place(word);
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
    int most = Math.min(MOST_RECORD_BYTES, capacity / PART);
    if (valueBytes > most || KEY + key.length + valueBytes > most || find(name, hash, key) >= 0) {
      return;
    }
    int growth = Math.min(valueBytes / GROWTH_PART, MOST_GROWTH);
    int size = align(KEY + key.length + valueBytes + growth);
    ByteBuffer bytes = ring.duplicate();
    if (!isAdmitted(size) || !makeRoom(size)) {
      return;
    }
    int place = append(size);
    ring.putInt(place + SIZE, size);
    ring.putChar(place + KEY_LENGTH, (char) key.length);
    ring.putChar(place + UNREAD_WRITES, (char) 0);
    ring.putInt(place + VALUE_LENGTH, value == null ? NO_VALUE : valueBytes);
    ring.putInt(place + HASH, (int) hash);
    ring.putLong(place + NAME, name);
    bytes.position(place + KEY);
    bytes.put(key);
    if (value != null) {
      bytes.put(value);
    }
    setWord((int) hash, (tag(hash) << PLACE_BITS) | (place / UNIT));
  }

  /**
   * A record is about to be written: it is not answered before the end, nor does it come in. If
   * another near it is being written, which may be the same, it goes.
   */
  synchronized void begin(long hash) {
    if (!writes.begin(hash)) {
      takeOut(hash);
    }
  }

  /**
   * A record was written, or could not be.
   *
   * @param isOut whether it must go, if it is here
   */
  synchronized void end(long hash, boolean isOut) {
    writes.end(hash);
    if (isOut) {
      takeOut(hash);
    }
  }

  /**
   * A record was written, and by nobody else if it is still here: so it is changed here, too, or
   * goes.
   *
   * @param calls that merge; null if there are none
   */
  synchronized void end(long hash, BatchChanges change, NativeCalls calls) {
    writes.end(hash);
    int first = bucket((int) hash);
    int tag = tag(hash);
    for (int at = first; at < first + BUCKET_BYTES; at += WORD_BYTES) {
      int word = index.getInt(at);
      if (tagOf(word) == tag
          && isOf(place(word), change)
          && !isWritten(place(word), change, calls)) {
        index.putInt(at, 0);
      }
    }
  }

  /** Takes all out that may be of the hash; perhaps another, which is no harm. */
  private void takeOut(long hash) {
    int first = bucket((int) hash);
    int tag = tag(hash);
    for (int at = first; at < first + BUCKET_BYTES; at += WORD_BYTES) {
      if (tagOf(index.getInt(at)) == tag) {
        index.putInt(at, 0);
      }
    }
  }

  /** Whether a record is of the key of a change, by whichever number its table was known. */
  private boolean isOf(int place, BatchChanges change) {
    return (int) (ring.getLong(place + NAME) >>> Integer.SIZE) == change.family
        && isKey(place, change.bytes, change.keyFrom, change.keyLength);
  }

  /** Makes a change in its place; false if that cannot be, or nobody reads it. */
  private boolean isWritten(int place, BatchChanges change, NativeCalls calls) {
    int unread = ring.getChar(place + UNREAD_WRITES) + 1;
    if (unread > MOST_UNREAD_WRITES) {
      return false;
    }
    int from = KEY + change.keyLength;
    int room = ring.getInt(place + SIZE) - from;
    int length = write(place + from, ring.getInt(place + VALUE_LENGTH), room, change, calls);
    if (length < 0) {
      return false;
    }
    ring.putInt(place + VALUE_LENGTH, length);
    ring.putChar(place + UNREAD_WRITES, (char) unread);
    return true;
  }

  /** The length of a value after a change of it; negative if it is of no use any more. */
  private int write(int at, int length, int room, BatchChanges change, NativeCalls calls) {
    boolean isMerge = change.kind == Batch.MERGE;
    if (isMerge && length != NO_VALUE) {
      return calls == null
          ? -1
          : calls.merge(
              ringAddress + at, length, room, change.bytes, change.valueFrom, change.valueLength);
    }
    if ((isMerge || change.kind == Batch.PUT) && change.valueLength <= room) {
      ByteBuffer to = ring.duplicate();
      to.position(at);
      to.put(change.bytes, change.valueFrom, change.valueLength);
      return change.valueLength;
    }
    return -1;
  }

  synchronized long hits() {
    return hits;
  }

  synchronized long misses() {
    return misses;
  }

  /** Of the memory, what was used yet. */
  synchronized long bytes() {
    return index.capacity() + Math.min(head, capacity);
  }

  /** Whether there is room behind what is of no use any more, or it is this one's turn. */
  private boolean isAdmitted(int size) {
    while (!fits(size) && wordOfOldest() < 0) {
      takeOldest();
    }
    return fits(size) || offered++ % ONE_IN == 0;
  }

  /** Lets the oldest go, until so many bytes fit; false if those are all in use. */
  private boolean makeRoom(int size) {
    int moves = 0;
    while (!fits(size)) {
      if (takeOldest() && ++moves == MOST_MOVES) {
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
    return ring.getChar(place + KEY_LENGTH) == NO_KEY ? -1 : find(ring.getInt(place + HASH), place);
  }

  /** Takes the oldest record out; true if it was read, and has moved to the front. */
  private boolean takeOldest() {
    int at = wordOfOldest();
    int place = (int) (tail % capacity);
    int size = ring.getInt(place + SIZE);
    tail += size;
    if (at < 0) {
      return false;
    }
    int word = index.getInt(at);
    index.putInt(at, 0);
    return (word & READ) != 0 && moveToFront(bytes(place, size), tagOf(word));
  }

  private boolean moveToFront(byte[] record, int tag) {
    if (!fits(record.length)) {
      return false;
    }
    int place = append(record.length);
    ByteBuffer to = ring.duplicate();
    to.position(place);
    to.put(record);
    setWord(ring.getInt(place + HASH), tag << PLACE_BITS | place / UNIT);
    return true;
  }

  /** Where the index has a record; negative if it has not. */
  private int find(long name, long hash, byte[] key) {
    int first = bucket((int) hash);
    int tag = tag(hash);
    for (int at = first; at < first + BUCKET_BYTES; at += WORD_BYTES) {
      int word = index.getInt(at);
      if (tagOf(word) == tag
          && ring.getLong(place(word) + NAME) == name
          && isKey(place(word), key, 0, key.length)) {
        return at;
      }
    }
    return -1;
  }

  /** Where the index has the record at a place; negative if it has not. */
  private int find(int hash, int place) {
    int first = bucket(hash);
    for (int at = first; at < first + BUCKET_BYTES; at += WORD_BYTES) {
      int word = index.getInt(at);
      if (word != 0 && place(word) == place) {
        return at;
      }
    }
    return -1;
  }

  /** Where there is none, else in place of one that was not read, else of any. */
  private void setWord(int hash, int word) {
    int first = bucket(hash);
    int best = -1;
    int rank = 0;
    for (int at = first; at < first + BUCKET_BYTES; at += WORD_BYTES) {
      int other = index.getInt(at);
      int itsRank = other == 0 ? 2 : (other & READ) == 0 ? 1 : 0;
      if (itsRank > rank) {
        best = at;
        rank = itsRank;
      }
    }
    if (best < 0) {
      best = first + (nextVictim++ & (WAYS - 1)) * WORD_BYTES;
    }
    index.putInt(best, word);
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

  private int bucket(int hash) {
    return (hash & bucketMask) * BUCKET_BYTES;
  }

  /** Never zero, as an empty word has it. */
  private static int tag(long hash) {
    return 1 + (int) ((hash >>> 32 & 0xFFFFF) % TAGS);
  }

  private static int tagOf(int word) {
    return word >>> PLACE_BITS & TAGS;
  }

  private static int place(int word) {
    return (word & PLACE_MASK) * UNIT;
  }

  private static int align(int size) {
    return (size + UNIT - 1) / UNIT * UNIT;
  }
}
