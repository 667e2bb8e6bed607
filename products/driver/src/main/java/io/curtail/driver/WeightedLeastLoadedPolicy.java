/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import com.datastax.oss.driver.internal.core.loadbalancing.BasicLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.loadbalancing.helper.MandatoryLocalDcHelper;
import com.datastax.oss.driver.internal.core.pool.ChannelPool;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import com.datastax.oss.driver.internal.core.util.collection.QueryPlan;
import edu.umd.cs.findbugs.annotations.NonNull;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each request to the least loaded coordinator, weighed by how far away it is: it stays in
 * the client's rack, leaves it when the local replica is loaded, and avoids nodes that stall, fail
 * or have just started. Switched on in the driver's configuration:
 *
 * <pre>
 * datastax-java-driver.basic.load-balancing-policy {
 *   class = io.curtail.driver.WeightedLeastLoadedPolicy
 *   local-datacenter = datacenter1
 *   local-rack = rack1        # optional, but most of the gain in a cluster that spans zones
 * }
 * </pre>
 *
 * <p>The order of nodes is {@code WeightedPlanner}'s. The local data centre, the choice of nodes to
 * connect to, and fail-over to remote data centres are those of the driver's own policies. All
 * options: {@link WeightedOption}.
 *
 * <p>Thread-safe. Query plans neither lock nor copy the nodes: they read one immutable snapshot,
 * which is replaced when a node comes up or goes away.
 */
