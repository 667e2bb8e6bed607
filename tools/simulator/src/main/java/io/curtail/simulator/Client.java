/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.Candidates;
import io.curtail.selection.PolicySettings;
import io.curtail.selection.ProbingPolicy;
import io.curtail.selection.RandomSource;
import io.curtail.selection.RankingPolicy;
import io.curtail.selection.ReplicaLoad;
import io.curtail.selection.passing.KnownQueues;
import io.curtail.selection.passing.Route;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A client: ranks the replicas of each read by what it knows, sends, and learns from answers. */
final class Client implements Actor {
  static final int ANSWER = 1;
  static final int NOTICE = 2;
  static final int PROBED = 3;
  static final int TIMEOUT = 6;
  static final int SPECULATE = 7;
  static final int RETURNED = 8;
  static final int LATE_FEEDBACK = 9;

  private final Simulation simulation;
  final int number;
  final int zone;
  private final RankingPolicy policy;
  private final Candidates candidates;
  private final ServerLoad[] loads;
  private final ExtraCopies extraCopies;
  private final Pacing pacing;
  private final SpeculativeRetry speculativeRetry;
  private final SampledReads ownReads;
  private final Probes probes;
  private final ArrayDeque<Read> waitingForThread = new ArrayDeque<>();
  private int inWork;
  private long sentToItself;

  Client(
      Simulation simulation, int number, int zone, RandomSource random, PolicySettings settings) {
    this.simulation = simulation;
    this.number = number;
    this.zone = zone;
    this.policy = simulation.ranking == null ? null : simulation.ranking.newRanking(settings);
    this.candidates = new Candidates(random);
    this.loads = new ServerLoad[simulation.servers.length];
    this.extraCopies = simulation.copying.of(simulation, this);
    this.pacing = simulation.isPaced() ? new Pacing(simulation, this, candidates) : null;
    this.speculativeRetry = new SpeculativeRetry(simulation.scenario);
    this.probes = new Probes(simulation, this, random);
    boolean ownsData = simulation.scenario.coordinated && number < simulation.servers.length;
    this.ownReads =
        ownsData && simulation.scenario.ownReadsSampled
            ? new SampledReads(simulation.servers[number])
            : null;
  }

  ServerLoad load(int server) {
    ServerLoad load = loads[server];
    if (load == null) {
      load = simulation.newLoad(simulation.servers[server], this);
      loads[server] = load;
    }
    return load;
  }

  private long now() {
    return simulation.loop.nowNanos();
  }

  /** A user's read comes in. */
  void read(Read read) {
    int threads = simulation.scenario.coordinatorThreads;
    if (threads > 0 && inWork >= threads) {
      waitingForThread.add(read);
    } else {
      inWork++;
      begin(read);
    }
  }

  /** A read that this client took is over. */
  void over() {
    inWork--;
    Read next = waitingForThread.poll();
    if (next != null) {
      inWork++;
      begin(next);
    }
  }

  private void begin(Read read) {
    read.begunNanos = now();
    if (pacing == null) {
      rank(read);
      send(read, 0);
    } else {
      pacing.submit(read);
    }
    if (policy instanceof ProbingPolicy prober) {
      probes.onRead(prober);
    }
  }

  /** Puts the replicas that have no copy of the read in order, the best first. */
  void rank(Read read) {
    candidates.start(now());
    if (ownReads != null) {
      ownReads.refresh(load(number), now());
    }
    for (int replica : read.replicas) {
      if (isOwn(replica)) {
        addIfPossible(read, replica); // stock snitches put the node itself before all others
      }
    }
    for (int replica : read.replicas) {
      if (!isOwn(replica)) {
        addIfPossible(read, replica);
      }
    }
    if (candidates.size() > 0 && policy != null) {
      policy.rank(candidates);
      stayNear();
      if (extraCopies != null) {
        extraCopies.onRanked(candidates);
      }
    }
  }

  private boolean isOwn(int replica) {
    return simulation.scenario.coordinated && replica == number;
  }

  private void addIfPossible(Read read, int replica) {
    if (simulation.servers[replica].isUp() && !read.sentTo(replica)) {
      candidates.add(load(replica));
    }
  }

