/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.session.Request;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The requests that wait for two nodes, found by the request itself: all that the driver's tracker
 * is given. Bounded, because the driver does not say when a request is cancelled; what is pushed
 * out is not counted as won, and costs what it was estimated at. Thread-safe, lock-free.
 */
final class CopiesInFlight {
  private static final int SLOTS = 256;
  private static final long FORGOTTEN_AFTER_NANOS = 60_000_000_000L;

  private final AtomicReferenceArray<Copy> slots = new AtomicReferenceArray<>(SLOTS);
  private final AtomicInteger count = new AtomicInteger();

  void add(Copy copy) {
    if (slots.getAndSet(slot(copy.request), copy) == null && count.incrementAndGet() > SLOTS / 2) {
      forgetOld(copy.atNanos);
    }
  }

  /** Returns and forgets the copy of a request; null if there is none. */
  @Nullable
  Copy take(Request request) {
    Copy copy = find(request);
    return copy != null && remove(slot(request), copy) ? copy : null;
  }

  /** Returns the copy of a request; null if there is none. */
  @Nullable
  Copy find(Request request) {
    Copy copy = count.get() == 0 ? null : slots.get(slot(request));
    return copy != null && copy.request == request ? copy : null;
  }

  private boolean remove(int slot, Copy copy) {
    boolean removed = slots.compareAndSet(slot, copy, null);
    if (removed) {
      count.decrementAndGet();
    }
    return removed;
  }

  private void forgetOld(long now) {
    for (int slot = 0; slot < SLOTS; slot++) {
      Copy copy = slots.get(slot);
      if (copy != null && now - copy.atNanos > FORGOTTEN_AFTER_NANOS) {
        remove(slot, copy);
      }
    }
  }

  private static int slot(Request request) {
    int hash = System.identityHashCode(request);
    return (hash ^ (hash >>> 8)) & (SLOTS - 1);
  }
}
