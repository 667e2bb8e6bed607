/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.delay;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * How long one replica takes to answer this client, by its answers and by those that it owes.
 *
 * <p>The response time is an average that forgets by elapsed time: a sample that comes t after the
 * one before weighs {@code 1 - exp(-t / 50 ms)}, so that after a silence the first one counts in
 * full. An answer is overdue after {@value #OVERDUE_RESPONSE_TIMES} response times; from then on
 * each nanosecond of waiting is one more of delay.
 *
 * <p>Thread-safe without locks; allocates nothing. A sample that meets another thread in the middle
 * of recording is dropped. All times are monotonic nanoseconds of this host.
 */
public final class ReplicaDelay {
  private static final double AVERAGING_NANOS = 50e6;
  private static final int OVERDUE_RESPONSE_TIMES = 4;

  /** A replica that owes an answer is heard when it answers, so it is probed less often. */
  private static final int PROBE_INTERVALS_WHILE_WAITING = 10;

  /** Writing the time of each request would make threads wait for each other's caches. */
  private static final long LAST_SENT_GRAIN_NANOS = 1_000_000;

  private static final long NEVER = 0;

  private static final AtomicLongFieldUpdater<ReplicaDelay> LAST_SENT =
      AtomicLongFieldUpdater.newUpdater(ReplicaDelay.class, "lastSentNanos");

  private final AtomicInteger recording = new AtomicInteger();
  private volatile double responseTimeNanos;
  private volatile long waitingSinceNanos;
  private volatile long lastSentNanos;
  private long answeredAtNanos;

  /** A request leaves for the replica. */
  public void sent(long nowNanos) {
    long now = time(nowNanos);
    if (waitingSinceNanos == NEVER) {
      waitingSinceNanos = now;
    }
    long last = lastSentNanos;
    if (last == NEVER || now - last > LAST_SENT_GRAIN_NANOS) {
      lastSentNanos = now;
    }
  }

  /**
   * The replica answered well.
   *
   * @param elapsedNanos since the request left
   */
  public void answered(long elapsedNanos, long nowNanos) {
    waitingSinceNanos = NEVER;
    recordSample(elapsedNanos, nowNanos);
  }

  /**
   * The replica answered with an error of its own. A quick one does not make it look quick, a late
   * one, as its own timeout, makes it look slow.
   *
   * @param elapsedNanos since the request left
   */
  public void failed(long elapsedNanos, long nowNanos) {
    waitingSinceNanos = NEVER;
    double usual = responseTimeNanos;
    if (usual > 0 && elapsedNanos > usual) {
      recordSample(elapsedNanos, nowNanos);
    }
  }

  /** The replica answered, but the time it took says nothing of it. */
  public void heard() {
    waitingSinceNanos = NEVER;
  }

  private void recordSample(long elapsedNanos, long nowNanos) {
    if (!recording.compareAndSet(0, 1)) {
      return;
    }
    double before = responseTimeNanos;
    double sinceLast = Math.max(0, nowNanos - answeredAtNanos);
    double weight = before == 0 ? 1 : 1 - Math.exp(-sinceLast / AVERAGING_NANOS);
    responseTimeNanos = Math.max(1, before + weight * (elapsedNanos - before));
    answeredAtNanos = nowNanos;
    recording.set(0);
  }

  /** Returns the average response time; 0 before the first answer. */
  public double responseTimeNanos() {
    return responseTimeNanos;
  }

  /**
   * Returns how long an answer is expected to take by what is known now. To be asked by rankings:
   * one that sees nothing outstanding ends the wait for an answer that will not come.
   *
   * @param outstanding this client's requests that the replica has not answered
   * @param unknownNanos the response time of a replica that never answered
   */
  public double expectedNanos(int outstanding, double unknownNanos, long nowNanos) {
    double known = responseTimeNanos;
    double usual = known == 0 ? unknownNanos : known;
    long since = waitingSinceNanos;
    if (since == NEVER) {
      return usual;
    }
    if (outstanding == 0) {
      waitingSinceNanos = NEVER;
      return usual;
    }
    return usual + Math.max(0, nowNanos - since - OVERDUE_RESPONSE_TIMES * usual);
  }

  /**
   * Returns whether the replica is to be asked again to learn how it is, and counts that as done:
   * true at most once in an interval in which nothing else is sent there. While the replica owes an
   * answer the first probe waits for {@value #PROBE_INTERVALS_WHILE_WAITING} intervals, and each
   * further one for twice as long.
   */
  public boolean claimProbe(long intervalNanos, long nowNanos) {
    long now = time(nowNanos);
    long last = lastSentNanos;
    if (last == NEVER) {
      return false;
    }
    long since = waitingSinceNanos;
    long pause =
        since == NEVER
            ? intervalNanos
            : Math.max(PROBE_INTERVALS_WHILE_WAITING * intervalNanos, last - since);
    return now - last >= pause && LAST_SENT.compareAndSet(this, last, now);
  }

  private static long time(long nowNanos) {
    return nowNanos == NEVER ? 1 : nowNanos;
  }
}
