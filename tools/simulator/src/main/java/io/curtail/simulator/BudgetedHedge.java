/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.IntCountsHistogram;

/**
 * One client's hedges by the rule of bhope/hedge (2026): a read that has waited for longer than the
 * p90 of its server's reads, and at least a millisecond, gets one copy, as long as a token bucket
 * lets it. The bucket fills with a tenth of the client's mean rate and holds what comes in two
 * seconds. The p90 is over the last 30 to 60 seconds of times to the first answer; a server's first
 * 20 reads wait 10 ms.
 *
 * <p>Source: github.com/bhope/hedge, its defaults. Departures: the copy goes to the next replica,
 * where the library asks the same address again; and what lost is served to its end, where the
 * library cancels the call, which stops no read of a Cassandra node.
 */
final class BudgetedHedge implements ExtraCopies, Actor {
  private static final double PERCENTILE = 90;
  private static final long LEAST_DELAY_NANOS = 1_000_000;
  private static final long FIRST_DELAY_NANOS = 10_000_000;
  private static final int FIRST_READS = 20;
  private static final long WINDOW_NANOS = 30_000_000_000L;
  private static final double BUDGET = 0.1;
  private static final double BURST_NANOS = 2e9;

  private final Simulation simulation;
  private final Client client;
  private final Times[] times;
  private final double tokensPerNano;
  private double tokens;
  private long filledAtNanos;

  BudgetedHedge(Simulation simulation, Client client) {
    this.simulation = simulation;
    this.client = client;
    SimulatedScenario scenario = simulation.scenario;
    this.times = new Times[scenario.servers];
    this.tokensPerNano =
        BUDGET * 1e-6 * scenario.utilisation * scenario.capacityPerMilli() / scenario.clients;
    this.tokens = burst();
  }

  private double burst() {
    return Math.max(1, tokensPerNano * BURST_NANOS);
  }

  private Times times(Server server) {
    Times known = times[server.number];
    if (known == null) {
      known = new Times();
      times[server.number] = known;
    }
    return known;
  }

  @Override
  public void onSent(Read read) {
    long delay = times(read.oldest().server).delayNanos(simulation.loop.nowNanos());
    simulation.loop.after(delay, this, 0, read);
  }

  @Override
  public void on(int event, Object subject) {
    Read read = (Read) subject;
    if (!read.done && takeToken(simulation.loop.nowNanos())) {
      client.sendToBest(read);
    }
  }

  private boolean takeToken(long nowNanos) {
    tokens = Math.min(burst(), tokens + tokensPerNano * (nowNanos - filledAtNanos));
    filledAtNanos = nowNanos;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }

  @Override
  public void onDone(Read read) {
    Copy first = read.oldest();
    times(first.server).took(simulation.loop.nowNanos() - first.sentNanos);
  }

  /** How long the reads that were first sent to one server took, in microseconds. */
  private static final class Times {
    private AbstractHistogram current = new IntCountsHistogram(2);
    private AbstractHistogram previous = new IntCountsHistogram(2);
    private long turnsAtNanos = WINDOW_NANOS;
    private int sent;

    void took(long nanos) {
      current.recordValue(Math.max(1, nanos / 1_000));
    }

    long delayNanos(long nowNanos) {
      while (nowNanos >= turnsAtNanos) {
        turnsAtNanos += WINDOW_NANOS;
        previous = current;
        current = new IntCountsHistogram(2);
      }
      AbstractHistogram both = current;
      if (previous.getTotalCount() > 0) {
        both = current.copy();
        both.add(previous);
      }
      return sent++ < FIRST_READS || both.getTotalCount() == 0
          ? FIRST_DELAY_NANOS
          : Math.max(LEAST_DELAY_NANOS, 1_000 * both.getValueAtPercentile(PERCENTILE));
    }
  }
}
