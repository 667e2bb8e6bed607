/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.ReplicaCollection;

/**
 * Orders the replicas of each read by the mode; whatever goes wrong, they are ordered as on a stock
 * node. Also called for streaming, hints and batches: only a read of one partition within a CQL
 * request is ever held or probed for.
 */
final class ReadPlanner {
  private final LiveSettings live;
  private final Host host;
  private final IEndpointSnitch topology;
  private final StockOrder stock;
  private final ThreadLocal<ReplicaSorter> sorters;
  private final GuardedPassing passing;
  private final Probing probing;
  private final Counts counts;
  private final Decisions decisions;
  private final Guard guard;

  /**
   * @param topology the cluster's own snitch
   * @param sorters this thread's
   */
  ReadPlanner(
      LiveSettings live,
      Host host,
      IEndpointSnitch topology,
      StockOrder stock,
      ThreadLocal<ReplicaSorter> sorters,
      GuardedPassing passing,
      Probing probing,
      Counts counts,
      Decisions decisions,
      Guard guard) {
    this.live = live;
    this.host = host;
    this.topology = topology;
    this.stock = stock;
    this.sorters = sorters;
    this.passing = passing;
    this.probing = probing;
    this.counts = counts;
    this.decisions = decisions;
    this.guard = guard;
  }

  <C extends ReplicaCollection<? extends C>> C sorted(InetAddressAndPort from, C replicas) {
    Mode mode = live.mode();
    if (replicas.size() < 2 || !mode.measures() || !from.equals(host.self())) {
      return stock.snitch().sortedByProximity(from, replicas);
    }
    if (!mode.ranks()) {
      C stockOrder = stock.snitch().sortedByProximity(from, replicas);
      observe(stockOrder);
      return stockOrder;
    }
    try {
      C ordered = rank(topology.sortedByProximity(from, replicas), mode);
      if (ordered != null) {
        return ordered;
      }
    } catch (PermitWait.Full e) {
      throw Cassandra50.overloaded(e.getMessage());
    } catch (Throwable e) {
      guard.failed("ranking replicas", e);
      forgetPlan(replicas);
    }
    return stock.snitch().sortedByProximity(from, replicas);
  }

  // One that is of another order than the read gets.
  private void forgetPlan(ReplicaCollection<?> replicas) {
    if (replicas instanceof EndpointsForToken) {
      sorters.get().context().forgetPlan(((EndpointsForToken) replicas).token());
    }
  }

  boolean isWorthMerging(
      ReplicaCollection<?> merged, ReplicaCollection<?> left, ReplicaCollection<?> right) {
    IEndpointSnitch judge = live.mode().ranks() ? topology : stock.snitch();
    return judge.isWorthMergingForRangeQuery(merged, left, right);
  }

  private static ReadKind kind(ReplicaCollection<?> replicas) {
    return replicas instanceof EndpointsForToken ? ReadKind.POINT : ReadKind.RANGE;
  }

  /** Returns null if the stock order must do. */
  private <C extends ReplicaCollection<? extends C>> C rank(C near, Mode mode) {
    ReplicaSorter sorter = sorters.get();
    ActivePolicy policy = live.policy();
    Settings settings = live.settings();
    long now = host.nanoTime();
    sorter.context().enter(host.request());
    if (near instanceof EndpointsForToken) {
      sorter.context().onOrdering(((EndpointsForToken) near).token());
    }
    boolean choice = sorter.rank(policy, near, kind(near), now);
    boolean readOfOnePartition = near instanceof EndpointsForToken && sorter.context().inRequest();
    Peer admitted =
        choice && mayHold(sorter, near) ? admit(sorter, policy, settings, near, mode) : null;
    if (!sorter.place()) {
      counts.fellBack.increment();
      return null;
    }
    if (choice && sorter.ranked() > 0) {
      chosen(sorter, admitted, near, readOfOnePartition, settings, mode, now);
    }
    return sorter.sorted(near);
  }

