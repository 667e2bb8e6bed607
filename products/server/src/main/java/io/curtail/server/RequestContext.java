/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a thread remembers of the CQL request it works on, from putting replicas in order until the
 * reads are sent: a query of many keys orders the replicas of all of them before it sends the
 * first, and must not send all to the same one. Used by one thread.
 */
final class RequestContext {
  private static final int MAX_PICKED = 64;
  private static final int MAX_PERMITS = 64;

  private Object request;
  private final Peer[] picked = new Peer[MAX_PICKED];
  private final int[] picks = new int[MAX_PICKED];
  private int pickedCount;
  private final Object[] ordered = new Object[MAX_PICKED];
  private int orderedCount;
  private final Peer[] permits = new Peer[MAX_PERMITS];
  private int permitCount;
  private long heldNanos;
  private Peer probe;
  private final List<PassingPlan> plans = new ArrayList<>();
  private final List<CarriedRead> carried = new ArrayList<>();
  private boolean asStock;

  /**
   * A read is about to be ordered.
   *
   * @param current the same object throughout a request; null outside one
   */
  void enter(Object current) {
    if (current != request || current == null) {
      probe = null;
      request = current;
      heldNanos = 0;
      onSending();
      giveBackPermits();
      plans.clear();
      carried.clear();
      asStock = false;
    }
  }

  /**
   * A read of this token is about to be ordered. If one was before, and nothing was sent since, a
   * request reads page by page, and the pages before were this node's own: read by another thread.
   */
  void onOrdering(Object token) {
    if (request == null) {
      return;
    }
    for (int i = 0; i < orderedCount; i++) {
      if (ordered[i].equals(token)) {
        onSending();
      }
    }
    if (orderedCount < MAX_PICKED) {
      ordered[orderedCount++] = token;
    }
  }

  /** Whether the reads being ordered belong to a CQL request. */
  boolean inRequest() {
    return request != null;
  }

  /** The read that was just ordered will go to this replica first. */
  void pick(Peer peer) {
    if (request == null) {
      return;
    }
    for (int i = 0; i < pickedCount; i++) {
      if (picked[i] == peer) {
        picks[i]++;
        return;
      }
    }
    if (pickedCount < MAX_PICKED) {
      picked[pickedCount] = peer;
      picks[pickedCount++] = 1;
    }
  }

  /** Returns how many reads were picked to go to the replica first and are not sent yet. */
  int picksOf(Peer peer) {
    for (int i = 0; i < pickedCount; i++) {
      if (picked[i] == peer) {
        return picks[i];
      }
    }
    return 0;
  }

  /** What was picked is being sent: from here on it is outstanding. */
  void onSending() {
    if (pickedCount > 0) {
      Arrays.fill(picked, 0, pickedCount, null);
      pickedCount = 0;
    }
    if (orderedCount > 0) {
      Arrays.fill(ordered, 0, orderedCount, null);
      orderedCount = 0;
    }
  }

  /** This thread took a permit of the replica's rate, for the read just ordered. */
  void holdPermit(Peer peer) {
    if (peer == null || peer.rate == null) {
      return;
    }
    if (permitCount == MAX_PERMITS) {
      peer.rate.onAbandoned();
    } else {
      permits[permitCount++] = peer;
    }
  }

  /** Returns whether this thread holds a permit of the replica, and uses it. */
  boolean usePermit(Peer peer) {
    for (int i = 0; i < permitCount; i++) {
      if (permits[i] == peer) {
        permits[i] = permits[--permitCount];
        permits[permitCount] = null;
        return true;
      }
    }
    return false;
  }

  private void giveBackPermits() {
    while (permitCount > 0) {
      permits[--permitCount].rate.onAbandoned();
      permits[permitCount] = null;
    }
  }

  /** How long the request has waited for replicas. */
  long heldNanos() {
    return heldNanos;
  }

  void addHeld(long nanos) {
    heldNanos += nanos;
  }

  /**
   * The next read that is sent and that this replica can answer shall go to it too, as a probe; if
   * none is, one that this node has served itself.
   *
   * @param peer null for none
   */
  void probe(Peer peer) {
    probe = peer;
  }

  /** Returns the replica that waits for a probe; null if none. */
  Peer probe() {
    return probe;
  }

  /**
   * From here on the request's reads go as on a stock node.
   *
   * @param current as in {@link #enter}: perhaps none of its reads was ordered yet
   */
  void onPaxos(Object current) {
    enter(current);
    asStock = true;
    plans.clear();
  }

  /** Whether a read of this request may be held, or counted as one that would be. */
  boolean mayHold() {
    return request != null && !asStock;
  }

  /** Whether a read of this request may be passed on. */
  boolean mayPass() {
    return request != null && !asStock && plans.size() + carried.size() < MAX_PICKED;
  }

  /** Whether this thread works on the request that it remembers. */
  boolean isIn(Object current) {
    return current != null && current == request;
  }

  /** The read that was just ordered may be passed on, in this order. */
  void plan(PassingPlan plan) {
    forgetPlan(plan.token);
    plans.add(plan);
  }

  /** A read of this token is not passed on. */
  void forgetPlan(Object token) {
    plans.removeIf(plan -> plan.token.equals(token));
  }

  /** The choice that was just made is a sample: tells it where the read goes, if it is carried. */
  void follow(Object token, Journey journey) {
    for (PassingPlan plan : plans) {
      if (plan.token.equals(token)) {
        plan.journey = journey;
      }
    }
  }

  /** Returns the plan of a read of this token that goes to the replica first; or null. */
  PassingPlan plan(Object token, Peer first) {
    for (int i = 0; i < plans.size(); i++) {
      PassingPlan plan = plans.get(i);
      if (plan.order[0] == first && plan.token.equals(token)) {
        return plan;
      }
    }
    return null;
  }

  /** Returns the plan of a read of this token that this node is to serve; null if there is none. */
  PassingPlan ownPlan(Object token) {
    for (int i = 0; i < plans.size(); i++) {
      PassingPlan plan = plans.get(i);
      if (plan.startsHere && plan.token.equals(token)) {
        return plan;
      }
    }
    return null;
  }

  /** The plan's read is sent. */
  void drop(PassingPlan plan) {
    plans.remove(plan);
  }

  /** Whether a plan or a carried read is remembered. */
  boolean hasPassing() {
    return !plans.isEmpty() || !carried.isEmpty();
  }

  /** The read left so that it can be passed on. */
  void onCarried(CarriedRead read) {
    carried.add(read);
  }

  /**
   * Returns the last read of this token that left so that it can be passed on; null if there is
   * none. A request reads a partition page by page: the reads before are over.
   */
  CarriedRead carriedOf(Object token) {
    for (int i = carried.size() - 1; i >= 0; i--) {
      if (carried.get(i).token.equals(token)) {
        return carried.get(i);
      }
    }
    return null;
  }
}
