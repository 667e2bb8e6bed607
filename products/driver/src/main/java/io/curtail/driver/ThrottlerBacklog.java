/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.session.throttling.Throttled;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The requests of a session that wait, bounded, in a line for each replica group. Replica groups
 * overlap, so the lines are served by the age of their heads: a slot that gets free goes to the one
 * that has waited longest for it. Each request leaves exactly once: whoever removes it decides what
 * becomes of it. Thread-safe; the lock is never held while anything else is called.
 */
final class ThrottlerBacklog {
  private static final Comparator<WaitingRequest> BY_AGE =
      Comparator.comparingLong(waiting -> waiting.order);

  /** A look at all that wait, for each request that finds no place, would be much work. */
  private static final long LOOK_INTERVAL_NANOS = 10_000_000;

  /** What became of a request that was to wait. */
  enum Outcome {
    WAITS,
    FULL,
    CLOSED
  }

  private final int capacity;
  private final Map<Throttled, WaitingRequest> all = new ConcurrentHashMap<>();
  private final Map<Object, LinkedHashSet<WaitingRequest>> lines = new HashMap<>();
  private final LongAdder waitedNanos = new LongAdder();
  private volatile int size;
  private volatile boolean closed;
  private volatile long admitted;
  private final LongAdder refused = new LongAdder();
  private final AtomicLong lookedAtNanos = new AtomicLong(System.nanoTime() - LOOK_INTERVAL_NANOS);

  ThrottlerBacklog(int capacity) {
    this.capacity = capacity;
  }

  Outcome add(WaitingRequest waiting) {
    Outcome outcome = tryAdd(waiting);
    if (outcome == Outcome.FULL && removeThoseOver()) {
      outcome = tryAdd(waiting);
    }
    if (outcome != Outcome.WAITS) {
      waiting.ended();
    }
    if (outcome == Outcome.FULL) {
      refused.increment();
    }
    return outcome;
  }

  /** Returns whether there were any; not more often than it is worth. */
  private boolean removeThoseOver() {
    long now = System.nanoTime();
    long last = lookedAtNanos.get();
    if (now - last < LOOK_INTERVAL_NANOS || !lookedAtNanos.compareAndSet(last, now)) {
      return false;
    }
    boolean any = false;
    for (WaitingRequest waiting : all.values()) {
      any |= waiting.isOver() && remove(waiting.throttled);
    }
    return any;
  }

  private synchronized Outcome tryAdd(WaitingRequest waiting) {
    if (closed) {
      return Outcome.CLOSED;
    }
    if (all.size() >= capacity) {
      return Outcome.FULL;
    }
    waiting.order = admitted++;
    all.put(waiting.throttled, waiting);
    lines.computeIfAbsent(waiting.group, group -> new LinkedHashSet<>()).add(waiting);
    size = all.size();
    return Outcome.WAITS;
  }

  /** Returns false if it did not wait; then it waits for no lock either. */
  boolean remove(Throttled throttled) {
    WaitingRequest removed = all.containsKey(throttled) ? unlink(throttled) : null;
    if (removed == null) {
      return false;
    }
    removed.ended();
    waitedNanos.add(System.nanoTime() - removed.sinceNanos);
    return true;
  }

  @Nullable
  private synchronized WaitingRequest unlink(Throttled throttled) {
    WaitingRequest removed = all.remove(throttled);
    if (removed != null) {
      LinkedHashSet<WaitingRequest> line = lines.get(removed.group);
      line.remove(removed);
      if (line.isEmpty()) {
        lines.remove(removed.group);
      }
      size = all.size();
    }
    return removed;
  }

  /** Returns the first of each line, the oldest first. */
  synchronized PriorityQueue<WaitingRequest> heads() {
    PriorityQueue<WaitingRequest> heads = new PriorityQueue<>(Math.max(1, lines.size()), BY_AGE);
    lines.values().forEach(line -> heads.add(line.iterator().next()));
    return heads;
  }

  /** Returns the first of the line that the request is or was in; null if it is empty. */
  @Nullable
  synchronized WaitingRequest headOfLine(WaitingRequest waiting) {
    LinkedHashSet<WaitingRequest> line = lines.get(waiting.group);
    return line == null ? null : line.iterator().next();
  }

  /** Lets none wait from now on. Returns those that did; each is to be removed. */
  synchronized List<Throttled> close() {
    closed = true;
    return new ArrayList<>(all.keySet());
  }

  boolean isClosed() {
    return closed;
  }

  int size() {
    return size;
  }

  /** Returns how many have waited or wait. */
  long admitted() {
    return admitted;
  }

  /** Returns how many could not, because the backlog was full. */
  long refused() {
    return refused.sum();
  }

  /** Returns how long those have waited that wait no longer, in all. */
  long waitedNanos() {
    return waitedNanos.sum();
  }
}
