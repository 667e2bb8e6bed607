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
 * is given; one statement may be executed several times at once. Bounded, because the driver does
 * not say when a request is cancelled: where there is no place, the oldest is pushed out, which
 * then is not counted as won and costs what it was estimated at. Thread-safe, lock-free.
 */
final class CopiesInFlight {
  private static final int SLOTS = 256;

  /** A request is in one of so many slots that follow each other. */
  private static final int PLACES = 8;

  private static final long FORGOTTEN_AFTER_NANOS = 60_000_000_000L;

  private final AtomicReferenceArray<CopiedRequest> slots = new AtomicReferenceArray<>(SLOTS);
  private final AtomicInteger count = new AtomicInteger();

  void add(CopiedRequest copy) {
    int first = firstSlot(copy.request);
    int chosen = first;
    long oldest = Long.MIN_VALUE;
    for (int place = 0; place < PLACES; place++) {
      int slot = slot(first, place);
      CopiedRequest other = slots.get(slot);
      if (other != null && other.request == copy.request && other.isOver()) {
        chosen = slot; // the same request is copied again
        break;
      }
      long age = other == null ? Long.MAX_VALUE : copy.atNanos - other.atNanos;
      if (age > oldest) {
        oldest = age;
        chosen = slot;
      }
    }
    if (slots.getAndSet(chosen, copy) == null) {
      added(copy);
    }
  }

  private void added(CopiedRequest copy) {
    if (count.incrementAndGet() > SLOTS / 2) {
      forgetOld(copy.atNanos);
    }
  }

  /** Forgets the copy of a request. */
  void forget(Request request, long now) {
    take(request, null, now - FORGOTTEN_AFTER_NANOS);
  }

  /**
   * Returns and forgets the copy of a request; null if there is none.
   *
   * @param answering the node that has answered, which the copy went to or was sent for; of several
   *     one that went there is taken; null for any copy
   * @param sinceNanos a copy that left before is of a request that the application gave up on,
   *     before it executed the same statement again; it is forgotten
   */
  @Nullable
  CopiedRequest take(Request request, @Nullable TrackedNode answering, long sinceNanos) {
    if (count.get() == 0) {
      return null;
    }
    int first = firstSlot(request);
    CopiedRequest found = null;
    int foundSlot = 0;
    for (int place = 0; place < PLACES; place++) {
      int slot = slot(first, place);
      CopiedRequest copy = slots.get(slot);
      if (copy == null || copy.request != request) {
        continue;
      }
      if (copy.atNanos - sinceNanos < 0) {
        remove(slot, copy);
      } else if (copy.target == answering
          || (found == null && (answering == null || copy.silent == answering))) {
        found = copy;
        foundSlot = slot;
      }
    }
    return found != null && remove(foundSlot, found) ? found : null;
  }

  /** Returns the copy that a node has given back, which is over now; null if there is none. */
  @Nullable
  CopiedRequest refusedBy(TrackedNode node, Request request) {
    if (count.get() == 0) {
      return null;
    }
    int first = firstSlot(request);
    for (int place = 0; place < PLACES; place++) {
      CopiedRequest copy = slots.get(slot(first, place));
      if (copy != null && copy.request == request && copy.target == node && copy.end()) {
        return copy;
      }
    }
    return null;
  }

  private boolean remove(int slot, CopiedRequest copy) {
    boolean removed = slots.compareAndSet(slot, copy, null);
    if (removed) {
      count.decrementAndGet();
    }
    return removed;
  }

  private void forgetOld(long now) {
    for (int slot = 0; slot < SLOTS; slot++) {
      CopiedRequest copy = slots.get(slot);
      if (copy != null && now - copy.atNanos > FORGOTTEN_AFTER_NANOS) {
        remove(slot, copy);
      }
    }
  }

  private static int slot(int first, int place) {
    return (first + place) & (SLOTS - 1);
  }

  private static int firstSlot(Request request) {
    int hash = System.identityHashCode(request);
    return (hash ^ (hash >>> 8)) & (SLOTS - 1);
  }
}
