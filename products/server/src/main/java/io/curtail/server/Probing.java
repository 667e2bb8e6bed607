/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks replicas that are not chosen how they are: sends them a copy of a read, which no client
 * waits for. A copy of the read that is sent now; or, when this node reads its own data and sends
 * none, of an earlier one. Thread-safe.
 *
 * <p>A replica is probed when it has not been heard for {@code refresh_ms}, with {@code
 * refresh_percent} of the reads at most.
 */
final class Probing {
  private static final double SHARE_WHEN_OWN_READS_ARE_WELL = 0.1;

  /** What is known of one peer for probing it. Thread-safe. */
  static final class Target {
    private final AtomicLong notBeforeNanos;
    private volatile Object latestRead;

    Target(long nowNanos) {
      notBeforeNanos = new AtomicLong(nowNanos);
    }

    /** Takes the right to probe now; one thread gets it, once in such a time. */
    boolean take(long onceInNanos, long nowNanos) {
      long notBefore = notBeforeNanos.get();
      return nowNanos - notBefore >= 0
          && notBeforeNanos.compareAndSet(notBefore, nowNanos + onceInNanos);
    }
  }

  private final Host host;
  private final LocalReads localReads;
  private final Counts counts;
  private final Guard guard;

  Probing(Host host, LocalReads localReads, Counts counts, Guard guard) {
    this.host = host;
    this.localReads = localReads;
    this.counts = counts;
    this.guard = guard;
  }

  /**
   * Looks for a replica to probe among those of a point read that has been ordered.
   *
   * @param first where the read goes
   */
  void onOrdered(ReplicaSorter sorter, Peer first, Settings settings, long nowNanos) {
    if (settings.refreshNanos == 0 || !mayRefresh(first, settings)) {
      return;
    }
    for (int place = 0; place < sorter.ranked(); place++) {
      Peer peer = sorter.ranked(place);
      if (peer != first && isDue(peer, settings, nowNanos)) {
        if (first.self) {
          sendLatest(peer);
        } else {
          sorter.context().probe(peer);
        }
        return;
      }
    }
  }

  private static boolean isDue(Peer peer, Settings settings, long nowNanos) {
    return peer.point.isUnheardFor(settings.refreshNanos, nowNanos)
        && peer.probing.take(settings.refreshNanos, nowNanos);
  }

  // While this node reads its own data as fast as ever, what a probe tells changes nothing; and a
  // probe is work for two nodes where the read is work for one.
  private boolean mayRefresh(Peer first, Settings settings) {
    double percent = settings.refreshPercent;
    if (first.self && !localReads.areSlow()) {
      percent *= SHARE_WHEN_OWN_READS_ARE_WELL;
    }
    return ThreadLocalRandom.current().nextDouble(100) < percent;
  }

  /** A point read is being sent to the peer by this thread, which works on the request. */
  void onSent(Peer peer, Object read, RequestContext context) {
    if (host.request() != null) {
      peer.probing.latestRead = read;
    }
    Peer probed = context.takeProbe();
    if (probed != null && probed != peer) {
      send(read, probed);
    }
  }

  private void sendLatest(Peer peer) {
    Object read = peer.probing.latestRead;
    if (read != null) {
      send(read, peer);
    }
  }

  private void send(Object read, Peer peer) {
    if (host.sendProbe(read, peer.endpoint, this::sendingFailed)) {
      peer.counts.probes.increment();
      counts.probes.increment();
    }
  }

  private void sendingFailed(Throwable error) {
    guard.failed("sending a probe", error);
  }
}
