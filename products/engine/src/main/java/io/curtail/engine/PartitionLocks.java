/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.Arrays;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Striped locks over the partitions of one table. Writers that only add share a stripe; whoever
 * reads a record to write it back has it alone.
 */
final class PartitionLocks {
  private static final int STRIPES = 1024;

  private final ReentrantReadWriteLock[] stripes = new ReentrantReadWriteLock[STRIPES];

  PartitionLocks() {
    Arrays.setAll(stripes, i -> new ReentrantReadWriteLock());
  }

  Lock shared(byte[] partition) {
    return stripe(partition).readLock();
  }

  Lock exclusive(byte[] partition) {
    return stripe(partition).writeLock();
  }

  private ReentrantReadWriteLock stripe(byte[] partition) {
    int hash = Arrays.hashCode(partition) * 0x9E3779B9;
    return stripes[hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(STRIPES))];
  }
}
