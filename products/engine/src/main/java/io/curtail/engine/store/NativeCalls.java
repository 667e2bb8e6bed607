/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.io.IOException;
import java.nio.file.Path;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.MergeOperator;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteOptions;

/**
 * What the C library does: it merges fragments, inside RocksDB and in what is kept beside it, and
 * reads and writes many records in one call. Thread-safe, but for what is done with one iterator.
 */
public abstract class NativeCalls extends MergeOperator {
  /** What {@link #get} returns if it failed. */
  public static final byte[] FAILED = {};

  /** Loads the C library. */
  public interface Loader {
    /**
     * The library, for the rocksdbjni that was loaded from a folder.
     *
     * @throws IOException if there is none for this platform, or it cannot be unpacked
     * @throws UnsatisfiedLinkError if it does not load, or rocksdbjni is not what it needs
     */
    NativeCalls load(Path libraries) throws IOException;
  }

  /**
   * @param handle of the merge operator that RocksDB's C++ has
   */
  protected NativeCalls(long handle) {
    super(handle);
  }

  /**
   * Takes records from where an iterator stands, and moves it behind them.
   *
   * @param bound where to stop, which does not count; null for the end
   * @param mostBytes of records, after which no other is added
   * @return whether there are more, then of each record the lengths of key and value, and both;
   *     null if memory is short
   */
  public abstract byte[] takeRecords(
      long iterator, byte[] bound, boolean reversed, int mostRecords, int mostBytes);

  /**
   * The record of a key, where RocksDB's Java throws an exception of C++ for one that is not there.
   *
   * @return null if there is none; {@link #FAILED}, that very array, if it failed: what, can be had
   *     from RocksDB's Java
   */
  public abstract byte[] get(
      RocksDB database, ReadOptions reading, ColumnFamilyHandle family, byte[] key);

  /**
   * Writes the batch that an array begins with: one call, where RocksDB's Java has three.
   *
   * @return whether it was written; what failed can be had from another attempt
   */
  public abstract boolean writeBatch(
      RocksDB database, WriteOptions writing, byte[] batch, int size);

  /**
   * Merges a fragment into a value that lies outside of the heap.
   *
   * @param value its address
   * @param room for it, in bytes
   * @param fragments an array that has the fragment, with its length
   * @return the new length; negative if there is no room, no memory, or one of them is damaged:
   *     then the value is as it was
   */
  public abstract int merge(
      long value, int length, int room, byte[] fragments, int from, int fragmentLength);

  /**
   * Sets how large a cache may be; if it is larger, it gets smaller when something comes in.
   *
   * @return whether that can be set
   */
  public abstract boolean setCapacity(Cache cache, long bytes);

  /** Has the statistics of these options count, and measure nothing. */
  public abstract void countOnly(Options measured);
}
