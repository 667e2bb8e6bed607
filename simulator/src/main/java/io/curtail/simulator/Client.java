/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.PolicySettings;
import io.curtail.selection.ProbingPolicy;
import io.curtail.selection.Ranking;
import io.curtail.selection.RankingPolicy;
import io.curtail.selection.SplitMix64;
import io.curtail.selection.backlog.Backlog;
import io.curtail.selection.passing.Route;
import io.curtail.selection.rate.RateControl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A client: ranks the replicas of each read by what it knows, sends, and learns from answers. */
final class Client implements Actor, Backlog.Sender<Read> {
  static final int ANSWER = 1;
  static final int NOTICE = 2;
  static final int PROBED = 3;
  static final int BACKLOG = 4;
  static final int TIMEOUT = 6;
  static final int SPECULATE = 7;
  static final int RETURNED = 8;
  static final int LATE_FEEDBACK = 9;

  private final Simulation simulation;
  final int number;
  final int zone;
  private final SplitMix64 random;
  private final RankingPolicy policy;
  private final Ranking ranking;
  private final ServerLoad[] loads;
  private final SecondCopies secondCopies;
  private final Map<Integer, Backlog<Read>> backlogs = new HashMap<>();
  private final Set<Integer> wakeUps = new HashSet<>();

  Client(Simulation simulation, int number, int zone, SplitMix64 random, PolicySettings settings) {
    this.simulation = simulation;
    this.number = number;
    this.zone = zone;
    this.random = random;
    this.policy = simulation.ranking == null ? null : simulation.ranking.newRanking(settings);
    this.ranking = new Ranking(random);
    this.loads = new ServerLoad[simulation.servers.length];
    this.secondCopies = simulation.hedged ? new SecondCopies(simulation, this) : null;
  }

  ServerLoad load(int server) {
    ServerLoad load = loads[server];
    if (load == null) {
      load = simulation.newLoad(simulation.servers[server], zone);
      loads[server] = load;
    }
    return load;
  }

  void forget(int server) {
    loads[server] = null;
  }

  private long now() {
    return simulation.loop.nowNanos();
  }

  /** A user's read comes in. */
  void read(Read read) {
    if (simulation.rateControl == null) {
      rank(read);
      send(read, 0);
    } else {
      Backlog<Read> backlog =
          backlogs.computeIfAbsent(read.group, group -> new Backlog<>(Integer.MAX_VALUE, this));
      backlog.submit(read, Long.MAX_VALUE, now());
      drain(read.group);
    }
    if (policy instanceof ProbingPolicy prober) {
      probe(prober);
    }
  }

  private void probe(ProbingPolicy prober) {
    double probes = prober.probesPerRead();
    int whole = (int) probes + (random.nextDouble() < probes - (int) probes ? 1 : 0);
    for (int i = 0; i < whole; i++) {
      Server server = simulation.servers[random.nextInt(simulation.servers.length)];
      simulation.network.probe(this, server);
    }
  }

  private void rank(Read read) {
    ranking.start(now());
    for (int replica : read.replicas) {
      if (simulation.servers[replica].isUp() && !read.sentTo(replica)) {
        ranking.add(load(replica));
      }
    }
    if (ranking.size() > 0 && policy != null) {
      policy.rank(ranking);
    }
  }

  private Server best(Read read) {
    if (policy == null) {
      return simulation.oracle.best(read, this);
    }
    return ranking.size() == 0 ? null : server(0);
  }

