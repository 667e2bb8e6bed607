/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Measures the reads that pass, attaches feedback to those served, and picks up a replica that has
 * been silent for too long. Never throws.
 */
final class MeasuredTraffic implements ReadTraffic {
  /** What this thread serves. */
  private static final class Serving {
    long id;
    long startedAtNanos;
  }

  private final Plugin plugin;
  private final Host host;

  @SuppressWarnings("ThreadLocalUsage") // there is one plug-in in a process
  private final ThreadLocal<Serving> serving = ThreadLocal.withInitial(Serving::new);

  MeasuredTraffic(Plugin plugin, Host host) {
    this.plugin = plugin;
    this.host = host;
  }

  @Override
  public InetAddressAndPort onReadSent(InetAddressAndPort to, long id, boolean range, Object read) {
    Mode mode = plugin.mode();
    if (!mode.measures()) {
      return null;
    }
    try {
      RequestMemory memory = plugin.order().memory();
      Peer peer = plugin.selector().peers().of(to);
      peer.onReadSent(id, range, memory.usePermit(peer), host.nanoTime());
      memory.onSending();
      if (!range && host.request() != null) {
        peer.lastRead = read;
      }
      Peer silent = range ? null : memory.takeSilent();
      if (silent == null || silent == peer) {
        return null;
      }
      silent.probes.increment();
      plugin.counts().probes.increment();
      return silent.endpoint;
    } catch (Throwable e) {
      plugin.guard().failed("counting a read that is sent", e, host.nanoTime());
      return null;
    }
  }

  @Override
  public void onReadAnswered(InetAddressAndPort from, long id, boolean range, byte[] feedback) {
    try {
      Peer peer = plugin.selector().peers().get(from);
      if (peer != null) {
        peer.onReadAnswered(id, range, InternodeFeedback.decode(feedback), host.nanoTime());
      }
    } catch (Throwable e) {
      plugin.guard().failed("measuring an answer", e, host.nanoTime());
    }
  }

  @Override
  public void onRequestFailed(InetAddressAndPort from, long id) {
    try {
      Peer peer = plugin.selector().peers().get(from);
      if (peer != null) {
        peer.onReadFailed(id, host.readTimeoutNanos(), host.nanoTime());
      }
    } catch (Throwable e) {
      plugin.guard().failed("counting a failure", e, host.nanoTime());
    }
  }

  @Override
  public void onServing(long id) {
    if (plugin.mode().measures()) {
      Serving mine = serving.get();
      mine.id = id;
      mine.startedAtNanos = host.nanoTime();
    }
  }

  @Override
  public byte[] feedbackFor(long id) {
    if (!plugin.mode().measures()) {
      return null;
    }
    try {
      Serving mine = serving.get();
      if (mine.id != id) {
        return null;
      }
      mine.id = 0; // the answer comes by once more, with the feedback on it
      Feedback feedback = host.readStage(true, host.nanoTime() - mine.startedAtNanos);
      plugin.counts().feedbackSent.increment();
      return InternodeFeedback.encode(feedback);
    } catch (Throwable e) {
      plugin.guard().failed("reporting load", e, host.nanoTime());
      return null;
    }
  }
}