public class WeightedLeastLoadedPolicy extends BasicLoadBalancingPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(WeightedLeastLoadedPolicy.class);
  private static final long FALLBACK_LOG_INTERVAL_NANOS = 60_000_000_000L;

  private final Weights weights;
  private final LocalRack localRack;
  private final WeightedPlanner planner;
  private final LightweightTransactions lightweightTransactions;
  private final boolean metricsEnabled;
  private final NodeResponses responses = new NodeResponses(this);

  /**
   * All changes of membership, which come from the driver's admin thread, are made under this lock.
   */
  private final Object membership = new Object();

  private final Map<Node, TrackedNode> tracked = new LinkedHashMap<>();
  private NodeMetrics metrics = NodeMetrics.NONE;
  private volatile LocalNodes localNodes = LocalNodes.NONE;
  private volatile long lastFallbackLogNanos = System.nanoTime() - FALLBACK_LOG_INTERVAL_NANOS;

  /**
   * Called by the driver.
   *
   * @throws IllegalArgumentException if an option is out of its range
   */
  public WeightedLeastLoadedPolicy(@NonNull DriverContext context, @NonNull String profileName) {
    super(context, profileName);
    weights = new Weights(profile);
    localRack = new LocalRack(profile, logPrefix);
    planner = new WeightedPlanner(weights, this::nanoTime);
    lightweightTransactions =
        new LightweightTransactions(
            this.context
                .getConsistencyLevelRegistry()
                .nameToLevel(profile.getString(DefaultDriverOption.REQUEST_CONSISTENCY)));
    metricsEnabled = profile.getBoolean(WeightedOption.METRICS, false);
  }

  @NonNull
  @Override
  public Optional<RequestTracker> getRequestTracker() {
    return Optional.of(responses);
  }

  @NonNull
  @Override
  protected Optional<String> discoverLocalDc(@NonNull Map<UUID, Node> nodes) {
    return new MandatoryLocalDcHelper(context, profile, logPrefix).discoverLocalDc(nodes);
  }

  @Override
  public void init(@NonNull Map<UUID, Node> nodes, @NonNull DistanceReporter distanceReporter) {
    super.init(nodes, distanceReporter);
    synchronized (membership) {
      if (metricsEnabled) {
        metrics = NodeMetrics.create(context, profile.getName(), logPrefix, this::nanoTime);
      }
      // Nodes that were up before this client was are warm: only later ones get a ramp.
      for (Node node : liveLocalNodes()) {
        track(node, StartingRamp.NONE);
      }
      publish();
    }
    LOG.info(
        "[{}] Weighted least loaded: local datacenter {}, local rack {}",
        logPrefix,
        getLocalDatacenter(),
        localRack.name() == null ? "not set, so all racks weigh the same" : localRack.name());
  }

  @NonNull
  @Override
  public Queue<Node> newQueryPlan(@Nullable Request request, @Nullable Session session) {
    LocalNodes local = localNodes;
    try {
      if (local.size() == 0) {
        return maybeAddDcFailover(request, QueryPlan.EMPTY);
      }
      Set<Node> replicas = getReplicas(request, session);
      WeightedQueryPlan plan =
          planner.plan(
              local,
              replicas,
              pools(session),
              !replicas.isEmpty() && lightweightTransactions.includes(request));
      if (metricsEnabled) {
        plan.first().firstChoices.increment();
      }
      return maybeAddDcFailover(request, plan);
    } catch (RuntimeException e) {
      logFallback(e);
      return super.newQueryPlan(request, session);
    }
  }

  /** A fault of ours, or a change in the driver's internals, must not fail the user's requests. */
  private void logFallback(RuntimeException e) {
    long now = System.nanoTime();
    if (now - lastFallbackLogNanos >= FALLBACK_LOG_INTERVAL_NANOS) {
      lastFallbackLogNanos = now;
      LOG.warn(
          "[{}] Could not make a weighted query plan, using BasicLoadBalancingPolicy's instead "
              + "(logged at most once a minute)",
          logPrefix,
          e);
    }
  }

  @Override
  public void onUp(@NonNull Node node) {
    super.onUp(node);
    synchronized (membership) {
      if (!tracked.containsKey(node) && liveLocalNodes().contains(node)) {
        double jitter = ThreadLocalRandom.current().nextDouble();
        track(node, new StartingRamp(nanoTime(), weights.startingIntervalNanos, jitter));
        publish();
      }
    }
  }

  @Override
  public void onDown(@NonNull Node node) {
    super.onDown(node);
    forget(node);
  }

  @Override
  public void onRemove(@NonNull Node node) {
    super.onRemove(node);
    forget(node);
  }

  @Override
  public void close() {
    synchronized (membership) {
      tracked.values().forEach(metrics::remove);
    }
    super.close();
  }

  /** Sent to the server with each connection, shown by {@code nodetool clientstats}. */
  @NonNull
  @Override
  public Map<String, ?> getStartupConfiguration() {
    Map<String, Object> settings = new LinkedHashMap<>();
    super.getStartupConfiguration().values().stream()
        .filter(Map.class::isInstance)
        .forEach(stock -> ((Map<?, ?>) stock).forEach((k, v) -> settings.put(k.toString(), v)));
    if (localRack.name() != null) {
      settings.put("localRack", localRack.name());
    }
    return Map.of(WeightedLeastLoadedPolicy.class.getSimpleName(), settings);
  }

  /** Null for a node that is down, or not in the local data centre. */
  @Nullable
  TrackedNode tracked(Node node) {
    return localNodes.get(node);
  }

  /** Replaced by tests. */
  long nanoTime() {
    return System.nanoTime();
  }

  /** Empty when there is no session, as for control connections. */
  private static Map<Node, ChannelPool> pools(@Nullable Session session) {
    return session instanceof DefaultSession
        ? ((DefaultSession) session).getPools()
        : Collections.emptyMap();
  }

  private Set<Node> liveLocalNodes() {
    return getLiveNodes().dc(getLocalDatacenter());
  }

  private void track(Node node, StartingRamp ramp) {
    TrackedNode added = new TrackedNode(node, localRack.includes(node), ramp);
    tracked.put(node, added);
    metrics.add(added);
  }

  private void forget(Node node) {
    synchronized (membership) {
      TrackedNode removed = tracked.remove(node);
      if (removed != null) {
        metrics.remove(removed);
        publish();
      }
    }
  }

  private void publish() {
    localNodes = new LocalNodes(tracked.values());
    localRack.checkAgainst(tracked.keySet(), getLocalDatacenter());
  }
}
