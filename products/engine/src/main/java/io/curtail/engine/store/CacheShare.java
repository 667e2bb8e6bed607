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

  /** Of write buffers, which are charged to the block cache: blocks keep as much at least. */
  private final long bufferBytes;

  private long given;

  /**
   * @param blocks the block cache, made for all of the memory
   * @param calls that change its size
   */
  CacheShare(Cache blocks, NativeCalls calls, long bytes, long bufferBytes) {
    this.blocks = blocks;
    this.calls = calls;
    this.bytes = bytes;
    this.bufferBytes = bufferBytes;
  }

  /** Gives so much before there are more than a few blocks. */
  synchronized void takeFirst(long more) {
    given += more;
    calls.setCapacity(blocks, bytes - given);
  }

  /**
   * Whether so many bytes more are given. What blocks would not use even if write buffers were full
   * is given in any case; else blocks are asked to leave if the records are of use: the block cache
   * is made smaller, which it will be as other blocks come in.
   */
  synchronized boolean take(int more, boolean isOfUse) {
    long left = bytes - given - more;
    long used = blocks.getUsage();
    if (left < bufferBytes
        || !(isOfUse || used + bufferBytes <= left)
        || !calls.setCapacity(blocks, left)
        || used > left) {
      return false;
    }
    given += more;
    return true;
  }
}
