/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.pool.ChannelPool;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.Feedback;
import io.curtail.selection.ProbeRule;
import io.curtail.selection.ReplicaLoad;
import io.curtail.selection.delay.ReplicaDelay;
import io.curtail.selection.hedging.ReplicaTail;
import io.curtail.selection.weighted.HealthSettings;
import io.curtail.selection.weighted.ReplicaHealth;
import io.curtail.selection.weighted.StartingRamp;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the policy knows of one live node of the local data centre. A node that goes down and comes
 * back gets a new one, with nothing held against it but its ramp. Thread-safe.
 */
class TrackedNode {
  final Node node;

  /** What its peers called it when it came up; null if unknown. */
  @Nullable final InetAddress address;

  /** True also when no local rack is set. */
  final boolean inLocalRack;

  final ReplicaHealth health;

  /** Filled in only if the policy ranks by it; set before any other thread sees the node. */
  ReplicaDelay delay = new ReplicaDelay();

  /** Null unless a policy of {@code selection} ranks by it; set before any other thread sees it. */
  ReplicaLoad load;

  /** With {@link #load}: when it may be asked though others are better. */
  ProbeRule.Turn probeTurn;

  private final Heard heard = new Heard();

  /** Null if requests are not copied; set before any other thread sees the node. */
  ReplicaTail tail;

  /** Null if requests are not copied. */
  Hedges hedges;

  /** Of the latest request that was to tell how the node is, until it is known when to copy it. */
  volatile HedgedQueryPlan probe;

  /** Null if its rate has no limit; set before any other thread sees the node. */
  NodeRate rate;

  /**
   * How many requests wait for this node or another of their replicas to have room; set before any
   * other thread sees the node.
   */
  AtomicInteger waiting = new AtomicInteger();

  /** Of requests that waited for this node's answer. */
  final CopyCounts copies = new CopyCounts();

  /** Replaced when the cluster says only afterwards that the node restarted. */
  volatile StartingRamp ramp;

  /** How often the node came first in a plan; counted only when metrics are on. */
  final LongAdder firstChoices = new LongAdder();

  /*
   * Looking the pool up for each candidate of each plan would be most of what a plan costs. A pool
   * without connections was closed or replaced, and is looked up again.
   */
  private volatile ChannelPool pool;

  private final long stalledAfterNanos;
  private final LostAnswers lostAnswers = new LostAnswers();

  /** Of the requests in flight, as known lately. */
  private volatile int lost;

  TrackedNode(Node node, boolean inLocalRack, HealthSettings health, StartingRamp ramp) {
    this.node = node;
    this.address = Membership.addressOf(node);
    this.inLocalRack = inLocalRack;
    this.health = new ReplicaHealth(health);
    this.stalledAfterNanos = health.stallWindowNanos();
    this.ramp = ramp;
  }

  /**
   * The requests in flight from this client, with those that the client has given up on but the
   * node has not answered: it is likely to be still at work on them, until they count as {@link
   * LostAnswers lost}.
   *
   * @param pools the session's; empty if there is no session
   */
  int inFlight(Map<Node, ChannelPool> pools) {
    ChannelPool known = pool(pools);
    return known == null ? 0 : inFlight(known);
  }

  /** Whether a request can be sent there: one that just came up may have no connection yet. */
  boolean isConnected(Map<Node, ChannelPool> pools) {
    ChannelPool known = pool(pools);
    return known != null && known.size() > 0;
  }

  /** Whether its connections carry as many requests as they can; not if there are none. */
  boolean isFull(Map<Node, ChannelPool> pools) {
    ChannelPool known = pool(pools);
    return known != null && known.size() > 0 && known.getAvailableIds() <= 0;
  }

  /** Whether the driver could not send there, by the pool that was looked at last. */
  boolean cannotSend() {
    ChannelPool known = pool;
    return known != null && known.getAvailableIds() <= 0;
  }

  @Nullable
  private ChannelPool pool(Map<Node, ChannelPool> pools) {
    ChannelPool known = pool;
    if (known == null || known.size() == 0) {
      known = pools.get(node);
      if (known != null) {
        pool = known;
      }
    }
    return known;
  }

  private int inFlight(ChannelPool known) {
    int inFlight = known.getInFlight();
    int without = lost;
    // A connection that closed meanwhile has taken its own along.
    return without == 0
        ? inFlight
        : Math.max(0, inFlight - Math.min(without, known.getOrphanedIds()));
  }

  /** Looks for answers that will not come; to be called in equal intervals. */
  synchronized void lookForLostAnswers() {
    ChannelPool known = pool;
    int found = lostAnswers.look(known == null ? 0 : known.getOrphanedIds());
    if (found != lost) {
      lost = found;
    }
  }

  /** The node answered any request, also one that tells nothing of its load. */
  void heard(long nowNanos) {
    heard.answered(nowNanos);
  }

  /** Whether it answered within a time; not before the first answer. */
  boolean isHeardWithin(long nanos, long nowNanos) {
    return heard.isWithin(nanos, nowNanos);
  }

  /** Whether it answers nothing: by a ranking that looks for that, or as an answer is overdue. */
  boolean isStalled(long nowNanos) {
    double usual = delay.responseTimeNanos(nowNanos);
    return health.wasStalled(nowNanos)
        || delay.overdueNanos(lastKnownInFlight(), usual, nowNanos) > stalledAfterNanos;
  }

  /** The node reported its load. */
  void reported(Feedback feedback, long nowNanos) {
    heard.reported(feedback, nowNanos);
  }

  /** What the node reported last; null if that is too long ago, or it never did. */
  @Nullable
  Feedback reported(long nowNanos) {
    return heard.report(nowNanos);
  }

  /** By the pool that was looked at last: to be shown. */
  int lastKnownInFlight() {
    ChannelPool known = pool;
    return known == null ? 0 : inFlight(known);
  }
}
