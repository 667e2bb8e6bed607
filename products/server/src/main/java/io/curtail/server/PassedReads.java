/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Candidates;
import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import io.curtail.selection.passing.KnownQueues;
import io.curtail.selection.passing.PassingRule;
import io.curtail.selection.passing.PassingSettings;
import io.curtail.selection.passing.Route;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Decides what becomes of reads that would have to wait: of this coordinator's own when they are
 * ordered, of others' when they arrive here. Knows the reads of this coordinator that are under way
 * with a route. Thread-safe.
 *
 * <p>A replica gives a read back to its coordinator, which sends it to the next: so the coordinator
 * always knows who has it, what it measures of its peers stays right, and the answer is an ordinary
 * one.
 */
final class PassedReads {
  /** In place of a place in a route, where {@link PassingRule#ACCEPT} is one too. */
  static final int NOWHERE = -2;

  /** Where reads take as many hops, one that goes through the read stage costs next to nothing. */
  private static final int LONG_HOPS = 4;

  private final LiveSettings live;
  private final Host host;
  private final LocalReads localReads;
  private final SecondCopies copies;
  private final Counts counts;
  private final Map<Long, CarriedRead> underWay = new ConcurrentHashMap<>();
  private final KeptReads kept = new KeptReads();
  private volatile PassingRule rule;
  private volatile long hopNanos = -1;

  PassedReads(
      LiveSettings live, Host host, LocalReads localReads, SecondCopies copies, Counts counts) {
    this.live = live;
    this.host = host;
    this.localReads = localReads;
    this.copies = copies;
    this.counts = counts;
  }

  private PassingRule rule() {
    long hop = live.settings().passingHopNanos;
    if (hop != hopNanos) {
      rule = new PassingRule(PassingSettings.forHop(hop));
      hopNanos = hop;
    }
    return rule;
  }

  /**
   * The replicas of a point read of this request are in order.
   *
   * @param first where it goes first
   * @return where it goes instead
   */
  Peer onOrdered(ReplicaSorter sorter, Peer first, EndpointsForToken replicas, long nowNanos) {
    Passing passing = live.passing();
    if (passing == Passing.OFF || !sorter.context().mayPass() || sorter.ranked() < 2) {
      return first;
    }
    for (int i = 0; i < replicas.size(); i++) {
      if (replicas.get(i).isTransient()) {
        return first;
      }
    }
    if (first.self) {
      return orSendAway(sorter, first, passing, replicas.token(), nowNanos);
    }
    if (passing == Passing.ON) {
      sorter.context().plan(new PassingPlan(replicas.token(), sorter.order(), -1, false));
    }
    return first;
  }

  private Peer orSendAway(
      ReplicaSorter sorter, Peer self, Passing passing, Object token, long nowNanos) {
    Feedback stage = host.readStage(false, 0);
    Peer[] order = sorter.order();
    boolean observes = passing == Passing.OBSERVE; // then nobody takes any
    Peer[] able = isFree(stage) ? null : able(order, 0, observes, true, nowNanos);
    Route route = able == null ? null : observes ? route(able) : route(able, 0, nowNanos);
    int next = route == null ? PassingRule.ACCEPT : decide(route, 0, stage, nowNanos);
    if (next == PassingRule.ACCEPT) {
      if (passing == Passing.ON
          && copies.areOn()
          && order[1].takesCarriedReads
          && areLong()
          && keepsOwn(nowNanos)) {
        sorter.moveToFront(order[1]);
        sorter.moveToEnd(self);
        sorter.context().plan(new PassingPlan(token, sorter.order(), -1, true));
      }
      return self;
    }
    if (observes) {
      counts.wouldPass.increment();
      return self;
    }
    counts.sentAway.increment();
    Peer first = able[next];
    self.counts.gaveBack.increment();
    first.counts.passedTo.increment();
    sorter.moveToFront(first);
    sorter.moveToEnd(self);
    sorter.context().plan(new PassingPlan(token, sorter.order(), route.expectedNanos(0), false));
    return first;
  }

  // The thread of the request cannot wait for itself: only a read in the read stage can be late.
  private boolean areLong() {
    return localReads.meanServiceNanos() >= LONG_HOPS * live.settings().passingHopNanos;
  }

