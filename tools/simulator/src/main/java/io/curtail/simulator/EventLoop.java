/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import java.util.Arrays;

/**
 * Simulated time, and what happens when. Events of the same instant happen in the order in which
 * they were scheduled. Not thread-safe.
 *
 * <p>A four-ary implicit heap on two arrays of longs (time; order of scheduling and slot), so that
 * a sift moves no references and a node's children share a cache line. What an event is lies still
 * in its slot.
 */
public final class EventLoop {
  private static final int ARITY_BITS = 2;
  private static final int SLOT_BITS = 24;
  private static final long SLOT_MASK = (1L << SLOT_BITS) - 1;

  private long[] times = new long[1 << 10];
  private long[] keys = new long[1 << 10];
  private Actor[] actors = new Actor[1 << 10];
  private Object[] subjects = new Object[1 << 10];
  private int[] events = new int[1 << 10];
  private int[] free = new int[1 << 10];
  private int size;
  private int freeSlots;
  private int slots;
  private long scheduled;
  private long nowNanos;
  private long traceHash;

  /** Returns the simulated time in nanoseconds since the start. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Returns a hash of everything that happened, in order. */
  long traceHash() {
    return traceHash;
  }

  /** Lets the event happen at the given time, or now if that is past. */
  void at(long timeNanos, Actor actor, int event, Object subject) {
    int slot = freeSlots > 0 ? free[--freeSlots] : newSlot();
    actors[slot] = actor;
    subjects[slot] = subject;
    events[slot] = event;
    push(Math.max(timeNanos, nowNanos), scheduled++ << SLOT_BITS | slot);
  }

  void after(long delayNanos, Actor actor, int event, Object subject) {
    at(nowNanos + delayNanos, actor, event, subject);
  }

  private int newSlot() {
    if (slots > SLOT_MASK) {
      throw new IllegalStateException("more than 16 million events are pending: overload");
    }
    if (slots == actors.length) {
      actors = Arrays.copyOf(actors, 2 * slots);
      subjects = Arrays.copyOf(subjects, 2 * slots);
      events = Arrays.copyOf(events, 2 * slots);
      free = Arrays.copyOf(free, 2 * slots);
    }
    return slots++;
  }

  private void push(long time, long key) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      keys = Arrays.copyOf(keys, 2 * size);
    }
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) >> ARITY_BITS;
      if (!before(time, key, times[parent], keys[parent])) {
        break;
      }
      times[hole] = times[parent];
      keys[hole] = keys[parent];
      hole = parent;
    }
    times[hole] = time;
    keys[hole] = key;
  }

  private static boolean before(long time, long key, long otherTime, long otherKey) {
    return time < otherTime || (time == otherTime && key < otherKey);
  }

  /** Lets the next event happen; returns false if there is none. */
  boolean step() {
    if (size == 0) {
      return false;
    }
    nowNanos = times[0];
    int slot = (int) (keys[0] & SLOT_MASK);
    pop();
    Actor actor = actors[slot];
    Object subject = subjects[slot];
    int event = events[slot];
    actors[slot] = null;
    subjects[slot] = null;
    free[freeSlots++] = slot;
    traceHash = (traceHash ^ (nowNanos + event)) * 0x9E3779B97F4A7C15L;
    actor.on(event, subject);
    return true;
  }

  private void pop() {
    size--;
    long time = times[size];
    long key = keys[size];
    int hole = 0;
    int child;
    while ((child = (hole << ARITY_BITS) + 1) < size) {
      int end = Math.min(child + (1 << ARITY_BITS), size);
      int least = child;
      for (int i = child + 1; i < end; i++) {
        if (before(times[i], keys[i], times[least], keys[least])) {
          least = i;
        }
      }
      if (!before(times[least], keys[least], time, key)) {
        break;
      }
      times[hole] = times[least];
      keys[hole] = keys[least];
      hole = least;
    }
    times[hole] = time;
    keys[hole] = key;
  }
}
