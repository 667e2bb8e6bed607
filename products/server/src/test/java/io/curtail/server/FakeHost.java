/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.NetworkTopologyStrategy;

/** A node whose clock, peers and read stage a test sets. */
final class FakeHost implements Host {
  private static final InetAddressAndPort SELF = address(1);
  long now = 1_000_000_000L;
  Object request;
  boolean sendingFails;

  /** Runs when the live coordinators are asked for. */
  Runnable counting = () -> {};

  int activeReads;
  int waitingReads;
  int slots = 32;
  final List<FakeTable> tables = new ArrayList<>(List.of(new FakeTable()));
  final List<FakeTable> rangeTables = new ArrayList<>();
  final Set<Object> readable = new HashSet<>();

  /** Of those that are readable, which the replica can answer. */
  BiPredicate<Object, InetAddressAndPort> serves = (read, replica) -> true;

  final List<InetAddressAndPort> probed = new ArrayList<>();

  /** The reads that they were probed with. */
  final List<Object> probes = new ArrayList<>();

  final Set<InetAddressAndPort> dead = new HashSet<>();

  /** Own none of the data. */
  final Set<InetAddressAndPort> strangers = new HashSet<>();

  /** Of all keyspaces. */
  NetworkTopologyStrategy replication;

  final Set<InetAddressAndPort> remote = new HashSet<>();
  final Set<InetAddressAndPort> otherRack = new HashSet<>();

  static InetAddressAndPort address(int number) {
    try {
      return InetAddressAndPort.getByNameOverrideDefaults("127.0.0." + number, 7000);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public InetAddressAndPort self() {
    return SELF;
  }

  @Override
  public boolean isMember(InetAddressAndPort endpoint) {
    return true;
  }

  @Override
  public boolean isAlive(InetAddressAndPort endpoint) {
    return !dead.contains(endpoint);
  }

  @Override
  public Proximity proximity(InetAddressAndPort endpoint) {
    return endpoint.equals(SELF)
        ? Proximity.SELF
        : remote.contains(endpoint)
            ? Proximity.REMOTE
            : otherRack.contains(endpoint) ? Proximity.DATA_CENTER : Proximity.RACK;
  }

  @Override
  public Object request() {
    return request;
  }

  @Override
  public boolean sendProbe(Object read, InetAddressAndPort to, Consumer<Throwable> failed) {
    if (!readable.contains(read) || !serves.test(read, to)) {
      return false;
    }
    probed.add(to);
    probes.add(read);
    if (sendingFails) {
      failed.accept(new IllegalStateException("no node to read from"));
    }
    return true;
  }

  @Override
  public boolean isReplica(InetAddressAndPort endpoint, Object read) {
    return !strangers.contains(endpoint);
  }

  @Override
  public boolean mayAskEachDataCenter(Object read, int answers) {
    return Cassandra50Host.isOfEachDataCenter(replication, answers);
  }

  @Override
  public int liveCoordinators() {
    counting.run();
    return 3;
  }

  @Override
  public long readTimeoutNanos() {
    return 5_000_000_000L;
  }

  @Override
  public long rangeTimeoutNanos() {
    return 10_000_000_000L;
  }

  @Override
  public Feedback readStage(boolean withoutThisThread, long serviceTimeNanos) {
    int active = Math.max(0, activeReads - (withoutThisThread ? 1 : 0));
    return new Feedback(waitingReads, active, slots, serviceTimeNanos);
  }

  @Override
  public Feedback requestStage(long serviceTimeNanos) {
    return new Feedback(0, 0, 128, serviceTimeNanos);
  }

  @Override
  public List<TableReads> tables(ReadKind kind) {
    return List.copyOf(kind == ReadKind.POINT ? tables : rangeTables);
  }

  /** A table whose reads a test counts. */
  static final class FakeTable implements TableReads {
    long count;
    long micros;
    int looks;

    void read(long took) {
      count++;
      micros += took;
    }

    @Override
    public long count() {
      looks++;
      return count;
    }

    @Override
    public long micros() {
      return micros;
    }
  }
}