  private void stayNear() {
    double threshold = simulation.scenario.nearestThreshold;
    for (int place = 1; threshold >= 0 && place < candidates.size(); place++) {
      if (isOwn(server(place).number)) {
        candidates.stayNear(place, threshold);
      }
    }
  }

  private Server best(Read read) {
    if (policy == null) {
      return simulation.oracle.best(read, this);
    }
    return candidates.size() == 0 ? null : server(0);
  }

  /** Sends as many copies as the read needs, the first to the replica at the given place. */
  void send(Read read, int first) {
    if (read.broadcast) {
      for (int i = 0; i < candidates.size(); i++) {
        send(read, server(i)).shadow = i >= read.needed;
      }
      return;
    }
    for (int i = 0; i < read.needed; i++) {
      int place = i == 0 ? first : i <= first ? i - 1 : i;
      Server server =
          policy == null
              ? simulation.oracle.best(read, this)
              : place < candidates.size() ? server(place) : null;
      if (server == null) {
        simulation.lost(read);
        return;
      }
      if (i > 0 && pacing != null && policy != null) {
        pacing.spend(place);
      }
      Copy copy = send(read, server);
      copy.cost = i == 0 ? 1 : simulation.scenario.digestCost;
      if (candidates.size() > read.needed) {
        giveSecondChance(copy, read.needed);
      }
    }
    if (extraCopies != null) {
      extraCopies.onSent(read);
    }
    probes.onSent(read, first);
    long delay = speculativeRetry.delayNanos(now());
    if (delay > 0) {
      simulation.loop.after(delay, this, SPECULATE, read);
    }
  }

  private void giveSecondChance(Copy copy, int firstSpare) {
    if (simulation.secondChance == SecondChance.TIED) {
      copy.sibling = server(firstSpare);
    } else if (simulation.secondChance.hasRoute()) {
      ReplicaLoad first = load(copy.server.number);
      List<Server> replicas = new ArrayList<>();
      replicas.add(copy.server);
      for (int i = firstSpare; i < candidates.size(); i++) {
        ReplicaLoad spare = candidates.get(i);
        if (!spare.isOverdue(now()) && !spare.isFarSlowerThan(first, now())) {
          replicas.add(server(i));
        }
      }
      copy.route = new Route(replicas.toArray());
      ReplicaLoad[] known = new ReplicaLoad[replicas.size()];
      for (int place = 0; place < known.length; place++) {
        known[place] = load(replicas.get(place).number);
      }
      KnownQueues.tell(copy.route, 0, known, now());
    }
  }

  /** Returns how many reads this coordinator sent to its own replica. */
  long ownReads() {
    return sentToItself;
  }

  /** Whether its own reads pass no message and take longer than usual. */
  boolean areOwnReadsSlow() {
    return ownReads != null && ownReads.areSlow();
  }

  /** Whether what is known of the server does not come from answers. */
  boolean isSampled(Server server) {
    return ownReads != null && server.number == number;
  }

  /** Sends a copy that may be gone before it is answered, and that nothing waits for. */
  Copy sendUncounted(Read read, Server server) {
    Copy copy = new Copy(read, server, now());
    copy.settled = true;
    leave(copy);
    return copy;
  }

  private void leave(Copy copy) {
    copy.read.add(copy);
    sentToItself += isOwn(copy.server.number) ? 1 : 0;
    simulation.network.send(copy);
  }

  Copy send(Read read, Server server) {
    Copy copy = new Copy(read, server, now());
    if (!isSampled(server)) {
      load(server.number).onSent(now());
    }
    leave(copy);
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
    copy.answered = true;
    ServerLoad load = load(copy.server.number);
    if (extraCopies != null && !copy.failed) {
      extraCopies.onAnswer(copy, now() - copy.sentNanos);
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
    } else if (isTooLate(copy)) {
      copy.settled = true;
      abandoned(load);
    } else if (copy.failed) {
      copy.settled = true;
      failed(load, elapsed, 100_000_000);
      if (copy.ifBusy != Copy.IfBusy.DROPPED || !copy.read.isOwedAnAnswer()) {
        retry(copy.read); // where a second copy failed a node waits for the read itself
      }
    } else {
      copy.settled = true;
      if (!isSampled(copy.server)) {
        load.onResponse(elapsed, copy.feedback, now());
      }
      if (pacing != null) {
        pacing.onResponse(load, elapsed);
      }
    }
    if (!copy.failed && !copy.shadow) {
      answered(copy.read);
    }
  }

