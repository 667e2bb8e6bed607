/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.util.collection.QueryPlan;
import edu.umd.cs.findbugs.annotations.NonNull;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.function.LongSupplier;

/**
 * A plan of a request that may be copied. When the driver's timer asks for the copy's node, it
 * names the one that is best then, or none: the driver takes that for a plan that has ended, and
 * the request waits on. The same when a node refuses a copy for want of a free thread, or fails it:
 * else each copy that meets an overload would go on to every node. All others that ask are given
 * the next node.
 */
final class HedgedQueryPlan extends TimedQueryPlan {
  /*
   * The driver hands the request from thread to thread, so each sees what the one before wrote; a
   * volatile write would wait for the processor's store buffer, once for each request.
   */
  private static final VarHandle ASKED;

  /** The driver counts delays in whole milliseconds. */
  private static final long LEAST_DELAY_NANOS = 1_000_000;

  static {
    try {
      ASKED =
          MethodHandles.lookup().findVarHandle(HedgedQueryPlan.class, "asked", TrackedNode.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Hedges hedges;
  private final Request request;

  /** The node that is asked to learn how it is; null if none is. */
  @Nullable private final TrackedNode probed;

  private final Thread sender = Thread.currentThread();

  /** Nodes of other data centres, after all of this one. */
  private Queue<Node> remote;

  /** Through ASKED, when all else is written that goes with it. */
  @SuppressWarnings("UnusedVariable")
  private TrackedNode asked;

  private long askedAtNanos;
  private boolean isCopying;

  /** The latest. */
  @Nullable private CopiedRequest copy;

  /**
   * @param isProbe whether the first node is asked to learn how it is, though the next is better
   */
  HedgedQueryPlan(
      TrackedNode[] scored,
      LocalNodes local,
      int walk,
      LongSupplier nanoClock,
      long plannedAtNanos,
      Hedges hedges,
      Request request,
      boolean isProbe) {
    super(scored, local, walk, nanoClock, plannedAtNanos, false);
    this.hedges = hedges;
    this.request = request;
    this.probed = isProbe ? scored[0] : null;
  }

  /** Not asked how many there are: the driver's plan of other data centres is made by the look. */
  HedgedQueryPlan andThen(Queue<Node> others) {
    remote = others == QueryPlan.EMPTY ? null : others;
    return this;
  }

  @Nullable
  @Override
  public Node poll() {
    if (asked() == null) {
      mark(false);
      return super.poll();
    }
    return pollAgain();
  }

  private void mark(boolean isCopy) {
    if (hedges.areMarked()) {
      CopyMark.set(isCopy);
    }
  }

  /** Retries and a copy may come at once. */
  @Nullable
  private synchronized Node pollAgain() {
    boolean again = copy != null && hedges.hasFailed(copy);
    boolean forCopy = again || isForCopy();
    isCopying = forCopy && hedges.mayCopy(this, again);
    mark(isCopying);
    if (forCopy && !isCopying) {
      return null;
    }
    Node node = super.poll();
    isCopying = false;
    return node == null && remote != null ? remote.poll() : node;
  }

  /*
   * Answers come by the threads of the connections, and a copy's time by the driver's timer, which
   * so gets known. It is the sender too if the application asks again when another request has timed
   * out: then only the time tells, as a node without a connection is passed over at once.
   */
  private boolean isForCopy() {
    return !DriverThreads.isOfNodes() && hedges.mayBeDue(request) && isByTimer();
  }

  private boolean isByTimer() {
    Thread current = Thread.currentThread();
    if (current != sender) {
      hedges.timerIs(current);
      return true;
    }
    Thread timer = hedges.timer();
    if (timer == null) {
      // The sender may have paused, but seldom for the delay of a copy.
      return hasWaited(Math.max(LEAST_DELAY_NANOS, hedges.delayNanos(this)));
    }
    // The delay may have grown since the driver was told of it.
    return current == timer && hasWaited(LEAST_DELAY_NANOS);
  }

  private boolean hasWaited(long nanos) {
    return asked().lastKnownInFlight() > 0 && waitedNanos(now()) >= nanos;
  }

  @Override
  void onSent(TrackedNode node, long nowNanos) {
    super.onSent(node, nowNanos);
    if (!isCopying) {
      askedAtNanos = nowNanos;
      ASKED.setRelease(this, node);
      // Where the driver asks for no copy, nothing would take it away again.
      if (asksProbed() && hedges.mayBeDue(request)) {
        node.probe = this;
      }
    }
  }

  /**
   * Whether the node that is asked now, or was last, is the one that is probed. If that has no room
   * the throttler makes another one the first.
   */
  boolean asksProbed() {
    return probed != null && asked() == probed && next() == 1;
  }

  Request request() {
    return request;
  }

  /** It leaves next. */
  void copied(CopiedRequest next) {
    copy = next;
  }

  /** The node that was asked last, copies apart; null if none was. */
  TrackedNode asked() {
    return (TrackedNode) ASKED.getAcquire(this);
  }

  /** How long ago. */
  long waitedNanos(long nowNanos) {
    return nowNanos - askedAtNanos;
  }

  @NonNull
  @Override
  public Iterator<Node> iterator() {
    if (remote == null) {
      return super.iterator();
    }
    List<Node> all = new ArrayList<>();
    super.iterator().forEachRemaining(all::add);
    all.addAll(remote);
    return all.iterator();
  }

  @Override
  public int size() {
    return super.size() + (remote == null ? 0 : remote.size());
  }
}
