/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.Candidates;
import io.curtail.selection.backlog.Backlog;
import io.curtail.selection.rate.RankedPermits;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A client's rate control: a backlog for each replica group holds the reads that no replica's rate
 * lets through.
 */
final class Pacing implements Actor, Backlog.Sender<Read> {
  private final Simulation simulation;
  private final Client client;
  private final Candidates candidates;
  private final RankedPermits permits =
      new RankedPermits(replica -> ((ServerLoad) replica).rateControl);
  private final Map<Integer, Backlog<Read>> backlogs = new HashMap<>();
  private final Set<Integer> wakeUps = new HashSet<>();

  /**
   * @param candidates the client's, as {@link Client#rank} leaves it
   */
  Pacing(Simulation simulation, Client client, Candidates candidates) {
    this.simulation = simulation;
    this.client = client;
    this.candidates = candidates;
  }

  private long now() {
    return simulation.loop.nowNanos();
  }

  /** Sends the read as soon as the rates allow it. */
  void submit(Read read) {
    Backlog<Read> backlog =
        backlogs.computeIfAbsent(read.group, group -> new Backlog<>(Integer.MAX_VALUE, this));
    double most = simulation.scenario.backlogMillis;
    long deadline = most == 0 ? Long.MAX_VALUE : now() + (long) (most * 1e6);
    backlog.submit(read, deadline, now());
    drain(read.group);
  }

  /** A copy goes to the replica at this place of the candidates whatever its rate. */
  void spend(int place) {
    spend((ServerLoad) candidates.get(place));
  }

  /** A copy goes there whatever its rate. */
  void spend(ServerLoad load) {
    if (load.rateControl != null) {
      load.rateControl.acquire(now());
    }
  }

  void onResponse(ServerLoad load, long elapsedNanos) {
    if (load.rateControl != null) {
      load.rateControl.onResponse(elapsedNanos, now());
    }
    drainGroupsOf(load.server.number);
  }

  void onFailure(ServerLoad load) {
    if (load.rateControl != null) {
      load.rateControl.onFailure(now());
    }
    drainGroupsOf(load.server.number);
  }

  void onAbandoned(ServerLoad load) {
    if (load.rateControl != null) {
      load.rateControl.onAbandoned();
    }
    drainGroupsOf(load.server.number);
  }

  @Override
  public void on(int event, Object subject) {
    Integer group = (Integer) subject;
    wakeUps.remove(group);
    drain(group);
  }

  @Override
  public long trySend(Read read, long nowNanos) {
    client.rank(read);
    if (read.broadcast) {
      for (int i = 0; i < candidates.size(); i++) {
        spend(i);
      }
      client.send(read, 0);
      return 0;
    }
    int place = permits.tryTake(candidates, nowNanos);
    if (place == RankedPermits.NONE) {
      return permits.waitNanos();
    }
    client.send(read, place);
    return 0;
  }

  @Override
  public void onExpired(Read read, long nowNanos) {
    client.rank(read);
    if (candidates.size() > 0) {
      spend(0);
    }
    client.send(read, 0);
  }

  private void drainGroupsOf(int server) {
    int servers = simulation.servers.length;
    for (int i = 0; i < simulation.scenario.replicationFactor; i++) {
      int group = Math.floorMod(server - i, servers);
      Backlog<Read> backlog = backlogs.get(group);
      if (backlog != null && backlog.size() > 0) {
        drain(group);
      }
    }
  }

  private void drain(int group) {
    long wait = backlogs.get(group).drain(now());
    if (wait != Backlog.NOTHING_TO_WAIT_FOR && wakeUps.add(group)) {
      simulation.loop.after(wait, this, 0, group);
    }
  }
}