  /** Whether nobody here is told what becomes of it. */
  private boolean isTooLate(Copy copy) {
    return copy.read.done && extraCopies != null && !extraCopies.hearsLateAnswers();
  }

  private void answered(Read read) {
    if (read.done || ++read.answers < read.needed) {
      return;
    }
    read.done = true;
    speculativeRetry.onDone(now() - read.begunNanos);
    if (extraCopies != null) {
      extraCopies.onDone(read);
    }
    // A second copy may have been dropped. A first one is owed: a silent server must not look idle.
    if (simulation.secondChance != SecondChance.NONE || read.slow) {
      for (Copy copy = read.first; copy != null; copy = copy.nextOfRead) {
        boolean mayBeGone =
            copy.ifBusy == Copy.IfBusy.DROPPED
                || copy.sibling != null
                || copy.state == Copy.State.DROPPED;
        if (!copy.settled && mayBeGone) {
          copy.settled = true;
          abandoned(load(copy.server.number));
        }
      }
    }
    simulation.completed(read);
    over();
  }

  /** Takes a copy back from its server, or tries to. */
  void purge(Copy copy) {
    if (!copy.settled) {
      copy.settled = true;
      abandoned(load(copy.server.number));
    }
    simulation.network.purge(copy);
  }

  private void failed(ServerLoad load, long elapsedNanos, long timeoutNanos) {
    load.onFailure(elapsedNanos, timeoutNanos, now());
    if (pacing != null) {
      pacing.onFailure(load);
    }
  }

  private void abandoned(ServerLoad load) {
    if (!isSampled(load.server)) {
      load.onAbandoned();
    }
    if (pacing != null) {
      pacing.onAbandoned(load);
    }
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
    if (isTooLate(copy)) {
      abandoned(load(copy.server.number));
      return;
    }
    long timeout = (long) (simulation.scenario.timeoutMillis * 1e6);
    failed(load(copy.server.number), timeout, timeout);
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
    return next == null ? null : sendWhateverTheRate(read, next);
  }

  /** Sends a copy though the rate may be used up. */
  Copy sendWhateverTheRate(Read read, Server server) {
    if (pacing != null) {
      pacing.spend(load(server.number));
    }
    return send(read, server);
  }

  private void notice(Network.Report report) {
    load(report.server().number).onFeedback(report.feedback(), now());
    tie(report.copy());
  }

  private void tie(Copy first) {
    if (first.read.done || first.settled) {
      return;
    }
    Copy second = sendWhateverTheRate(first.read, first.sibling);
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
    abandoned(load(copy.server.number));
    if (copy.read.sentTo(report.server().number) || load(report.server().number).isOverdue(now())) {
      sendWhateverTheRate(copy.read, copy.server);
    } else {
      sendWhateverTheRate(copy.read, report.server()).route = copy.route;
    }
  }

  /** Returns what this client's policy makes of server 0 now; NaN if it does not rank by score. */
  double scoreOfFirstServerMillis() {
    if (policy == null || !load(0).hasResponded()) {
      return Double.NaN;
    }
    Candidates look = new Candidates(() -> 0).start(now());
    look.add(load(0));
    policy.rank(look);
    return look.score(0) * 1e-6;
  }

  private void probed(Network.Report report) {
    load(report.server().number).onFeedback(report.feedback(), now());
    ((ProbingPolicy) policy).onProbe(report.feedback());
  }

  /** Returns the replica at the place of the last ranking; null if there are fewer. */
  Server replica(int place) {
    return place < candidates.size() ? server(place) : null;
  }

  private Server server(int place) {
    return ((ServerLoad) candidates.get(place)).server;
  }
}
