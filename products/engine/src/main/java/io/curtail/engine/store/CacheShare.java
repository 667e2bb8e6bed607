/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import org.rocksdb.Cache;

/**
 * What RocksDB's block cache gives to a {@link RecordCache}: what blocks do not have, or have left.
 * It does not come back. Thread-safe.
 */
class CacheShare {
  private final Cache blocks;
  private final NativeCalls calls;

  /** Of both. */
  private final long bytes;

  private long given;

  /**
   * @param blocks the block cache, made for all of the memory
   * @param calls that change its size
   */
  CacheShare(Cache blocks, NativeCalls calls, long bytes) {
    this.blocks = blocks;
    this.calls = calls;
    this.bytes = bytes;
  }

  /** Gives so much while there are no blocks yet. */
  synchronized void takeFirst(long more) {
    given += more;
    calls.setCapacity(blocks, bytes - given);
  }

  /**
   * Whether so many bytes more are given. Where blocks have them, they are asked to leave if the
   * records are of use: the block cache is made smaller, which it will be as other blocks come in.
   */
  synchronized boolean take(int more, boolean isOfUse) {
    long left = bytes - given - more;
    boolean isFree = blocks.getUsage() <= left;
    if (left < 0 || !(isFree || isOfUse)) {
      return false;
    }
    calls.setCapacity(blocks, left);
    given += isFree ? more : 0;
    return isFree;
  }
}
