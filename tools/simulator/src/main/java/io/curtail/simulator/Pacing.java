/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.Candidates;
import io.curtail.selection.rate.RankedPermits;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A client's rate control: a backlog for each replica group holds the reads that no replica's rate
 * lets through, first in first out, none past its own deadline. At its head the client ranks again
 * each time, so a read goes to the replica that is best when it leaves.
 */
final class Pacing implements Actor {
  private static final long NOTHING_TO_WAIT_FOR = Long.MAX_VALUE;

  private record Waiting(Read read, long deadlineNanos) {}

  private final Simulation simulation;
  private final Client client;
  private final Candidates candidates;
  private final RankedPermits permits =
      new RankedPermits(replica -> ((ServerLoad) replica).rateControl);
  private final Map<Integer, ArrayDeque<Waiting>> backlogs = new HashMap<>();
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
    ArrayDeque<Waiting> backlog = backlogs.computeIfAbsent(read.group, group -> new ArrayDeque<>());
    double most = simulation.scenario.backlogMillis;
    long deadline = most == 0 ? Long.MAX_VALUE : now() + (long) (most * 1e6);
    sendWhatMayGo(backlog);
    if (!backlog.isEmpty() || trySend(read) > 0) {
      backlog.add(new Waiting(read, deadline));
    }
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

  /** Sends to the best replica that may get the read; else returns how long none may. */
  private long trySend(Read read) {
    client.rank(read);
    if (read.broadcast) {
      for (int i = 0; i < candidates.size(); i++) {
        spend(i);
      }
      client.send(read, 0);
      return 0;
    }
    int place = permits.tryTake(candidates, now());
    if (place == RankedPermits.NONE) {
      return permits.waitNanos();
    }
    client.send(read, place);
    return 0;
  }

  /** Sends a read that has waited as long as it may, whatever the rates. */
  private void sendAnyway(Read read) {
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
      ArrayDeque<Waiting> backlog = backlogs.get(group);
      if (backlog != null && !backlog.isEmpty()) {
        drain(group);
      }
    }
  }

  private void drain(int group) {
    long wait = sendWhatMayGo(backlogs.get(group));
    if (wait != NOTHING_TO_WAIT_FOR && wakeUps.add(group)) {
      simulation.loop.after(wait, this, 0, group);
    }
  }

  /** Returns after how long to try again. */
  private long sendWhatMayGo(ArrayDeque<Waiting> backlog) {
    while (!backlog.isEmpty()) {
      Waiting head = backlog.element();
      long left = head.deadlineNanos - now();
      long wait = left <= 0 ? 0 : trySend(head.read);
      if (wait > 0) {
        return Math.min(wait, left);
      }
      backlog.remove();
      if (left <= 0) {
        sendAnyway(head.read);
      }
    }
    return NOTHING_TO_WAIT_FOR;
  }
}
