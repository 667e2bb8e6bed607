/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.Candidates;
import io.curtail.selection.DelayMemory;
import io.curtail.selection.hedging.CopyChoice;
import io.curtail.selection.hedging.Hedging;
import io.curtail.selection.hedging.Hedging.Verdict;
import io.curtail.selection.hedging.ReplicaTail;
import io.curtail.selection.weighted.Weights;

/**
 * One client's second copies as the driver's {@code AdaptiveSpeculativeExecution} sends them, over
 * {@code adaptive}: one a read, by what the client sees itself. The driver tells of the first
 * answer to a request, and of no other.
 */
final class DriverCopies implements ExtraCopies, Actor {
  /** The driver counts delays in whole milliseconds. */
  private static final long MILLISECOND = 1_000_000;

  /** What is known of a copy until its read is answered. */
  record Sent(Server silent, long askedAtNanos, Copy copy, long usualNanos) {}

  private final Simulation simulation;
  private final Client client;
  private final Hedging hedging;
  private final ReplicaTail[] tails;

  /** Whether the first replica of the latest ranking is asked to learn how it is. */
  private boolean isProbe;

  DriverCopies(Simulation simulation, Client client) {
    this.simulation = simulation;
    this.client = client;
    hedging = new Hedging(simulation.scenario.driverHedgeShare);
    tails = new ReplicaTail[simulation.servers.length];
    for (int server = 0; server < tails.length; server++) {
      tails[server] = hedging.newTail();
    }
  }

  @Override
  public void onRanked(Candidates candidates) {
    isProbe = candidates.size() > 1 && candidates.score(0) == 0;
  }

  @Override
  public void onSent(Read read) {
    // Of a coordinator that reads from several the driver sees one answer: not modelled.
    if (read.needed > 1) {
      return;
    }
    Server asked = read.first.server;
    read.isProbe = isProbe && asked == client.replica(0);
    // One that probes waits no longer than for the better replica.
    Server expected = read.isProbe ? client.replica(1) : asked;
    long delay = hedging.delayNanos(tails[expected.number], tails.length, server -> tails[server]);
    if (delay > 0) {
      long inDriver = Math.max(1, (delay + MILLISECOND - 1) / MILLISECOND) * MILLISECOND;
      simulation.loop.after(inDriver, this, 0, read);
    }
  }

  @Override
  public void on(int event, Object subject) {
    Read read = (Read) subject;
    if (!read.done && read.sent == null && hedging.verdict() == Verdict.COPY) {
      copy(read);
    }
  }

  private void copy(Read read) {
    long now = simulation.loop.nowNanos();
    Copy first = read.first;
    ReplicaTail silent = tails[first.server.number];
    CopyChoice choice = new CopyChoice(hedging, now - first.sentNanos, now);
    for (int replica : read.replicas) {
      Server server = simulation.servers[replica];
      if (!read.sentTo(replica) && server.isUp()) {
        ServerLoad load = client.load(replica);
        DelayMemory known = DelayMemory.of(load);
        ReplicaTail tail = tails[replica];
        choice.offer(
            replica,
            tail,
            known.delay().overdueNanos(load.outstanding(), tail.usualNanos(), now),
            known.health.isFailing(now),
            load.outstanding(),
            Weights.NETFLIX.distance(server.zone != first.server.zone, true));
      }
    }
    if (choice.verdict(silent) != Verdict.COPY) {
      return;
    }
    if (!read.isProbe) {
      hedging.overdue(silent);
    }
    int target = choice.best();
    long usual = hedging.sent(tails[target]);
    DelayMemory.of(client.load(target)).delay().sent(now);
    Copy copy = client.sendWhateverTheRate(read, simulation.servers[target]);
    read.sent = new Sent(first.server, first.sentNanos, copy, usual);
  }

  @Override
  public void onAnswer(Copy copy, long elapsedNanos) {
    if (copy.read.done || copy.shadow) {
      return;
    }
    long now = simulation.loop.nowNanos();
    Sent sent = copy.read.sent;
    hedging.answered(tails[copy.server.number], elapsedNanos, sent != null, now);
    if (sent == null) {
      return;
    }
    boolean won = copy == sent.copy;
    long copyNanos = won ? elapsedNanos : now - sent.copy.sentNanos;
    hedging.ended(tails[sent.copy.server.number], sent.usualNanos, won, copyNanos);
    if (won) {
      DelayMemory.of(client.load(sent.silent.number)).delay().silent(now - sent.askedAtNanos);
    }
  }

  @Override
  public boolean hearsLateAnswers() {
    return false;
  }
}
