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
 * <p>A record in the ring: the number of its table, the hash, the lengths of key and value, key,
 * value.
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

  private static final int HASH = 4;
  private static final int KEY_LENGTH = 8;
  private static final int VALUE_LENGTH = 12;
  private static final int KEY = 16;

  /** Of the room that a ring has up to its end, where the next record does not fit. */
  private static final int NO_KEY = -1;

  /** A larger part of the ring than this is not given to one record. */
  private static final int PART = 16;

  /** Nor is more than this, as others wait while it is copied, and it would gain little. */
  private static final int MOST_RECORD_BYTES = 64 << 10;

  /** What is written is told apart by so many hashes. */
  private static final int STRIPES = 64;

  private static final int STRIPE_SHIFT = 40;

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
  private final int capacity;

  /** Positions that only grow; the place in the ring is the rest by its size. */
  private long head;

  private long tail;

  /** Writes that have begun, by stripe. */
  private final long[] begun = new long[STRIPES];

  /** Those of them that have not ended. */
  private final int[] running = new int[STRIPES];

  private int offered;
  private int nextVictim;
  private long hits;
  private long misses;

  private RecordSegment(long memory, ByteBuffer index, ByteBuffer ring) {
    this.memory = memory;
    this.index = index;
    this.ring = ring;
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

  /** The value of a record; null if it is not here, {@link #ABSENT} if there is none. */
  synchronized byte[] get(int number, long hash, byte[] key) {
    int at = find(number, hash, key);
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
  synchronized int get(int number, long hash, byte[] key, byte[] into) {
    int at = find(number, hash, key);
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

  /** The index has a record there which is read now. */
  private void read(int at) {
    int word = index.getInt(at);
    if ((word & READ) == 0) {
      index.putInt(at, word | READ);
    }
    hits++;
  }

  /** A mark of this moment, for {@link #put}; negative while a record near it is being written. */
  synchronized long mark(long hash) {
    int stripe = stripe(hash);
    return running[stripe] == 0 ? begun[stripe] : -1;
  }

  /**
   * Keeps a record that was read after a mark, unless one near it was written since, or it is
   * large.
   *
   * @param value null if there is none
   */
  synchronized void put(int number, long hash, byte[] key, byte[] value, long mark) {
    if (mark(hash) != mark || mark < 0) {
      return;
    }
    int valueBytes = value == null ? 0 : value.length;
    int most = Math.min(MOST_RECORD_BYTES, capacity / PART);
    if (valueBytes > most || KEY + key.length + valueBytes > most || find(number, hash, key) >= 0) {
      return;
    }
    int size = align(KEY + key.length + valueBytes);
    ByteBuffer bytes = ring.duplicate();
    if (!isAdmitted(size) || !makeRoom(size)) {
      return;
    }
    int place = append(size);
    ring.putInt(place, number);
    ring.putInt(place + HASH, (int) hash);
    ring.putInt(place + KEY_LENGTH, key.length);
    ring.putInt(place + VALUE_LENGTH, value == null ? NO_VALUE : valueBytes);
    bytes.position(place + KEY);
    bytes.put(key);
    if (value != null) {
      bytes.put(value);
    }
    setWord((int) hash, (tag(hash) << PLACE_BITS) | (place / UNIT));
  }

  /** A record is about to be written: it is here no more, and does not come in before the end. */
  synchronized void begin(long hash) {
    int stripe = stripe(hash);
    begun[stripe]++;
    running[stripe]++;
    int first = bucket((int) hash);
    int tag = tag(hash);
    for (int at = first; at < first + BUCKET_BYTES; at += WORD_BYTES) {
      if (tagOf(index.getInt(at)) == tag) {
        index.putInt(at, 0); // perhaps another's, which is no harm
      }
    }
  }

  /** A record was written, or could not be. */
  synchronized void end(long hash) {
    running[stripe(hash)]--;
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
      ring.putInt(place + KEY_LENGTH, NO_KEY);
      ring.putInt(place + VALUE_LENGTH, rest);
      head += rest;
    }
    int place = (int) (head % capacity);
    head += size;
    return place;
  }

  /** Where the index has the oldest record; negative if it has not. */
  private int wordOfOldest() {
    int place = (int) (tail % capacity);
    return ring.getInt(place + KEY_LENGTH) == NO_KEY ? -1 : find(ring.getInt(place + HASH), place);
  }

  /** Takes the oldest record out; true if it was read, and has moved to the front. */
  private boolean takeOldest() {
    int at = wordOfOldest();
    int place = (int) (tail % capacity);
    int keyLength = Math.max(0, ring.getInt(place + KEY_LENGTH));
    int valueLength = Math.max(0, ring.getInt(place + VALUE_LENGTH));
    boolean isRest = ring.getInt(place + KEY_LENGTH) == NO_KEY;
    int length = isRest ? valueLength : KEY + keyLength + valueLength;
    tail += align(length);
    if (at < 0) {
      return false;
    }
    int word = index.getInt(at);
    index.putInt(at, 0);
    return (word & READ) != 0 && moveToFront(bytes(place, length), tagOf(word));
  }

  private boolean moveToFront(byte[] record, int tag) {
    int size = align(record.length);
    if (!fits(size)) {
      return false;
    }
    int place = append(size);
    ByteBuffer to = ring.duplicate();
    to.position(place);
    to.put(record);
    setWord(ring.getInt(place + HASH), tag << PLACE_BITS | place / UNIT);
    return true;
  }

  /** Where the index has a record; negative if it has not. */
  private int find(int number, long hash, byte[] key) {
    int first = bucket((int) hash);
    int tag = tag(hash);
    for (int at = first; at < first + BUCKET_BYTES; at += WORD_BYTES) {
      int word = index.getInt(at);
      if (tagOf(word) == tag && isAt(place(word), number, key)) {
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

  private boolean isAt(int place, int number, byte[] key) {
    if (ring.getInt(place) != number || ring.getInt(place + KEY_LENGTH) != key.length) {
      return false;
    }
    for (int i = 0; i < key.length; i++) {
      if (ring.get(place + KEY + i) != key[i]) {
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

  private static int stripe(long hash) {
    return (int) (hash >>> STRIPE_SHIFT) & (STRIPES - 1);
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
