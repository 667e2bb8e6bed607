/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.codec.Keys;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.rocksdb.ColumnFamilyHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Single records that are read again and again, as a lookup found them: in one piece, with their
 * fragments merged; also that there is none, and all records of a small partition that was read
 * whole. RocksDB looks for a key in all write buffers, and then in the filter, index and block of
 * each run that may have it; here it is one place.
 *
 * <p>No reader gets a record that is older than the last write that was acknowledged: a writer
 * {@linkplain #begin begins} before RocksDB has the write, which takes the record out, and until it
 * {@linkplain #end ends} nothing is kept that a reader has found meanwhile, nor what it looked for
 * before. Both are counted for many small parts of the cache. Where records come in another way, as
 * files do, {@link Family} changes the number that the cache knows it by.
 *
 * <p>Outside of the heap. Thread-safe.
 */
public final class RecordCache {
  private static final Logger logger = LoggerFactory.getLogger(RecordCache.class);

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** A smaller one is none. */
  private static final long LEAST_BYTES = 1 << 20;

  private static final int USUAL_SEGMENTS = 256;

  private final RecordSegment[] segments;
  private final int shift;

  private RecordCache(RecordSegment[] segments) {
    this.segments = segments;
    shift = Long.SIZE - 1 - Integer.numberOfTrailingZeros(segments.length);
  }

  /**
   * Makes one, which keeps nothing if it may have too little memory or the system has none.
   *
   * @param bytes that it may have
   */
  static RecordCache allocate(long bytes) {
    if (bytes < LEAST_BYTES) {
      return new RecordCache(new RecordSegment[0]);
    }
    RecordSegment[] segments = new RecordSegment[segments(bytes)];
    int each = (int) Math.min(RecordSegment.MOST_BYTES, bytes / segments.length);
    for (int i = 0; i < segments.length; i++) {
      segments[i] = RecordSegment.allocate(each);
      if (segments[i] == null) {
        for (int j = 0; j < i; j++) {
          segments[j].free();
        }
        logger.warn("There is no memory for record_cache, of {} MiB: none is used", bytes >> 20);
        return new RecordCache(new RecordSegment[0]);
      }
    }
    return new RecordCache(segments);
  }

  /** A power of two: of a MiB or more, and no more than there must be. */
  private static int segments(long bytes) {
    int segments = 1;
    while (bytes / segments > RecordSegment.MOST_BYTES
        || (segments < USUAL_SEGMENTS && bytes / (2L * segments) >= LEAST_BYTES)) {
      segments *= 2;
    }
    return segments;
  }

  /** Of a key in a column family, by its number. */
  static long hash(int family, byte[] key) {
    long hash = family * 0x9E3779B97F4A7C15L;
    int at = 0;
    for (; at + Long.BYTES <= key.length; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(key, at));
    }
    long rest = key.length;
    for (; at < key.length; at++) {
      rest = (rest << Byte.SIZE) | (key[at] & 0xFF);
    }
    return mix(mix(hash ^ rest));
  }

  /** A step of Murmur3's last (Appleby, 2011). */
  private static long mix(long hash) {
    long mixed = (hash ^ hash >>> 33) * 0xFF51AFD7ED558CCDL;
    return mixed ^ mixed >>> 33;
  }

  private RecordSegment of(long hash) {
    // In two steps: with one segment it would be none.
    return segments[(int) (hash >>> 1 >>> shift)];
  }

  /** What is asked for a record that is not here. */
  interface Lookup {
    /** The record of a key; null if there is none. */
    byte[] get(ColumnFamilyHandle family, byte[] key);
  }

  /** The record of a key, from here or as it is looked up; null if there is none. */
  byte[] find(Family family, byte[] key, Lookup lookup) {
    int number = segments.length == 0 ? 0 : family.cacheNumber();
    if (number == 0) {
      return lookup.get(family.handle, key);
    }
    long hash = hash(family.number, key);
    RecordSegment segment = of(hash);
    byte[] kept = segment.get(number, hash, key);
    if (kept != null) {
      return kept == RecordSegment.ABSENT ? null : kept;
    }
    long mark = segment.mark(hash);
    byte[] found = lookup.get(family.handle, key);
    segment.put(number, hash, key, found, mark);
    return found;
  }

  /**
   * The place of all records of a partition, which its reader makes one of; null while nothing may
   * be kept.
   *
   * @param kind what the records are, which others of the partition may not be
   */
  public Place ofPartition(Family family, byte[] partition, int kind) {
    int number = segments.length == 0 ? 0 : family.cacheNumber();
    return number == 0
        ? null
        : new Place(number, hash(family.number, partition), Keys.record(partition, kind));
  }

  /** Where something is kept, or may be. For one thread. */
  public final class Place {
    private final int number;
    private final long hash;
    private final byte[] key;
    private long mark;

    private Place(int number, long hash, byte[] key) {
      this.number = number;
      this.hash = hash;
      this.key = key;
    }

    /**
     * Copies what is there. If nothing is, what is read from now on may be kept.
     *
     * @return its length; negative if nothing is there
     */
    public int get(byte[] into) {
      RecordSegment segment = of(hash);
      int length = segment.get(number, hash, key, into);
      mark = length < 0 ? segment.mark(hash) : -1;
      return length;
    }

    /** Whether what was not there may be kept: not while the partition is written. */
    public boolean mayKeep() {
      return mark >= 0;
    }

    /** Keeps what was read, unless the partition was written since, or it is large. */
    public void keep(byte[] value) {
      of(hash).put(number, hash, key, value, mark);
    }
  }

  /**
   * A batch is about to be written; {@link #end} must follow, and the batch be the same.
   *
   * @param partitions that it is of
   */
  void begin(Batch batch, List<byte[]> partitions) {
    if (segments.length > 0) {
      for (int i = 0; i < batch.count(); i++) {
        begin(batch.hash(i));
      }
      for (int family : batch.families()) {
        for (byte[] partition : partitions) {
          begin(hash(family, partition));
        }
      }
    }
  }

  private void begin(long hash) {
    of(hash).begin(hash);
  }

  /** It was written, or could not be. */
  void end(Batch batch, List<byte[]> partitions) {
    if (segments.length > 0) {
      for (int i = 0; i < batch.count(); i++) {
        end(batch.hash(i));
      }
      for (int family : batch.families()) {
        for (byte[] partition : partitions) {
          end(hash(family, partition));
        }
      }
    }
  }

  private void end(long hash) {
    of(hash).end(hash);
  }

  /** Lookups that found a record here. */
  public long hits() {
    return sum(RecordSegment::hits);
  }

  /** Lookups that did not, and went to RocksDB. */
  public long misses() {
    return sum(RecordSegment::misses);
  }

  /** Of its memory, what was used yet. */
  public long bytes() {
    return sum(RecordSegment::bytes);
  }

  private long sum(ToLongFunction<RecordSegment> of) {
    return Arrays.stream(segments).mapToLong(of).sum();
  }
}
