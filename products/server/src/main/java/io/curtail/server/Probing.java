/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.ProbeRule;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Asks replicas that are not chosen how they are: sends them a copy of a read, which no client
 * waits for. A copy of the read that is sent now; or, when this node reads its own data and sends
 * none, of that read once it is answered. So each is another read, and none is of reads that fail.
 * Thread-safe.
 *
 * <p>A replica is probed when it has not been heard for {@code refresh_ms}, with {@code
 * refresh_percent} of the reads at most.
 */
final class Probing {
  /** What is known of one peer for probing it. Thread-safe. */
  static final class Target {
    final ProbeRule.Turn turn;

    Target(long nowNanos) {
      turn = new ProbeRule.Turn(nowNanos);
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
    ProbeRule rule = settings.probes;
    if (!rule.isOn() || sorter.context().probe() != null || !mayProbe(rule, first)) {
      return;
    }
    for (int place = 0; place < sorter.ranked(); place++) {
      Peer peer = sorter.ranked(place);
      if (peer != first && rule.take(peer.point, peer.probing.turn, nowNanos)) {
        sorter.context().probe(peer);
        return;
      }
    }
  }

  private boolean mayProbe(ProbeRule rule, Peer first) {
    double drawn = ThreadLocalRandom.current().nextDouble();
    return rule.mayProbe(first.self, localReads.areSlow(), drawn);
  }

  /** A point read is being sent to the peer by this thread, which works on the request. */
  void onSent(Peer peer, Object read, RequestContext context) {
    Peer probed = context.probe();
    if (probed != null && (probed == peer || send(read, probed))) {
      context.probe(null);
    }
  }

  /**
   * A query of the request that this thread works on was answered, and a probe still waits.
   *
   * @param reads of which the query was made
   */
  void onAnswered(List<?> reads, RequestContext context) {
    Peer probed = context.probe();
    context.probe(null);
    for (Object read : reads) {
      if (send(read, probed)) {
        return;
      }
    }
  }

  private boolean send(Object read, Peer peer) {
    boolean sent = host.sendProbe(read, peer.endpoint, this::sendingFailed);
    if (sent) {
      peer.counts.probes.increment();
      counts.probes.increment();
    }
    return sent;
  }

  private void sendingFailed(Throwable error) {
    guard.failed("sending a probe", error);
  }
}
