/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.backlog;

import java.util.ArrayDeque;

/**
 * The requests of one replica group that no replica may get yet, first in first out, bounded in
 * length and in time: none waits past its own deadline.
 *
 * <p>The group is the token range's replica set, not the node that happens to rank first. At the
 * head the sender ranks again each time, so a request goes to the replica that is best when it
 * leaves. There is no timer here: the caller calls {@link #drain} when the time that it returned is
 * over, and after each response of the group.
 *
 * <p>Thread-safe; a lock, held while sending, keeps the order. Without rate control it is not used.
 *
 * @param <R> a request
 */
public final class Backlog<R> {
  /** {@link #drain}'s answer when nothing waits, or only a response can make room. */
  public static final long NOTHING_TO_WAIT_FOR = Long.MAX_VALUE;

  /**
   * Sends requests.
   *
   * @param <R> a request
   */
  public interface Sender<R> {
    /**
     * Ranks, and sends to the best replica that may get a request.
     *
     * @return 0 if it was sent, else the nanoseconds until the first replica of the group may get
     *     one
     */
    long trySend(R request, long nowNanos);

    /** The request's deadline passed while it waited. */
    void onExpired(R request, long nowNanos);
  }

  private static final class Waiting<R> {
    final R request;
    final long deadlineNanos;

    Waiting(R request, long deadlineNanos) {
      this.request = request;
      this.deadlineNanos = deadlineNanos;
    }
  }

  private final int capacity;
  private final Sender<R> sender;
  private final ArrayDeque<Waiting<R>> queue = new ArrayDeque<>();

  /**
   * @param capacity how many may wait, at least 0
   */
  public Backlog(int capacity, Sender<R> sender) {
    if (capacity < 0) {
      throw new IllegalArgumentException("a backlog's capacity must not be negative");
    }
    this.capacity = capacity;
    this.sender = sender;
  }

  /**
   * Sends the request, or lets it wait behind the others.
   *
   * @return false if it was not sent and the backlog is full: the caller decides what becomes of it
   */
  public synchronized boolean submit(R request, long deadlineNanos, long nowNanos) {
    drain(nowNanos);
    if (queue.isEmpty() && sender.trySend(request, nowNanos) == 0) {
      return true;
    }
    if (queue.size() >= capacity) {
      return false;
    }
    queue.add(new Waiting<>(request, deadlineNanos));
    return true;
  }

  /**
   * Sends what may go and drops what is late.
   *
   * @return the nanoseconds until it must be called again, or {@link #NOTHING_TO_WAIT_FOR}
   */
  public synchronized long drain(long nowNanos) {
    while (!queue.isEmpty()) {
      Waiting<R> head = queue.element();
      long left = head.deadlineNanos - nowNanos;
      if (left <= 0) {
        queue.remove();
        sender.onExpired(head.request, nowNanos);
        continue;
      }
      long wait = sender.trySend(head.request, nowNanos);
      if (wait > 0) {
        return Math.min(wait, left);
      }
      queue.remove();
    }
    return NOTHING_TO_WAIT_FOR;
  }

  /** Returns how many wait. */
  public synchronized int size() {
    return queue.size();
  }
}
