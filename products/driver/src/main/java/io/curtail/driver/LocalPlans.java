/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.pool.ChannelPool;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The plans of one policy within the local data centre: has them made, holds them to the limits,
 * counts and explains them. Thread-safe.
 */
final class LocalPlans {
  private final WeightedLeastLoadedPolicy policy;
  private final Planner planner;
  private final LightweightTransactions lightweightTransactions;
  private final Explanations explanations;
  private final boolean counts;
  private final LongAdder made = new LongAdder();
  private volatile Pace pace;

  /**
   * @param counts whether plans are counted
   */
  LocalPlans(
      WeightedLeastLoadedPolicy policy,
      Planner planner,
      LightweightTransactions lightweightTransactions,
      Explanations explanations,
      boolean counts) {
    this.policy = policy;
    this.planner = planner;
    this.lightweightTransactions = lightweightTransactions;
    this.explanations = explanations;
    this.counts = counts;
  }

  /** Limits the requests that wait for their turn, from the session's start on. */
  void limit(Pace limits) {
    pace = limits;
    planner.limit();
  }

  /** Null if no request waits. */
  @Nullable
  Pace limits() {
    return pace;
  }

  /**
   * Makes the plan of a request.
   *
   * @param replicas empty if they are not known
   * @param limits null if the request does not wait
   * @param waited whether its turn has come
   * @return null if the request has to wait
   */
  @Nullable
  WeightedQueryPlan plan(
      LocalNodes local,
      Set<Node> replicas,
      Map<Node, ChannelPool> pools,
      @Nullable Request request,
      @Nullable Pace limits,
      boolean waited) {
    if (limits != null && !limits.mayHaveRoom(local, replicas, pools, waited)) {
      return null;
    }
    boolean fixedOrder = hasFixedOrder(request, replicas);
    WeightedQueryPlan plan = planner.plan(local, replicas, pools, request, fixedOrder);
    if (limits != null && !limits.admit(plan, replicas, fixedOrder, pools, waited)) {
      return null;
    }
    if (counts) {
      plan.first().firstChoices.increment();
      made.increment();
    }
    explanations.logIfAsked(plan, replicas);
    return plan;
  }

  private boolean hasFixedOrder(Request request, Set<Node> replicas) {
    return !replicas.isEmpty() && lightweightTransactions.includes(request);
  }

  String explain(Request request, Set<Node> replicas, Map<Node, ChannelPool> pools) {
    LocalNodes local = policy.localNodes();
    if (!policy.isEnabled()) {
      return "The policy is off: the driver's own plans";
    }
    if (local.size() == 0) {
      return "No node of the local data centre is up";
    }
    boolean fixedOrder = hasFixedOrder(request, replicas);
    return explanations.explain(
        planner.plan(local, replicas, pools, request, fixedOrder), replicas);
  }

  /** Has the next plans logged. */
  void logNext(int plans) {
    explanations.logNext(plans);
  }

  /**
   * The nodes that a request which has to wait waits for. A lightweight transaction waits for the
   * first of its fixed order: others, which may have another replica, must not wait behind it.
   */
  Set<Node> awaited(Set<Node> replicas, Map<Node, ChannelPool> pools, Request request) {
    LocalNodes local = policy.localNodes();
    return local.size() > 0 && hasFixedOrder(request, replicas)
        ? Set.of(planner.plan(local, replicas, pools, request, true).first().node)
        : replicas;
  }

  /** What {@link Pace#beginWait} returns. */
  AtomicInteger[] beginWait(Set<Node> replicas) {
    return pace.beginWait(policy.localNodes(), replicas);
  }

  /** Null if no request waits. */
  @Nullable
  ThrottlerBacklog backlog() {
    Pace limits = pace;
    return limits == null ? null : limits.backlog;
  }

  /** Returns how many were made; 0 if they are not counted. */
  long made() {
    return made.sum();
  }
}
