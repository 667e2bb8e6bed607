/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.options;

import java.nio.file.Path;
import org.apache.cassandra.config.Config.MemtableAllocationType;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What RocksDB takes of the memory that the node may use, where its configuration does not say: of
 * what the heap and Cassandra's own memory outside of it leave, half, and a quarter of that for
 * write buffers. The other half is for the system's cache of files. Immutable.
 */
public final class MemoryShares {
  private static final Logger logger = LoggerFactory.getLogger(MemoryShares.class);

  /** Of the virtual machine, beside the heap: code, classes, stacks, buffers. */
  private static final long JVM_BYTES = 256L << 20;

  private static final long LEAST_CACHE = 32L << 20;
  private static final long MOST_CACHE = 1L << 40;
  private static final long LEAST_BUFFERS = 8L << 20;

  /** Where nothing tells how much memory there is. */
  private static final long USUAL_CACHE = 256L << 20;

  /** Of the block cache, of which write buffers are part. */
  public final long blockCacheBytes;

  private final ProcessMemory memory;
  private final long heapBytes;

  /**
   * @param heapBytes how large the heap may be
   * @param otherBytes what Cassandra may take outside of the heap, without the engine
   */
  MemoryShares(ProcessMemory memory, long heapBytes, long otherBytes) {
    this.memory = memory;
    this.heapBytes = heapBytes;
    long left = memory.bytes - heapBytes - otherBytes - JVM_BYTES;
    long half = memory.bytes < 0 ? USUAL_CACHE : left / 2;
    blockCacheBytes = inMebibytes(Math.min(MOST_CACHE, Math.max(LEAST_CACHE, half)));
  }

  /** Of this process. */
  public static MemoryShares ofProcess() {
    return new MemoryShares(
        ProcessMemory.of(Path.of("/")), Runtime.getRuntime().maxMemory(), ofCassandra());
  }

  private static long ofCassandra() {
    long mebibytes = DatabaseDescriptor.getNetworkingCacheSizeInMiB();
    if (DatabaseDescriptor.getFileCacheEnabled()) {
      mebibytes += DatabaseDescriptor.getFileCacheSizeInMiB();
    }
    MemtableAllocationType type = DatabaseDescriptor.getMemtableAllocationType();
    if (type == MemtableAllocationType.offheap_buffers
        || type == MemtableAllocationType.offheap_objects) {
      mebibytes += DatabaseDescriptor.getMemtableOffheapSpaceInMiB();
    }
    return mebibytes << 20;
  }

  /**
   * Of all write buffers together.
   *
   * @param blockCacheBytes that they are part of
   * @param logBytes more than which no buffer is kept for long, since its log must go
   */
  static long writeBuffers(long blockCacheBytes, long logBytes) {
    long quarter = Math.max(LEAST_BUFFERS, blockCacheBytes / 4);
    return inMebibytes(Math.max(1 << 20, Math.min(quarter, Math.min(blockCacheBytes, logBytes))));
  }

  /**
   * Of records that are read again and again, at most; with the write buffers' quarter as much is
   * left for blocks.
   */
  static long recordCache(long blockCacheBytes) {
    return inMebibytes(blockCacheBytes / 8 * 3);
  }

  /** Says what RocksDB has; warns if the node may not use as much. */
  public static void log(EngineOptions options) {
    MemoryShares node = ofProcess();
    logger.info(
        "RocksDB takes up to {} MiB, of which up to {} MiB for write buffers and {} for rows that are read;"
            + " the heap up to {} MiB; the node may use {}",
        options.blockCacheBytes >> 20,
        options.writeBuffersBytes >> 20,
        options.recordCacheBytes >> 20,
        node.heapBytes >> 20,
        node.memory);
    if (node.areExceededBy(options.blockCacheBytes)) {
      logger.warn(
          "block_cache and the heap are more than the node may use, so the system may kill it:"
              + " make one of them smaller");
    }
  }

  boolean areExceededBy(long cacheBytes) {
    return memory.bytes >= 0 && cacheBytes > memory.bytes - heapBytes - JVM_BYTES;
  }

  private static long inMebibytes(long bytes) {
    return bytes >> 20 << 20;
  }
}