  private static Route route(Peer[] order) {
    Object[] replicas = new Object[order.length];
    for (int i = 0; i < order.length; i++) {
      replicas[i] = order[i].endpoint;
    }
    return new Route(replicas);
  }

  // At: the place of the one that has it first.
  private static Route route(Peer[] order, int at, long nowNanos) {
    PeerLoad[] loads = new PeerLoad[order.length];
    for (int i = 0; i < order.length; i++) {
      loads[i] = order[i].point;
    }
    Route route = route(order);
    KnownQueues.tell(route, at, loads, nowNanos);
    return route;
  }

  /**
   * The first in order and, from a place on, those to which a read that finds it busy may go. Of
   * one that takes no carried reads none comes back, so its queue would never be heard of; one that
   * is far slower than the first, or fails, is free, and takes longer than the wait.
   *
   * @param any also those that take none
   * @param hadItHere also this node, which had the read or has it
   */
  private static Peer[] able(
      Peer[] order, int from, boolean any, boolean hadItHere, long nowNanos) {
    Peer[] able = new Peer[order.length];
    int size = 0;
    able[size++] = order[0];
    for (int i = Math.max(1, from); i < order.length && size < CarrierCodec.MAX_REPLICAS; i++) {
      Peer peer = order[i];
      if ((any || peer.self || peer.takesCarriedReads)
          && !isSilent(peer, nowNanos)
          && ((peer.self && hadItHere) || !peer.point.isFarSlowerThan(order[0].point, nowNanos))) {
        able[size++] = peer;
      }
    }
    return Arrays.copyOf(able, size);
  }

  /**
   * Puts the replicas that a second copy may go to in order, as they are now: what made their order
   * when the read left may be over.
   */
  List<InetAddressAndPort> ranked(List<InetAddressAndPort> replicas) {
    if (replicas.size() < 2) {
      return replicas;
    }
    ActivePolicy policy = live.policy();
    long now = host.nanoTime();
    Candidates candidates = new Candidates(() -> ThreadLocalRandom.current().nextLong());
    candidates.start(now);
    for (InetAddressAndPort replica : replicas) {
      Peer peer = policy.peers().of(replica);
      if (peer.self) {
        localReads.refresh(peer, now);
      }
      candidates.add(peer.point);
    }
    policy.ranking().rank(candidates);
    ReplicaSorter.stayNear(candidates, policy.badnessThreshold());
    List<InetAddressAndPort> order = new ArrayList<>();
    for (int place = 0; place < candidates.size(); place++) {
      order.add(ReplicaSorter.peer(candidates, place).endpoint);
    }
    return order;
  }

  /**
   * Whether it owes answers for so long that a read which would wait elsewhere must not go there.
   */
  static boolean isSilent(Peer peer, long nowNanos) {
    return !peer.self && peer.point.isOverdue(nowNanos);
  }

  /** Whether a read that comes now is served at once. */
  static boolean isFree(Feedback stage) {
    return stage.waiting() + stage.active() < stage.slots();
  }

  // How far the queue exceeds the threads.
  private int decide(Route route, int place, Feedback stage, long nowNanos) {
    localReads.refresh(live.policy().peers().of(host.self()), nowNanos);
    int slots = Math.max(1, stage.slots());
    int waiting = stage.waiting() + stage.active() - slots;
    return rule().decide(route, place, waiting, slots, localReads.meanServiceNanos(), nowNanos);
  }

  /**
   * Returns the route of a read that leaves: to the first of the plan, and then to those that the
   * request does not ask and that are not silent.
   *
   * @param asked how many replicas the request asks in all
   * @return null if there is none to pass it on to
   */
  static Route route(PassingPlan plan, int asked, long nowNanos) {
    boolean hadItHere = plan.startsHere || plan.ownExpectedNanos >= 0;
    Peer[] order = able(plan.order, asked, false, hadItHere, nowNanos);
    if (order.length == 1) {
      return null;
    }
    int own = placeOfSelf(order);
    Route route = route(order, plan.startsHere ? own : 0, nowNanos);
    if (own != NOWHERE && plan.ownExpectedNanos >= 0) {
      route.note(own, plan.ownExpectedNanos, 0);
      route.hop();
    }
    return route;
  }

