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
 * {@linkplain #begin begins} before RocksDB has the write, and until it {@linkplain #end ends}
 * nothing is answered from here that it changes, nor kept that a reader has found meanwhile or
 * looked for before. The latter is counted for many small parts of the cache. At the end the write
 * is made here, too, if no other was of the same record meanwhile, and if there is room; else the
 * record goes, as does a partition at the beginning. Where records come in another way, as files
 * do, {@link Family} changes the number that the cache knows it by.
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

  /** Of a column family of which nothing may be kept at present. */
  private static final long NO_NAME = 0;

  private final RecordSegment[] segments;
  private final NativeCalls calls;
  private final Lookup lookup;
  private final int shift;

  private final KnownFamilies known;

  private RecordCache(
      RecordSegment[] segments, KnownFamilies known, NativeCalls calls, Lookup lookup) {
    this.segments = segments;
    this.known = known;
    this.calls = calls;
    this.lookup = lookup;
    shift = Long.SIZE - 1 - Integer.numberOfTrailingZeros(segments.length);
  }

  /**
   * Makes one, which keeps nothing if it may have too little memory or the system has none.
   *
   * @param bytes that it may have at most
   * @param share that gives them; null if they are set apart
   * @param calls that merge; null if there are none
   * @param lookup of what is not here
   */
  static RecordCache allocate(long bytes, CacheShare share, NativeCalls calls, Lookup lookup) {
    KnownFamilies known = new KnownFamilies();
    if (bytes < LEAST_BYTES) {
      return new RecordCache(new RecordSegment[0], known, calls, lookup);
    }
    RecordSegment[] segments = new RecordSegment[segments(bytes)];
    int each = (int) Math.min(RecordSegment.MOST_BYTES, bytes / segments.length);
    for (int i = 0; i < segments.length; i++) {
      segments[i] = RecordSegment.allocate(each, share, known);
      if (segments[i] == null) {
        for (int j = 0; j < i; j++) {
          segments[j].free();
        }
        logger.warn("There is no memory for record_cache, of {} MiB: none is used", bytes >> 20);
        return new RecordCache(new RecordSegment[0], known, calls, lookup);
      }
    }
    if (share != null) {
      share.takeFirst(Arrays.stream(segments).mapToLong(RecordSegment::firstBytes).sum());
    }
    return new RecordCache(segments, known, calls, lookup);
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
    return hash(family, key, 0, key.length);
  }

  /** The same of a key among other bytes. */
  static long hash(int family, byte[] bytes, int from, int length) {
    long hash = family * 0x9E3779B97F4A7C15L;
    int end = from + length;
    int at = from;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(bytes, at));
    }
    long rest = length;
    for (; at < end; at++) {
      rest = (rest << Byte.SIZE) | (bytes[at] & 0xFF);
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

  /** The record of a key, which may be read again soon; null if there is none. */
  public byte[] find(Family family, byte[] key) {
    return find(family, key, lookup, true);
  }

  /** The same, for who is about to write it: what is looked up is not kept. */
  public byte[] findOnce(Family family, byte[] key) {
    return find(family, key, lookup, false);
  }

  byte[] find(Family family, byte[] key, Lookup lookup, boolean keeps) {
    long name = name(family);
    if (name == NO_NAME || !(keeps || known.has(family.number))) {
      return lookup.get(family.handle, key);
    }
    long hash = hash(family.number, key);
    RecordSegment segment = of(hash);
    byte[] kept = segment.get(name, hash, key);
    if (kept != null && name == name(family)) {
      return kept == RecordSegment.ABSENT ? null : kept;
    }
    long mark = keeps ? segment.mark(hash) : -1;
    byte[] found = lookup.get(family.handle, key);
    if (mark >= 0) {
      segment.put(name, hash, key, found, mark);
    }
    return found;
  }

  /** Of a column family, with the number by which it is known at present. */
  private long name(Family family) {
    int number = segments.length == 0 ? 0 : family.cacheNumber();
    return number == 0 ? NO_NAME : RecordSegment.name(family.number, number);
  }

  /**
   * The place of all records of a partition, which its reader makes one of; null while nothing may
   * be kept.
   *
   * @param kind what the records are, which others of the partition may not be
   */
  public Place ofPartition(Family family, byte[] partition, int kind) {
    long name = name(family);
    return name == NO_NAME
        ? null
        : new Place(family, name, hash(family.number, partition), partition, kind);
  }

  /** Where something is kept, or may be. For one thread. */
  public final class Place {
    private final Family family;
    private final long name;
    private final long hash;
    private final byte[] key;
    private long mark = -1;

    private Place(Family family, long name, long hash, byte[] partition, int kind) {
      this.family = family;
      this.name = name;
      this.hash = hash;
      key = Keys.record(partition, kind);
    }

    /**
     * Copies what is there. If nothing is, what is read from now on may be kept.
     *
     * @return its length; negative if nothing is there
     */
    public int get(byte[] into) {
      RecordSegment segment = of(hash);
      int length = segment.get(name, hash, key, into);
      if (length >= 0 && name == name(family)) {
        return length;
      }
      mark = segment.mark(hash);
      return -1;
    }

    /** Whether what was not there may be kept: not while the partition is written. */
    public boolean mayKeep() {
      return mark >= 0;
    }

    /** Keeps what was read, unless the partition was written since, or it is large. */
    public void keep(byte[] value) {
      of(hash).put(name, hash, key, value, mark);
    }
  }

  /**
   * A batch is about to be written; {@link #end} must follow, and the batch be the same.
   *
   * @param partitions that it is of, as far as they may be kept whole
   */
  void begin(Batch batch, List<byte[]> partitions) {
    if (segments.length == 0) {
      return;
    }
    BatchChanges changes = batch.changes();
    while (changes.next()) {
      long hash = changes.hash();
      of(hash).begin(hash, changes);
    }
    for (int family : batch.families()) {
      for (byte[] partition : partitions) {
        long hash = hash(family, partition);
        of(hash).begin(hash, family);
      }
    }
  }

  /**
   * What began has ended.
   *
   * @param isWritten false if it could not be written
   */
  void end(Batch batch, List<byte[]> partitions, boolean isWritten) {
    if (segments.length == 0) {
      return;
    }
    BatchChanges changes = batch.changes();
    while (changes.next()) {
      long hash = changes.hash();
      of(hash).end(hash, changes, isWritten, calls);
    }
    for (int family : batch.families()) {
      for (byte[] partition : partitions) {
        long hash = hash(family, partition);
        of(hash).end(hash);
      }
    }
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