  /** Sends as many copies as the read needs, the first to the replica at the given place. */
  private void send(Read read, int first) {
    if (read.broadcast) {
      for (int i = 0; i < ranking.size(); i++) {
        send(read, server(i)).shadow = i >= read.needed;
      }
      return;
    }
    for (int i = 0; i < read.needed; i++) {
      int place = i == 0 ? first : i <= first ? i - 1 : i;
      Server server =
          policy == null
              ? simulation.oracle.best(read, this)
              : place < ranking.size() ? server(place) : null;
      if (server == null) {
        simulation.lost(read);
        return;
      }
      if (i > 0 && policy != null && simulation.rateControl != null) {
        rateControl(place).acquire(now());
      }
      Copy copy = send(read, server);
      copy.cost = i == 0 ? 1 : simulation.scenario.digestCost;
      if (ranking.size() > read.needed) {
        giveSecondChance(copy, read.needed);
      }
    }
    if (secondCopies != null) {
      secondCopies.onSent(read);
    }
    if (simulation.scenario.speculativeRetryMillis > 0) {
      long delay = (long) (simulation.scenario.speculativeRetryMillis * 1e6);
      simulation.loop.after(delay, this, SPECULATE, read);
    }
  }

  private void giveSecondChance(Copy copy, int firstSpare) {
    if (simulation.secondChance == SecondChance.TIED) {
      copy.sibling = server(firstSpare);
    } else if (simulation.secondChance.hasRoute()) {
      List<Server> replicas = new ArrayList<>();
      replicas.add(copy.server);
      for (int i = firstSpare; i < ranking.size(); i++) {
        if (!ranking.get(i).isSilent(now())) {
          replicas.add(server(i));
        }
      }
      copy.route = new Route(replicas.toArray());
    }
  }

  private Copy send(Read read, Server server) {
    Copy copy = new Copy(read, server, now());
    read.add(copy);
    load(server.number).onSent();
    simulation.network.send(copy);
    if (simulation.scenario.timeoutMillis > 0) {
      simulation.loop.after((long) (simulation.scenario.timeoutMillis * 1e6), this, TIMEOUT, copy);
    }
    return copy;
  }

  @Override
  public void on(int event, Object subject) {
    switch (event) {
      case ANSWER -> answer((Copy) subject);
      case NOTICE -> notice((Network.Report) subject);
      case PROBED -> probed((Network.Report) subject);
      case BACKLOG -> {
        wakeUps.remove((Integer) subject);
        drain((Integer) subject);
      }
      case RETURNED -> returned((Network.Report) subject);
      case LATE_FEEDBACK -> {
        Network.Report report = (Network.Report) subject;
        load(report.server().number).onFeedback(report.feedback(), now());
      }
      case TIMEOUT -> timeout((Copy) subject);
      case SPECULATE -> speculate((Read) subject);
      default -> throw new AssertionError("event " + event);
    }
  }

  private void answer(Copy copy) {
    ServerLoad load = load(copy.server.number);
    if (secondCopies != null && !copy.failed) {
      secondCopies.onAnswer(copy, now() - copy.sentNanos);
    }
    if (simulation.scenario.feedbackDelayMillis > 0 && copy.feedback != null) {
      long late = (long) (simulation.scenario.feedbackDelayMillis * 1e6);
      Network.Report report = new Network.Report(copy.server, copy.feedback, copy);
      simulation.loop.after(late, this, LATE_FEEDBACK, report);
      copy.feedback = null;
    }
    long elapsed = now() - copy.sentNanos;
    if (copy.settled) {
      if (copy.feedback != null) {
        load.onFeedback(copy.feedback, now());
      }
    } else if (copy.failed) {
      copy.settled = true;
      load.onFailure(elapsed, 100_000_000, now());
      retry(copy.read);
    } else {
      copy.settled = true;
      load.onResponse(elapsed, copy.feedback, now());
      if (load.rateControl != null) {
        load.rateControl.onResponse(elapsed, now());
        drainGroupsOf(copy.server.number);
      }
    }
    if (!copy.failed && !copy.shadow) {
      answered(copy.read);
    }
  }

