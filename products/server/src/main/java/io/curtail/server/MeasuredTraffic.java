/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import java.util.List;
import java.util.function.Supplier;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Measures the reads that pass and gives feedback for the answers to those served. Never throws.
 */
final class MeasuredTraffic implements ReadTraffic {
  /** What this thread serves. */
  private static final class Serving {
    long id;
    long startedAtNanos;
  }

  private final LiveSettings live;
  private final Host host;
  private final ThreadLocal<ReplicaSorter> sorters;
  private final Probing probing;
  private final Counts counts;
  private final Guard guard;

  @SuppressWarnings("ThreadLocalUsage") // there is one plug-in in a process
  private final ThreadLocal<Serving> serving = ThreadLocal.withInitial(Serving::new);

  MeasuredTraffic(
      LiveSettings live,
      Host host,
      ThreadLocal<ReplicaSorter> sorters,
      Probing probing,
      Counts counts,
      Guard guard) {
    this.live = live;
    this.host = host;
    this.sorters = sorters;
    this.probing = probing;
    this.counts = counts;
    this.guard = guard;
  }

  @Override
  public void onReadSent(InetAddressAndPort to, long id, ReadKind kind, Object read) {
    if (!live.mode().measures()) {
      return;
    }
    try {
      RequestContext context = sorters.get().context();
      Peer peer = live.policy().peers().of(to);
      peer.reads.onSent(id, kind, context.usePermit(peer), host.nanoTime());
      context.onSending();
      if (kind == ReadKind.POINT) {
        probing.onSent(peer, read, context);
      }
    } catch (Throwable e) {
      guard.failed("counting a read that is sent", e);
    }
  }

  @Override
  public void onQueryAnswered(Supplier<List<?>> reads) {
    if (!live.mode().ranks()) {
      return;
    }
    try {
      RequestContext context = sorters.get().context();
      if (context.probe() != null && context.isIn(host.request())) {
        probing.onAnswered(reads.get(), context);
      }
    } catch (Throwable e) {
      guard.failed("probing with a read that was answered", e);
    }
  }

  @Override
  public void onReadAnswered(InetAddressAndPort from, long id, ReadKind kind, byte[] feedback) {
    try {
      Peer peer = live.policy().peers().get(from);
      if (peer != null) {
        peer.reads.onAnswered(id, kind, FeedbackCodec.decode(feedback), host.nanoTime());
      }
    } catch (Throwable e) {
      guard.failed("measuring an answer", e);
    }
  }

  @Override
  public void onRequestFailed(InetAddressAndPort from, long id, FailureCause cause) {
    try {
      Peer peer = live.policy().peers().get(from);
      if (peer != null) {
        peer.reads.onFailed(
            id, cause, host.readTimeoutNanos(), host.rangeTimeoutNanos(), host.nanoTime());
      }
    } catch (Throwable e) {
      guard.failed("counting a failure", e);
    }
  }

  @Override
  public void onOwnReadAnswered() {
    if (!live.mode().measures()) {
      return;
    }
    try {
      sorters.get().context().onSending();
    } catch (Throwable e) {
      guard.failed("counting a read of this node's own data", e);
    }
  }

  @Override
  public void onOwnReadFailed(ReadKind kind) {
    if (!live.mode().measures()) {
      return;
    }
    try {
      Peer self = live.policy().peers().of(host.self());
      self.counts.failed.increment();
      self.load(kind).onSent();
      long timeout = kind == ReadKind.POINT ? host.readTimeoutNanos() : host.rangeTimeoutNanos();
      self.load(kind).onFailure(0, timeout, host.nanoTime());
    } catch (Throwable e) {
      guard.failed("counting a failure", e);
    }
  }

  @Override
  public void onServing(long id) {
    if (live.mode().measures()) {
      Serving mine = serving.get();
      mine.id = id;
      mine.startedAtNanos = host.nanoTime();
    }
  }

  @Override
  public byte[] feedbackFor(long id) {
    if (!live.mode().measures()) {
      return null;
    }
    try {
      Serving mine = serving.get();
      if (mine.id != id) {
        return null;
      }
      mine.id = 0; // the answer comes by once more, with the feedback on it
      Feedback feedback = host.readStage(true, host.nanoTime() - mine.startedAtNanos);
      counts.feedbackSent.increment();
      return FeedbackCodec.encode(feedback.withSlotsTaken()); // this thread is about to be free
    } catch (Throwable e) {
      guard.failed("reporting load", e);
      return null;
    }
  }
}
