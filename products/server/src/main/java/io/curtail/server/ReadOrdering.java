/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.ReplicaCollection;

/**
 * Orders the replicas of each read by the mode. Whatever goes wrong, the embedded dynamic snitch
 * orders, as on a stock node. Also called for streaming, hints and batches: only a read of one
 * partition within a CQL request is ever held or probed for.
 */
final class ReadOrdering {
  private static final double SHARE_OF_PROBES_WHEN_WELL = 0.1;

  /**
   * So often a peer is asked again that was faster than this node a moment ago. Its latest answers
   * may have met a pause; this node's reads, which went to it, are its own now and tell no more.
   */
  private static final long ASK_AGAIN_NANOS = 20_000_000;

  private final Plugin plugin;
  private final Host host;
  private final IEndpointSnitch topology;
  private final IEndpointSnitch stock;

  /**
   * @param topology the cluster's own snitch
   * @param stock the dynamic snitch around it
   */
  ReadOrdering(Plugin plugin, Host host, IEndpointSnitch topology, IEndpointSnitch stock) {
    this.plugin = plugin;
    this.host = host;
    this.topology = topology;
    this.stock = stock;
  }

  <C extends ReplicaCollection<? extends C>> C sorted(InetAddressAndPort from, C replicas) {
    Mode mode = plugin.mode();
    if (replicas.size() < 2 || !mode.measures() || !from.equals(host.self())) {
      return stock.sortedByProximity(from, replicas);
    }
    if (!mode.ranks()) {
      C stockOrder = stock.sortedByProximity(from, replicas);
      observe(stockOrder);
      return stockOrder;
    }
    try {
      C ordered = rank(topology.sortedByProximity(from, replicas), mode);
      if (ordered != null) {
        return ordered;
      }
    } catch (ReadBacklog.Full e) {
      throw Cassandra50.overloaded(e.getMessage());
    } catch (Throwable e) {
      plugin.guard().failed("ranking replicas", e, host.nanoTime());
    }
    return stock.sortedByProximity(from, replicas);
  }

  boolean isWorthMerging(
      ReplicaCollection<?> merged, ReplicaCollection<?> left, ReplicaCollection<?> right) {
    IEndpointSnitch judge = plugin.mode().ranks() ? topology : stock;
    return judge.isWorthMergingForRangeQuery(merged, left, right);
  }

  /** Returns null if the stock order must do. */
  private <C extends ReplicaCollection<? extends C>> C rank(C near, Mode mode) {
    ReplicaOrder order = plugin.order();
    Selector selector = plugin.selector();
    Settings settings = plugin.settings();
    long now = host.nanoTime();
    order.memory().enter(host.request());
    boolean choice = order.rank(selector, near, now);
    boolean readOfOnePartition = near instanceof EndpointsForToken && order.memory().inRequest();
    Peer admitted =
        choice && readOfOnePartition ? admit(order, selector, settings, near, mode) : null;
    if (!order.place()) {
      plugin.counts().fellBack.increment();
      return null;
    }
    if (choice && order.ranked() > 0) {
      chosen(order, admitted, readOfOnePartition, settings, mode, now);
    }
    return order.sorted(near);
  }

  private void chosen(
      ReplicaOrder order,
      Peer admitted,
      boolean readOfOnePartition,
      Settings settings,
      Mode mode,
      long now) {
    Peer best = order.ranked(0);
    Peer first = admitted == null ? best : admitted;
    if (first != best) {
      order.moveToFront(first);
    }
    plugin.counts().ranked.increment();
    first.chosen.increment();
    if (readOfOnePartition) {
      order.memory().pick(first);
      probe(order, first, settings, now);
    }
    if (plugin.decisions().wants(settings.decisionsPerSecond, now)) {
      String reason =
          first != best
              ? "first with room at its rate"
              : order.keptNear() ? "nearest, and not much worse" : "lowest score";
      plugin.decisions().record(mode, order, first, reason);
    }
  }

  /**
   * Returns the best replica with room at its rate; null if none had any, or rates do not count.
   */
  private Peer admit(
      ReplicaOrder order,
      Selector selector,
      Settings settings,
      ReplicaCollection<?> near,
      Mode mode) {
    if (mode == Mode.RANK_AND_RATE) {
      Runnable rankAgain = () -> order.rank(selector, near, host.nanoTime());
      Peer admitted = plugin.backlog().admit(order, settings, host, rankAgain);
      order.memory().holdPermit(admitted);
      return admitted;
    }
    if (settings.rateObserved) {
      order.memory().holdPermit(plugin.backlog().observe(order, host));
    }
    return null;
  }

  // A replica that nobody chose for a while gets a copy of a read, which no client waits for: of
  // the read that is sent now, or, when this node reads its own data and sends none, of an old one.
  private void probe(ReplicaOrder order, Peer first, Settings settings, long now) {
    if (settings.refreshNanos == 0 || settings.refreshPercent == 0) {
      return;
    }
    boolean lookForSilent = mayProbe(first, settings);
    for (int place = 0; place < order.ranked(); place++) {
      Peer peer = order.ranked(place);
      if (peer == first) {
        continue;
      }
      if (first.self
          && peer.wasFaster(first.responseTimeNanos(), now)
          && peer.takeProbe(ASK_AGAIN_NANOS, now)) {
        readAgain(peer);
        return;
      }
      if (lookForSilent
          && peer.isSilent(settings.refreshNanos, now)
          && peer.takeProbe(settings.refreshNanos, now)) {
        if (first.self) {
          readAgain(peer);
        } else {
          order.memory().silent(peer);
        }
        return;
      }
    }
  }

  private void readAgain(Peer peer) {
    Object read = peer.lastRead;
    if (read != null && host.readAgain(read, peer.endpoint, this::readAgainFailed)) {
      peer.probes.increment();
      plugin.counts().probes.increment();
    }
  }

  private void readAgainFailed(Throwable error) {
    plugin.guard().failed("sending a read again", error, host.nanoTime());
  }

  // While this node reads its own data as fast as ever, what a probe tells changes nothing; and a
  // probe is work for two nodes where the read is work for one.
  private boolean mayProbe(Peer first, Settings settings) {
    double percent = settings.refreshPercent;
    if (first.self && !plugin.localReads().areSlow()) {
      percent *= SHARE_OF_PROBES_WHEN_WELL;
    }
    return ThreadLocalRandom.current().nextDouble(100) < percent;
  }

  private void observe(ReplicaCollection<?> stockOrder) {
    try {
      ReplicaOrder order = plugin.order();
      long now = host.nanoTime();
      order.memory().enter(host.request());
      if (!order.rank(plugin.selector(), stockOrder, now) || !order.place()) {
        return;
      }
      Counts counts = plugin.counts();
      counts.observed.increment();
      Peer ours = order.ranked(0);
      Peer theirs = order.stockFirst();
      if (theirs != ours && theirs.hasResponded() && ours.hasResponded()) {
        counts.observedElsewhere.increment();
        double gain = theirs.responseTimeNanos() - ours.responseTimeNanos();
        counts.expectedGainMicros.add((long) (gain / 1000));
      }
      if (plugin.settings().rateObserved && order.memory().inRequest()) {
        order.memory().holdPermit(plugin.backlog().observe(order, host));
      }
      if (plugin.decisions().wants(plugin.settings().decisionsPerSecond, now)) {
        plugin.decisions().record(Mode.OBSERVE, order, theirs, "stock order is used");
      }
    } catch (Throwable e) {
      plugin.guard().failed("observing", e, host.nanoTime());
    }
  }
}
