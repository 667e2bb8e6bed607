/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.ProbeRule;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Asks replicas that are not chosen how they are: sends them a copy of a read, which no client
 * waits for. A copy of the read that is sent now; or, when this node reads its own data and sends
 * none, of an earlier one. Thread-safe.
 *
 * <p>A replica is probed when it has not been heard for {@code refresh_ms}, with {@code
 * refresh_percent} of the reads at most.
 */
final class Probing {
  /** What is known of one peer for probing it. Thread-safe. */
  static final class Target {
    final ProbeRule.Turn turn;
    private volatile Object latestRead;

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
        if (first.self) {
          sendLatest(peer);
        } else {
          sorter.context().probe(peer);
        }
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
    if (host.request() != null) {
      peer.probing.latestRead = read;
    }
    Peer probed = context.probe();
    if (probed != null && (probed == peer || send(read, probed))) {
      context.probe(null);
    }
  }

  private void sendLatest(Peer peer) {
    Object read = peer.probing.latestRead;
    if (read != null) {
      boolean unused = send(read, peer);
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
