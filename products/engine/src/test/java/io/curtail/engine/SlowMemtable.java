/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.cassandra.db.memtable.Memtable;

/** A memtable configuration that takes as long to be made as a test wants. */
public final class SlowMemtable {
  static final CountDownLatch BEGUN = new CountDownLatch(1);
  static final CountDownLatch MAY_END = new CountDownLatch(1);

  private SlowMemtable() {}

  /** What Cassandra calls, under the lock of its configurations. */
  public static Memtable.Factory factory(Map<String, String> parameters) {
    BEGUN.countDown();
    Uninterruptibles.awaitUninterruptibly(MAY_END);
    throw new IllegalStateException("made for a test");
  }
}