  // What waits in a transaction lets the others of its partition wait.
  private static boolean mayHold(ReplicaSorter sorter, ReplicaCollection<?> replicas) {
    return replicas instanceof EndpointsForToken && sorter.context().mayHold();
  }

  private void chosen(
      ReplicaSorter sorter,
      Peer admitted,
      ReplicaCollection<?> near,
      boolean readOfOnePartition,
      Settings settings,
      Mode mode,
      long now) {
    Peer best = sorter.ranked(0);
    Peer first = admitted == null ? best : admitted;
    if (first != best) {
      sorter.moveToFront(first);
    }
    Peer preferred = first;
    if (readOfOnePartition) {
      first = passing.onOrdered(sorter, first, near, now);
    }
    counts.ranked.increment();
    first.counts.chosen.increment();
    if (readOfOnePartition) {
      sorter.context().pick(first);
      probing.onOrdered(sorter, first, settings, now);
    }
    if (decisions.wants(settings.decisionsPerSecond, now)) {
      String reason =
          first != preferred
              ? "this node is busy"
              : first != best
                  ? "first with room at its rate"
                  : sorter.keptNear() ? "nearest, and not much worse" : "lowest score";
      Journey journey = decisions.record(mode, sorter, first, reason);
      if (readOfOnePartition) {
        sorter.context().follow(((EndpointsForToken) near).token(), journey);
      }
    }
  }

  /**
   * Returns the best replica with room at its rate; null if none had any, or rates do not count.
   */
  private Peer admit(
      ReplicaSorter sorter,
      ActivePolicy policy,
      Settings settings,
      ReplicaCollection<?> near,
      Mode mode) {
    if (mode == Mode.RANK_AND_RATE) {
      Runnable rankAgain = () -> sorter.rank(policy, near, kind(near), host.nanoTime());
      Peer admitted = live.permitWait().admit(sorter, settings, host, rankAgain);
      sorter.context().holdPermit(admitted);
      return admitted;
    }
    if (settings.rateObserved) {
      observeRates(sorter, sorter.ranked(0));
    }
    return null;
  }

  // A permit of a replica that the read does not go to would stay with this thread, which may rest.
  private void observeRates(ReplicaSorter sorter, Peer first) {
    Peer permitted = live.permitWait().observe(sorter, host);
    if (permitted == first) {
      sorter.context().holdPermit(permitted);
    } else if (permitted != null && permitted.rate != null) {
      permitted.rate.onAbandoned();
    }
  }

  private void observe(ReplicaCollection<?> stockOrder) {
    try {
      ReplicaSorter sorter = sorters.get();
      long now = host.nanoTime();
      sorter.context().enter(host.request());
      if (!sorter.rank(live.policy(), stockOrder, kind(stockOrder), now) || !sorter.place()) {
        return;
      }
      counts.observed.increment();
      Peer ours = sorter.ranked(0);
      Peer theirs = sorter.stockFirst();
      if (stockOrder instanceof EndpointsForToken && sorter.context().inRequest()) {
        sorter.moveToFront(theirs); // where the read goes
        passing.onOrdered(sorter, theirs, stockOrder, now);
        forgetPlan(stockOrder); // passing may have been switched on meanwhile
      }
      ReadKind kind = kind(stockOrder);
      PeerLoad load = ours.load(kind);
      PeerLoad theirLoad = theirs.load(kind);
      if (theirs != ours && theirLoad.hasResponded() && load.hasResponded()) {
        counts.observedElsewhere.increment();
        double gain = theirLoad.responseTimeNanos() - load.responseTimeNanos();
        counts.expectedGainMicros.add((long) (gain / 1000));
      }
      if (live.settings().rateObserved && mayHold(sorter, stockOrder)) {
        observeRates(sorter, theirs);
      }
      if (decisions.wants(live.settings().decisionsPerSecond, now)) {
        decisions.record(Mode.OBSERVE, sorter, theirs, "stock order is used");
      }
    } catch (Throwable e) {
      guard.failed("observing", e);
    }
  }
}