  private static int placeOfSelf(Peer[] order) {
    for (int i = 0; i < order.length; i++) {
      if (order[i].self) {
        return i;
      }
    }
    return NOWHERE;
  }

  /**
   * Whether a read that begins here may leave when it finds this node busy. It could go to the
   * first of its plan, to which Cassandra sends it: not where that is far slower than this node.
   */
  boolean mayGoOn(PassingPlan plan) {
    Peer self = live.policy().peers().of(host.self());
    return !plan.order[0].point.isFarSlowerThan(self.point, host.nanoTime());
  }

  /**
   * A read has come to this node as a replica. If it stays it is put into the read stage before the
   * next one is looked at, so that two never count on the same free thread.
   *
   * @param enqueue puts it into the read stage
   * @return {@link PassingRule#ACCEPT}, the place in the route where it should go, or {@link
   *     #NOWHERE} if only that it does not stay is known
   */
  synchronized int admit(Route route, int place, CarriedTerms terms, Runnable enqueue) {
    Feedback stage = host.readStage(false, 0);
    int next = PassingRule.ACCEPT;
    if (isFree(stage)) {
      counts.servedAtOnce.increment();
    } else if (terms == CarriedTerms.AT_ONCE) {
      counts.copiesGivenBack.increment();
      return NOWHERE;
    } else {
      if (terms == CarriedTerms.MAY_LEAVE && live.passing() == Passing.ON) {
        next = decide(route, place, stage, host.nanoTime());
      }
      (next == PassingRule.ACCEPT ? counts.keptWaiting : counts.givenBack).increment();
    }
    if (next == PassingRule.ACCEPT) {
      enqueue.run();
    }
    return next;
  }

  /**
   * Counts a plain read that is served now where those behind it wait longer than two hops take.
   * Its own wait is not known: its message tells when its request began, by another node's clock.
   */
  void onServing() {
    if (live.passing() != Passing.OBSERVE) {
      return;
    }
    Feedback stage = host.readStage(false, 0);
    if (stage.waiting() == 0) {
      return;
    }
    localReads.refresh(live.policy().peers().of(host.self()), host.nanoTime());
    double wait = stage.waiting() * localReads.meanServiceNanos() / Math.max(1, stage.slots());
    if (wait >= 2.0 * live.settings().passingHopNanos) {
      counts.wouldPass.increment();
    }
  }

  void onCarried(CarriedRead read) {
    counts.carried.increment();
    underWay.put(read.id, read);
  }

  /** Whether own reads that may be kept here mostly are. */
  boolean keepsOwn(long nowNanos) {
    return kept.areWorthTrying(nowNanos);
  }

  /** A read that was ordered to be served here is being sent: whether it is served here. */
  void onOwnSent(boolean isKept) {
    if (isKept) {
      kept.onKept();
    } else {
      kept.onRefused(host.nanoTime());
    }
  }

  /** A read that may not leave is served here in the read stage. */
  void onStaying(CarriedRead read) {
    underWay.put(read.id, read);
  }

  /** Returns the read under way with that id if the replica has it or a copy; otherwise null. */
  CarriedRead at(InetAddressAndPort replica, long id) {
    if (underWay.isEmpty()) {
      return null;
    }
    CarriedRead read = underWay.get(id);
    return read != null && (read.isAt(replica) || read.hasCopyAt(replica)) ? read : null;
  }

  /**
   * Returns what a replica told with an answer; of this node itself what it knows, on the thread
   * that read.
   */
  Feedback report(InetAddressAndPort from, byte[] feedback) {
    return from.equals(host.self())
        ? host.readStage(true, (long) localReads.meanServiceNanos()).withSlotsTaken()
        : FeedbackCodec.decode(feedback);
  }

  void forget(CarriedRead read) {
    underWay.remove(read.id, read);
  }

  /** Forgets reads that nobody waits for any more. */
  void sweep(long nowNanos) {
    underWay.values().removeIf(read -> nowNanos - read.expiresAtNanos > 0);
  }

  /** The replica left the cluster. */
  void forget(InetAddressAndPort replica) {
    PassingRule known = rule;
    if (known != null) {
      known.forget(replica);
    }
  }
}
