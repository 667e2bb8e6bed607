/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Candidates;
import io.curtail.selection.RandomSource;
import io.curtail.selection.rate.RankedPermits;
import java.util.Comparator;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;

/**
 * One thread's workspace to put the replicas of a read in order; reused, so that ordering allocates
 * nothing beyond the list that stock Cassandra makes too.
 *
 * <p>Live replicas of this data centre come first, ranked, the nearest of them first if it is not
 * much worse than the best; then live ones of other data centres, ranked among themselves; then the
 * dead, as they came. A score never moves a replica from one group to another.
 */
final class ReplicaSorter {
  private static final RandomSource RANDOM = () -> ThreadLocalRandom.current().nextLong();
  private static final int UNPLACED = -1;

  private final Host host;
  private final LocalReads localReads;
  private final Candidates near = new Candidates(RANDOM);
  private final Candidates far = new Candidates(RANDOM);
  private final Comparator<Replica> byPosition =
      (a, b) -> Integer.compare(position(a.endpoint()), position(b.endpoint()));
  private final RequestContext context = new RequestContext();
  private final RankedPermits permits =
      new RankedPermits(replica -> ((PeerLoad) replica).peer.rate);
  private Peer[] peers = new Peer[8];
  private int[] positions = new int[8];
  private int size;
  private boolean keptNear;

  ReplicaSorter(Host host, LocalReads localReads) {
    this.host = host;
    this.localReads = localReads;
  }

  /** What this thread remembers of the CQL request it works on. */
  RequestContext context() {
    return context;
  }

  /**
   * Ranks the live replicas.
   *
   * @return whether there was anything to choose between in this data centre
   */
  boolean rank(ActivePolicy policy, ReplicaCollection<?> replicas, ReadKind kind, long nowNanos) {
    size = replicas.size();
    if (size > peers.length) {
      peers = new Peer[size];
      positions = new int[size];
    }
    keptNear = false;
    near.start(nowNanos);
    far.start(nowNanos);
    for (int i = 0; i < size; i++) {
      InetAddressAndPort endpoint = replicas.get(i).endpoint();
      Peer peer = policy.peers().of(endpoint);
      peers[i] = peer;
      positions[i] = UNPLACED;
      if (peer.self) {
        localReads.refresh(peer, nowNanos);
      }
    }
    ReadKind known = knownKind(kind);
    for (int i = 0; i < size; i++) {
      Peer peer = peers[i];
      if (peer.self || host.isAlive(peer.endpoint)) {
        (peer.proximity().isInDataCenter() ? near : far)
            .add(peer.load(known), context.picksOf(peer));
      }
    }
    if (near.size() > 1) {
      policy.ranking().rank(near);
      keptNear = stayNear(near, policy.badnessThreshold());
    }
    if (far.size() > 1) {
      policy.ranking().rank(far);
    }
    return near.size() > 1;
  }

  // Where no replica has answered such a read, what reads of the other kind met says more than
  // nothing.
  private ReadKind knownKind(ReadKind kind) {
    for (int i = 0; i < size; i++) {
      if (peers[i].load(kind).hasResponded()) {
        return kind;
      }
    }
    return kind.other();
  }

  /**
   * Lets the nearest of those ranked come first unless its score is much worse than the best: a
   * message to another node is work for both nodes, and scores do not contain what distance costs.
   *
   * @return whether it came first for that
   */
  static boolean stayNear(Candidates ranked, double badnessThreshold) {
    int nearest = 0;
    for (int place = 1; place < ranked.size(); place++) {
      if (peer(ranked, place).proximity().compareTo(peer(ranked, nearest).proximity()) < 0) {
        nearest = place;
      }
    }
    return ranked.stayNear(nearest, badnessThreshold);
  }

  /** At the place in a ranking, from 0, the best. */
  static Peer peer(Candidates ranked, int place) {
    return ((PeerLoad) ranked.get(place)).peer;
  }

  /** Gives every replica its place. Returns false if the policy did more than permute. */
  boolean place() {
    int next = place(far, place(near, 0));
    if (next < 0) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (positions[i] == UNPLACED) {
        positions[i] = next++;
      }
    }
    return next == size;
  }

  /** Returns the first place that is still free, negative if something is wrong. */
  private int place(Candidates ranked, int first) {
    if (first < 0) {
      return first;
    }
    for (int i = 0; i < ranked.size(); i++) {
      Peer peer = peer(ranked, i);
      int index = indexOf(peer);
      if (index < 0 || positions[index] != UNPLACED) {
        return -1;
      }
      positions[index] = first + i;
      if (ranked.size() > 1) {
        peer.score(ranked.score(i));
      }
    }
    return first + ranked.size();
  }

  private int indexOf(Peer peer) {
    for (int i = 0; i < size; i++) {
      if (peers[i] == peer) {
        return i;
      }
    }
    return -1;
  }

  <C extends ReplicaCollection<? extends C>> C sorted(C replicas) {
    return replicas.sorted(byPosition);
  }

  private int position(InetAddressAndPort endpoint) {
    for (int i = 0; i < size; i++) {
      if (peers[i].endpoint.equals(endpoint)) {
        return positions[i];
      }
    }
    return Integer.MAX_VALUE;
  }

  /** Lets one come before those that ranked better, whose rate is used up. */
  void moveToFront(Peer peer) {
    int index = indexOf(peer);
    int from = positions[index];
    for (int i = 0; i < size; i++) {
      if (positions[i] < from) {
        positions[i]++;
      }
    }
    positions[index] = 0;
  }

  /** Lets one of this data centre come behind the others of it. */
  void moveToEnd(Peer peer) {
    int index = indexOf(peer);
    int from = positions[index];
    int last = near.size() - 1;
    for (int i = 0; i < size; i++) {
      if (positions[i] > from && positions[i] <= last) {
        positions[i]--;
      }
    }
    positions[index] = last;
  }

  /** Returns those of this data centre as they are placed now. */
  Peer[] order() {
    Peer[] order = new Peer[near.size()];
    for (int i = 0; i < size; i++) {
      if (positions[i] < order.length) {
        order[positions[i]] = peers[i];
      }
    }
    return order;
  }

  /** Whether the first of this data centre is so for being near, not for its score. */
  boolean keptNear() {
    return keptNear;
  }

  /** Takes a permit of the best of this data centre, see {@link RankedPermits#tryTake}. */
  int tryTakePermit(long nowNanos) {
    return permits.tryTake(near, nowNanos);
  }

  /** How long after the last try without a permit the first replica may have one. */
  long permitWaitNanos() {
    return permits.waitNanos();
  }

  /** How many of this data centre were ranked. */
  int ranked() {
    return near.size();
  }

  /** At the place in the ranking of this data centre, from 0, the best. */
  Peer ranked(int place) {
    return peer(near, place);
  }

  /** What the replica at the place was ranked by. */
  PeerLoad load(int place) {
    return (PeerLoad) near.get(place);
  }

  double score(int place) {
    return near.score(place);
  }

  /** The first of those ranked, in the order in which they came. */
  Peer stockFirst() {
    for (int i = 0; i < size; i++) {
      for (int place = 0; place < near.size(); place++) {
        if (ranked(place) == peers[i]) {
          return peers[i];
        }
      }
    }
    return null;
  }
}
