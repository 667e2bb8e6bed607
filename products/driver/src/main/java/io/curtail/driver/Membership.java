/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.weighted.StartingRamp;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The live nodes of the local data centre, as they come and go, and which of them get a ramp: those
 * that join, and those that restart.
 *
 * <p>Losing all connections to a node does not mean that it restarted: the client's own network may
 * have been away. A node that restarted is announced by its peers to all clients, before or shortly
 * after this one is connected to it again, or has another address; one that this client alone has
 * lost is not, and has not.
 *
 * <p>Changes are made under a lock, by the driver's admin thread; reading takes none.
 */
final class Membership {
  private static final long LATE_ANNOUNCEMENT_NANOS = 60_000_000_000L;

  private final WeightedSettings settings;
  private final LocalRack localRack;
  private final LongSupplier nanoClock;
  private final Map<Node, TrackedNode> tracked = new LinkedHashMap<>();

  /** The nodes that are down. */
  private final Map<Node, Absence> absences = new HashMap<>();

  /** When the nodes came back that nobody announced, for as long as somebody may. */
  private final Map<Node, Long> unexplainedReturns = new HashMap<>();

  private Consumer<TrackedNode> onTracked = node -> {};
  private String localDatacenter;
  private PolicyMetrics metrics = PolicyMetrics.NONE;
  private boolean closed;
  private volatile LocalNodes nodes = LocalNodes.NONE;

  Membership(WeightedSettings settings, LocalRack localRack, LongSupplier nanoClock) {
    this.settings = settings;
    this.localRack = localRack;
    this.nanoClock = nanoClock;
  }

  /** Calls it too for each node before the node is used; to be set before any is tracked. */
  synchronized void onTracked(Consumer<TrackedNode> listener) {
    onTracked = onTracked.andThen(listener);
  }

  LocalNodes nodes() {
    return nodes;
  }

  /**
   * Begins anew. Nodes that were up before this client was are warm, so none of these gets a ramp.
   * They are asked for under the lock: one that comes up after that is told of behind it.
   *
   * @param all every node of the cluster
   * @param live the live ones of the local data centre
   */
  synchronized void start(
      String localDatacenter,
      PolicyMetrics metrics,
      Supplier<? extends Collection<Node>> all,
      Supplier<? extends Collection<Node>> live) {
    if (closed) {
      return;
    }
    Collection<Node> nodesAtStart = all.get();
    Collection<Node> liveAtStart = live.get();
    stop();
    this.localDatacenter = localDatacenter;
    this.metrics = metrics;
    for (Node node : nodesAtStart) {
      if (node.getState() == NodeState.DOWN) {
        absences.put(node, new Absence(addressOf(node)));
      }
    }
    for (Node node : liveAtStart) {
      track(node, StartingRamp.NONE);
    }
    publish();
  }

  /** Stops for good: the driver may tell of nodes while the session closes, or later. */
  synchronized void close() {
    stop();
    closed = true;
  }

  private void stop() {
    tracked.values().forEach(metrics::remove);
    tracked.clear();
    absences.clear();
    unexplainedReturns.clear();
    nodes = LocalNodes.NONE;
  }

  /**
   * A live node of the local data centre came up.
   *
   * @param isThere whether it still is; that it has gone is told here too, but only afterwards
   */
  synchronized void up(Node node, Predicate<Node> isThere) {
    if (closed || tracked.containsKey(node) || !isThere.test(node)) {
      return;
    }
    Absence absence = absences.remove(node);
    boolean joinedOrRestarted = absence == null || absence.hasRestarted(node);
    track(node, joinedOrRestarted ? newRamp() : StartingRamp.NONE);
    if (!joinedOrRestarted) {
      unexplainedReturns.put(node, nanoClock.getAsLong());
    }
    publish();
  }

  synchronized void down(Node node) {
    absences.put(node, new Absence(addressBefore(node)));
    forget(node);
  }

  /** When it was up: the driver may learn of another before it finds that the node went. */
  @Nullable
  private InetAddress addressBefore(Node node) {
    TrackedNode up = tracked.get(node);
    if (up != null) {
      return up.address;
    }
    Absence absence = absences.get(node);
    return absence == null ? addressOf(node) : absence.address;
  }

  synchronized void removed(Node node) {
    absences.remove(node);
    forget(node);
  }

  /** The node's peers say that it came up. */
  synchronized void announcedUp(InetSocketAddress broadcastRpcAddress) {
    absences.forEach((node, absence) -> absence.announced |= has(node, broadcastRpcAddress));
    unexplainedReturns
        .entrySet()
        .removeIf(
            unexplained -> {
              long agoNanos = nanoClock.getAsLong() - unexplained.getValue();
              boolean explained = has(unexplained.getKey(), broadcastRpcAddress);
              if (explained && agoNanos <= LATE_ANNOUNCEMENT_NANOS) {
                tracked.get(unexplained.getKey()).ramp = newRamp();
              }
              return explained || agoNanos > LATE_ANNOUNCEMENT_NANOS;
            });
  }

  private static boolean has(Node node, InetSocketAddress broadcastRpcAddress) {
    return node.getBroadcastRpcAddress().filter(broadcastRpcAddress::equals).isPresent();
  }

  /** What its peers call a node; null if the driver has not heard it. */
  @Nullable
  static InetAddress addressOf(Node node) {
    return node.getBroadcastAddress().map(InetSocketAddress::getAddress).orElse(null);
  }

  private StartingRamp newRamp() {
    double jitter = ThreadLocalRandom.current().nextDouble();
    return new StartingRamp(nanoClock.getAsLong(), settings.startingIntervalNanos, jitter);
  }

  private void track(Node node, StartingRamp ramp) {
    TrackedNode added = new TrackedNode(node, localRack.includes(node), settings.health, ramp);
    onTracked.accept(added);
    tracked.put(node, added);
    metrics.add(added);
  }

  private void forget(Node node) {
    unexplainedReturns.remove(node);
    TrackedNode removed = tracked.remove(node);
    if (removed != null) {
      metrics.remove(removed);
      publish();
    }
  }

  private void publish() {
    nodes = new LocalNodes(tracked.values());
    localRack.checkAgainst(tracked.keySet(), localDatacenter);
  }

  /** Of a node that is down. Guarded by the lock of the membership. */
  private static final class Absence {
    /** Before it went down; null if unknown. */
    @Nullable final InetAddress address;

    /** Whether its peers have said since that it is up again. */
    boolean announced;

    Absence(@Nullable InetAddress address) {
      this.address = address;
    }

    /**
     * With another address in any case, as a pod has: when it is announced, the driver does not
     * know yet whose it is.
     */
    boolean hasRestarted(Node node) {
      InetAddress now = addressOf(node);
      return announced || (address != null && now != null && !now.equals(address));
    }
  }
}
