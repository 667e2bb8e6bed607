/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.cassandra.utils.memory.MemoryUtil;

/**
 * Where the ring of a {@link RecordSegment} has the records of a hash. It has buckets of eight
 * words; a word has a bit for "was read", eleven of the hash, and the place in the ring. A record
 * that finds its bucket full takes the place of another. Not thread-safe.
 */
final class RecordIndex {
  /** The places of a ring are so many bytes apart, and a word has room for so many places. */
  static final int UNIT = 16;

  static final int PLACE_BITS = 20;

  private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;
  private static final int READ = 1 << 31;
  private static final int TAGS = (1 << 11) - 1;

  private static final int WAYS = 8;
  private static final int WORD_BYTES = 4;
  private static final int BUCKET_BYTES = WAYS * WORD_BYTES;

  /** Smaller records than this leave a part of the ring empty. */
  private static final int BYTES_A_WORD = 128;

  private final ByteBuffer words;
  private final int bucketMask;
  private int nextVictim;

  /**
   * An empty one.
   *
   * @param memory where it begins
   * @param bytes of memory for it and its ring
   */
  RecordIndex(long memory, int bytes) {
    int count = Integer.highestOneBit(2 * (bytes / BYTES_A_WORD) - 1);
    words = MemoryUtil.getByteBuffer(memory, count * WORD_BYTES, ByteOrder.nativeOrder());
    MemoryUtil.setByte(memory, count * WORD_BYTES, (byte) 0);
    bucketMask = words.capacity() / BUCKET_BYTES - 1;
  }

  /** What it takes of the memory. */
  int bytes() {
    return words.capacity();
  }

  /** Where there is something that may be of this hash; negative if there is nothing. */
  int first(long hash) {
    int bucket = bucket((int) hash);
    return next(hash, bucket, bucket);
  }

  /** Where there is more after that. */
  int next(long hash, int at) {
    return next(hash, at + WORD_BYTES, bucket((int) hash));
  }

  private int next(long hash, int from, int bucket) {
    int tag = tag(hash);
    for (int at = from; at < bucket + BUCKET_BYTES; at += WORD_BYTES) {
      if ((words.getInt(at) >>> PLACE_BITS & TAGS) == tag) {
        return at;
      }
    }
    return -1;
  }

  /**
   * Where the record at a place in the ring is known; negative if it is not.
   *
   * @param hash the low bits of it
   */
  int find(int hash, int place) {
    int first = bucket(hash);
    for (int at = first; at < first + BUCKET_BYTES; at += WORD_BYTES) {
      int word = words.getInt(at);
      if (word != 0 && placeOf(word) == place) {
        return at;
      }
    }
    return -1;
  }

  /** In the ring. */
  int place(int at) {
    return placeOf(words.getInt(at));
  }

  private static int placeOf(int word) {
    return (word & PLACE_MASK) * UNIT;
  }

  boolean isRead(int at) {
    return (words.getInt(at) & READ) != 0;
  }

  void setRead(int at) {
    int word = words.getInt(at);
    if ((word & READ) == 0) {
      words.putInt(at, word | READ);
    }
  }

  void remove(int at) {
    words.putInt(at, 0);
  }

  /** All that may be of a hash; perhaps another's, which is no harm. */
  void removeAll(long hash) {
    for (int at = first(hash); at >= 0; at = next(hash, at)) {
      remove(at);
    }
  }

  /** Adds a record that nobody has read yet. */
  void add(long hash, int place) {
    add((int) hash, tag(hash) << PLACE_BITS | place / UNIT);
  }

  /** Where there is none, else in place of one that was not read, else of any. */
  private void add(int hash, int word) {
    int first = bucket(hash);
    int best = -1;
    int rank = 0;
    for (int at = first; at < first + BUCKET_BYTES; at += WORD_BYTES) {
      int other = words.getInt(at);
      int itsRank = other == 0 ? 2 : (other & READ) == 0 ? 1 : 0;
      if (itsRank > rank) {
        best = at;
        rank = itsRank;
      }
    }
    if (best < 0) {
      best = first + (nextVictim++ & (WAYS - 1)) * WORD_BYTES;
    }
    words.putInt(best, word);
  }

  /** A record has moved, and nobody has read it since. */
  void move(int at, int place) {
    int word = words.getInt(at);
    words.putInt(at, (word & TAGS << PLACE_BITS) | place / UNIT);
  }

  private int bucket(int hash) {
    return (hash & bucketMask) * BUCKET_BYTES;
  }

  /** Never zero, as an empty word has it. */
  private static int tag(long hash) {
    return 1 + (int) ((hash >>> 32 & 0xFFFFF) % TAGS);
  }
}
