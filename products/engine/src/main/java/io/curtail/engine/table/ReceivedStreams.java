/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Streams whose rows Cassandra writes to a table, one received file after another: the first may
 * have a deletion and the last an older row that it deletes. As data files they would come to the
 * table all at once; so nothing is purged in it meanwhile.
 *
 * <p>Cassandra does not tell that a stream begins. But it writes each in a thread of a pool that
 * does nothing else, and that flushes the table when all is written, or the stream has failed: also
 * one whose session has failed before. What such a thread writes to views ends with the thread, a
 * minute after its last stream.
 *
 * <p>Thread-safe.
 */
public final class ReceivedStreams {
  /** How the threads of Cassandra's pool are called. */
  private static final String WRITERS = "StreamReceiveTask";

  private final Set<Thread> writing = ConcurrentHashMap.newKeySet();

  /** Before this thread writes to the table; whether it writes a stream. */
  public boolean writing() {
    Thread thread = Thread.currentThread();
    boolean isOfStream = thread.getName().startsWith(WRITERS);
    if (isOfStream) {
      writing.add(thread);
    }
    return isOfStream;
  }

  /** This thread has written all of its stream. */
  public void written() {
    writing.remove(Thread.currentThread());
  }

  /** Whether one goes on. */
  public boolean areAny() {
    if (!writing.isEmpty()) {
      writing.removeIf(thread -> !thread.isAlive());
    }
    return !writing.isEmpty();
  }
}
