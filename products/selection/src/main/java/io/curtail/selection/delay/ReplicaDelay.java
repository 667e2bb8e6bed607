/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.delay;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How long one replica takes to answer this client, by its answers and by those that it owes.
 *
 * <p>The response time is (but for an approximation of the exponential within 0.03) an average that
 * forgets by elapsed time. An answer is only added up; whoever asks for the average takes in all
 * answers since it was asked for last, by their mean, which after the time t weighs {@code 1 -
 * exp(-t / memory)}. So an answer needs no clock, and after a silence the first ones count in full,
 * those before it as old as they are. An answer is overdue after {@value #OVERDUE_RESPONSE_TIMES}
 * response times; from then on each nanosecond of waiting is one more of delay. One that ends
 * without being told, as nobody waits for it any more, counts as long as it was seen to be owed: a
 * second copy must not hide how slow the replica is.
 *
 * <p>Thread-safe without locks; allocates nothing. Of answers that are recorded at once some may be
 * lost or count twice. All times are monotonic nanoseconds of this host.
 */
public final class ReplicaDelay {
  /*
   * Written for each request and each answer, read for each candidate of each ranking. Atomic updates
   * and volatile writes, which wait for the processor's store buffer, would be most of what an answer
   * costs; so all is opaque: each value is one that some thread wrote, and is seen soon.
   */

  /** For answers in milliseconds and less: 50 ms. */
  public static final long DEFAULT_MEMORY_NANOS = 50_000_000;

  private static final double SIXTH = 1.0 / 6;
  private static final int OVERDUE_RESPONSE_TIMES = 4;

  /** A replica that owes an answer is heard when it answers, so it is probed less often. */
  private static final int PROBE_INTERVALS_WHILE_WAITING = 10;

  /** The square of the uncertainty: 2 standard errors, each as large as the average. */
  private static final float OF_ONE_ANSWER = 4;

  /** Answers come in crowds and vary more than exponential ones, so that many tell less. */
  private static final float LEAST_UNCERTAINTY = 0.1f;

  /** Writing the time of each request would make threads wait for each other's caches. */
  private static final long LAST_SENT_GRAIN_NANOS = 1_000_000;

  private static final long NEVER = 0;

  private static final VarHandle RESPONSE_TIME;
  private static final VarHandle WAITING_SINCE;
  private static final VarHandle OWED;
  private static final VarHandle LAST_SENT;
  private static final VarHandle AVERAGED_AT;
  private static final VarHandle UNCERTAINTY;
  private static final VarHandle ANSWERS;

  /** Of {@link #answers}: the nanoseconds of all below, their number above. */
  private static final int NANOS_BITS = 48;

  private static final long MAX_NANOS = (1L << NANOS_BITS) - 1;

  /* With constants only, or a native image does not find the fields. */
  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      RESPONSE_TIME = lookup.findVarHandle(ReplicaDelay.class, "responseTimeNanos", double.class);
      WAITING_SINCE = lookup.findVarHandle(ReplicaDelay.class, "waitingSinceNanos", long.class);
      OWED = lookup.findVarHandle(ReplicaDelay.class, "owedNanos", long.class);
      LAST_SENT = lookup.findVarHandle(ReplicaDelay.class, "lastSentNanos", long.class);
      AVERAGED_AT = lookup.findVarHandle(ReplicaDelay.class, "averagedAtNanos", long.class);
      UNCERTAINTY = lookup.findVarHandle(ReplicaDelay.class, "uncertainty", float.class);
      ANSWERS = lookup.findVarHandle(ReplicaDelay.class, "answers", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // these seven through their handles
  private double responseTimeNanos;

  @SuppressWarnings("UnusedVariable")
  private long waitingSinceNanos;

  /** For how long an answer was seen to be overdue last; 0 for none. */
  @SuppressWarnings("UnusedVariable")
  private long owedNanos;

  @SuppressWarnings("UnusedVariable")
  private long lastSentNanos;

  @SuppressWarnings("UnusedVariable")
  private long averagedAtNanos;

  /** As {@link #uncertainty} returns it, but without limits. */
  @SuppressWarnings("UnusedVariable")
  private float uncertainty = 1;

  @SuppressWarnings("UnusedVariable")
  private long answers;

  private final double perMemoryNano;

  /** Remembers for {@link #DEFAULT_MEMORY_NANOS}. */
  public ReplicaDelay() {
    this(DEFAULT_MEMORY_NANOS);
  }

  /**
   * @param memoryNanos the time after which an answer weighs a third of what it did, above 0
   */
  public ReplicaDelay(long memoryNanos) {
    if (memoryNanos < 1) {
      throw new IllegalArgumentException("no memory of response times: " + memoryNanos + " ns");
    }
    perMemoryNano = 1.0 / memoryNanos;
  }

  private long waitingSince() {
    return (long) WAITING_SINCE.getOpaque(this);
  }

  private void endWait() {
    if (waitingSince() != NEVER) {
      WAITING_SINCE.setOpaque(this, NEVER);
      OWED.setOpaque(this, 0L);
    }
  }

  /** What was owed came, or will not come. Who looked meanwhile may tell of it once more, later. */
  private void endUntoldWait() {
    boolean waited = waitingSince() != NEVER;
    long owed = (long) OWED.getOpaque(this);
    endWait();
    if (waited && owed > 0) {
      add(owed);
    }
  }

  /** A request leaves for the replica. */
  public void sent(long nowNanos) {
    long now = time(nowNanos);
    if (waitingSince() == NEVER) {
      OWED.setOpaque(this, 0L);
      WAITING_SINCE.setOpaque(this, now);
    }
    long last = (long) LAST_SENT.getOpaque(this);
    if (last == NEVER || now - last > LAST_SENT_GRAIN_NANOS) {
      LAST_SENT.setOpaque(this, now);
    }
  }

  /**
   * The replica answered well.
   *
   * @param elapsedNanos since the request left
   */
  public void answered(long elapsedNanos) {
    endWait();
    add(elapsedNanos);
  }

  /**
   * The replica answered with an error of its own. A quick one does not make it look quick, a late
   * one, as its own timeout, makes it look slow.
   *
   * @param elapsedNanos since the request left
   */
  public void failed(long elapsedNanos) {
    endWait();
    silent(elapsedNanos);
  }

  /**
   * Nobody waits any more for the replica's answer to a request, which another answered. It tells
   * nothing if the replica usually needs longer.
   *
   * @param elapsedNanos since the request left
   */
  public void silent(long elapsedNanos) {
    double usual = average();
    if (usual > 0 && elapsedNanos > usual) {
      add(elapsedNanos);
    }
  }

  /** The replica answered a request that may be one that nobody waits for any more. */
  public void heardUntold() {
    endUntoldWait();
  }

  /** The replica answered, but the time it took says nothing of it. */
  public void heard() {
    endWait();
  }

  /** When there is no room for another answer, those before it are forgotten. */
  private void add(long elapsedNanos) {
    long nanos = Math.max(1, Math.min(elapsedNanos, MAX_NANOS));
    long before = (long) ANSWERS.getOpaque(this);
    boolean fits = before >>> NANOS_BITS < 0xFFFF && (before & MAX_NANOS) + nanos <= MAX_NANOS;
    ANSWERS.setOpaque(this, (fits ? before : 0) + nanos + (1L << NANOS_BITS));
  }

  private void takeIn(long added, long nowNanos) {
    ANSWERS.setOpaque(this, 0L);
    double mean = (double) (added & MAX_NANOS) / (added >>> NANOS_BITS);
    double before = average();
    long last = (long) AVERAGED_AT.getOpaque(this);
    long at = answeredAt(mean, nowNanos);
    if (at <= last) {
      at = nowNanos; // of requests that nobody told of
    }
    double since = Math.max(0, at - last);
    double kept = before == 0 ? 0 : decay(since * perMemoryNano);
    RESPONSE_TIME.setOpaque(this, mean + kept * (before - mean));
    AVERAGED_AT.setOpaque(this, at);
    double taken = 1 - kept;
    double doubt = (float) UNCERTAINTY.getOpaque(this);
    doubt = kept * kept * doubt * doubt + taken * taken * OF_ONE_ANSWER / (added >>> NANOS_BITS);
    UNCERTAINTY.setOpaque(this, (float) Math.sqrt(doubt));
  }

  /** What came after the last request is as old as that, and not of now that somebody asks. */
  private long answeredAt(double meanNanos, long nowNanos) {
    long last = (long) LAST_SENT.getOpaque(this);
    return last == NEVER
        ? nowNanos
        : Math.min(nowNanos, last + LAST_SENT_GRAIN_NANOS + (long) meanNanos);
  }

  private double average() {
    return (double) RESPONSE_TIME.getOpaque(this);
  }

  /** exp(-x) for x at least 0, within 0.03, and exact to the third order near 0. */
  private static double decay(double x) {
    return 1 / (1 + x * (1 + x * (0.5 + x * SIXTH)));
  }

  /** Returns the average response time; 0 before the first answer. */
  public double responseTimeNanos(long nowNanos) {
    long added = (long) ANSWERS.getOpaque(this);
    if (added != 0) {
      takeIn(added, nowNanos);
    }
    return average();
  }

  /**
   * Returns by how much the average may be wrong by chance, as a share of it, {@value
   * #LEAST_UNCERTAINTY} to 1: two standard errors, if answers vary as exponential ones do and each
   * counts as in the average. Of n that count alike it is {@code 2 / sqrt(n)}. While nothing is
   * heard it stays.
   */
  public float uncertainty() {
    float doubt = (float) UNCERTAINTY.getOpaque(this);
    return doubt >= 1 ? 1 : Math.max(doubt, LEAST_UNCERTAINTY);
  }

  /** Returns whether the replica has answered nothing yet that tells how long it takes. */
  public boolean isUnknown() {
    return average() == 0 && (long) ANSWERS.getOpaque(this) == 0;
  }

  /**
   * Returns how long an answer is expected to take by what is known now. To be asked by rankings:
   * one that sees nothing outstanding ends the wait for an answer that will not come.
   *
   * @param outstanding this client's requests that the replica has not answered
   * @param unknownNanos the response time of a replica that never answered
   */
  public double expectedNanos(int outstanding, double unknownNanos, long nowNanos) {
    double known = responseTimeNanos(nowNanos);
    double usual = known == 0 ? unknownNanos : known;
    long since = waitingSince();
    if (since == NEVER) {
      return usual;
    }
    if (outstanding == 0) {
      endUntoldWait();
      return Math.max(usual, responseTimeNanos(nowNanos));
    }
    double overdue = nowNanos - since - OVERDUE_RESPONSE_TIMES * usual;
    if (overdue <= 0) {
      return usual;
    }
    OWED.setOpaque(this, nowNanos - since);
    return usual + overdue;
  }

  /**
   * Returns for how long an answer has been overdue, 0 if none is.
   *
   * @param outstanding this client's requests that the replica has not answered
   * @param usualNanos the response time by which an answer is overdue
   */
  public double overdueNanos(int outstanding, double usualNanos, long nowNanos) {
    long since = waitingSince();
    return since == NEVER || outstanding == 0
        ? 0
        : Math.max(0, nowNanos - since - OVERDUE_RESPONSE_TIMES * usualNanos);
  }

  /**
   * Returns whether the replica is to be asked again to learn how it is, and counts that as done:
   * true at most once in an interval in which nothing else is sent there. While the replica owes an
   * answer the first probe waits for {@value #PROBE_INTERVALS_WHILE_WAITING} intervals, and each
   * further one for twice as long. One that was never asked, as far as this knows, is asked at
   * once.
   */
  public boolean claimProbe(long intervalNanos, long nowNanos) {
    long now = time(nowNanos);
    long last = (long) LAST_SENT.getOpaque(this);
    if (last == NEVER) {
      return LAST_SENT.compareAndSet(this, NEVER, now);
    }
    long since = waitingSince();
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