  private void answered(Read read) {
    if (read.done || ++read.answers < read.needed) {
      return;
    }
    read.done = true;
    if (secondCopies != null) {
      secondCopies.onDone(read);
    }
    // A second copy may have been dropped. A first one is owed: a silent server must not look idle.
    if (simulation.secondChance != SecondChance.NONE || read.slow) {
      for (Copy copy = read.first; copy != null; copy = copy.nextOfRead) {
        boolean mayBeGone = copy.hedge || copy.sibling != null || copy.state == Copy.State.DROPPED;
        if (!copy.settled && mayBeGone) {
          copy.settled = true;
          load(copy.server.number).onAbandoned();
        }
      }
    }
    simulation.completed(read);
  }

  private void retry(Read read) {
    if (!read.done && sendToBest(read) == null && !read.isOwedAnAnswer()) {
      simulation.lost(read);
    }
  }

  private void timeout(Copy copy) {
    if (copy.settled) {
      return;
    }
    copy.settled = true;
    long timeout = (long) (simulation.scenario.timeoutMillis * 1e6);
    load(copy.server.number).onFailure(timeout, timeout, now());
    retry(copy.read);
  }

  private void speculate(Read read) {
    if (!read.done && read.copies < read.replicas.length) {
      sendToBest(read);
    }
  }

  /** Sends another copy to the best replica that has none; returns null if there is none. */
  Copy sendToBest(Read read) {
    rank(read);
    Server next = best(read);
    return next == null ? null : send(read, next);
  }

  private void notice(Network.Report report) {
    load(report.server().number).onFeedback(report.feedback(), now());
    tie(report.copy());
  }

  private void tie(Copy first) {
    if (first.read.done || first.settled) {
      return;
    }
    Copy second = send(first.read, first.sibling);
    second.sibling = first.server;
    second.tied = true;
  }

  private void returned(Network.Report report) {
    Copy copy = report.copy();
    load(copy.server.number).onFeedback(report.feedback(), now());
    if (copy.settled) {
      return;
    }
    copy.settled = true;
    load(copy.server.number).onAbandoned();
    if (copy.read.sentTo(report.server().number)) {
      send(copy.read, copy.server);
    } else {
      send(copy.read, report.server()).route = copy.route;
    }
  }

  /** Returns what this client's policy makes of server 0 now; NaN if it does not rank by score. */
  double scoreOfFirstServerMillis() {
    if (policy == null || !load(0).hasResponded()) {
      return Double.NaN;
    }
    Ranking look = new Ranking(() -> 0).start(now());
    look.add(load(0));
    policy.rank(look);
    return look.score(0) * 1e-6;
  }

  private void probed(Network.Report report) {
    load(report.server().number).onFeedback(report.feedback(), now());
    ((ProbingPolicy) policy).onProbe(report.feedback());
  }

  // Rate control: the backlog asks whether its head may go, and to whom.
  @Override
  public long trySend(Read read, long nowNanos) {
    rank(read);
    if (read.broadcast) {
      for (int i = 0; i < ranking.size(); i++) {
        rateControl(i).acquire(nowNanos);
      }
      send(read, 0);
      return 0;
    }
    long wait = Long.MAX_VALUE;
    for (int i = 0; i < ranking.size(); i++) {
      long next = rateControl(i).tryAcquire(nowNanos);
      if (next == 0) {
        send(read, i);
        return 0;
      }
      wait = Math.min(wait, next);
    }
    return wait;
  }

  private Server server(int place) {
    return ((ServerLoad) ranking.get(place)).server;
  }

  private RateControl rateControl(int place) {
    return ((ServerLoad) ranking.get(place)).rateControl;
  }

  @Override
  public void onExpired(Read read, long nowNanos) {
    simulation.lost(read);
  }

  private void drainGroupsOf(int server) {
    if (backlogs.isEmpty()) {
      return;
    }
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
    Backlog<Read> backlog = backlogs.get(group);
    long wait = backlog.drain(now());
    if (wait != Backlog.NOTHING_TO_WAIT_FOR && wakeUps.add(group)) {
      simulation.loop.after(wait, this, BACKLOG, group);
    }
  }
}
