/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import com.datastax.oss.driver.internal.core.loadbalancing.BasicLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.loadbalancing.helper.InferringLocalDcHelper;
import com.datastax.oss.driver.internal.core.metadata.TopologyEvent;
import com.datastax.oss.driver.internal.core.pool.ChannelPool;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import com.datastax.oss.driver.internal.core.util.collection.QueryPlan;
import edu.umd.cs.findbugs.annotations.NonNull;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
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
 * <p>If anything of the policy breaks, the driver's {@code BasicLoadBalancingPolicy} plans instead;
 * {@link #control()} shows it, and switches the policy on and off.
 *
 * <p>Thread-safe. Query plans neither lock nor copy the nodes: they read one immutable snapshot,
 * which is replaced when a node comes up or goes away.
 */
public class WeightedLeastLoadedPolicy extends BasicLoadBalancingPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(WeightedLeastLoadedPolicy.class);

  private final PolicyKind kind;
  private final LocalRack localRack;
  private final Membership membership;
  private final Planner planner;
  private final LightweightTransactions lightweightTransactions;
  private final LocalPlans plans;
  private final boolean metricsEnabled;
  private final PolicySwitch policySwitch;
  private final PolicyControl control = new PolicyControl(this);
  private final NodeResponses responses;
  private final AtomicBoolean trackerGiven = new AtomicBoolean();
  private volatile Hedges hedges;
  private volatile boolean closed;
  private PolicyMetrics metrics = PolicyMetrics.NONE;
  private AutoCloseable jmx;
  private LostAnswersLooks looks;
  private Object topologyListener;

  /**
   * Called by the driver.
   *
   * @throws IllegalArgumentException if an option is out of its range
   */
  public WeightedLeastLoadedPolicy(@NonNull DriverContext context, @NonNull String profileName) {
    this(context, profileName, PolicyKind.WEIGHTED);
  }

  WeightedLeastLoadedPolicy(DriverContext context, String profileName, PolicyKind kind) {
    super(context, profileName);
    this.kind = kind;
    WeightedSettings settings = new WeightedSettings(profile);
    localRack = new LocalRack(profile, logPrefix);
    membership = new Membership(settings, localRack, this::nanoTime);
    planner = kind.planner(profile, settings, this::nanoTime);
    if (hearsNodes()) {
      planner.marksCopies();
    }
    membership.onTracked(planner::follow);
    responses = new NodeResponses(this, kind.measuresDelay);
    lightweightTransactions = new LightweightTransactions(this.context);
    metricsEnabled = profile.getBoolean(WeightedOption.METRICS, false);
    policySwitch = new PolicySwitch(logPrefix);
    plans =
        new LocalPlans(
            this,
            planner,
            lightweightTransactions,
            new Explanations(this, logPrefix),
            metricsEnabled);
  }

  /**
   * Returns the tracker the first time only: the driver asks once for each profile, profiles share
   * the policy, and every response must be counted once.
   */
  @NonNull
  @Override
  public Optional<RequestTracker> getRequestTracker() {
    return trackerGiven.compareAndSet(false, true) ? Optional.of(responses) : Optional.empty();
  }

  /** If none is set, the data centre of the contact points, provided that they share one. */
  @NonNull
  @Override
  protected Optional<String> discoverLocalDc(@NonNull Map<UUID, Node> nodes) {
    return new InferringLocalDcHelper(context, profile, logPrefix).discoverLocalDc(nodes);
  }

  @Override
  public void init(@NonNull Map<UUID, Node> nodes, @NonNull DistanceReporter distanceReporter) {
    super.init(nodes, distanceReporter);
    if (metricsEnabled) {
      metrics = PolicyMetrics.create(context, shownName(), logPrefix, this::nanoTime);
      metrics.add(this);
    }
    orSwitchOff(
        "learn of the nodes",
        () -> {
          startMembership(nodes::values);
          topologyListener = context.getEventBus().register(TopologyEvent.class, this::onTopology);
          looks = new LostAnswersLooks(this);
        });
    if (kind.measuresDelay && hearsNodes()) {
      ((FeedbackSource) context).addListener(responses);
    }
    try {
      jmx = JmxRegistration.of(control, kind.title, context.getSessionName(), shownName());
    } catch (Throwable e) {
      LOG.warn("[{}] Could not register with JMX", logPrefix, e);
    }
    LOG.info(
        "[{}] {}Policy: local datacenter {}, local rack {}",
        logPrefix,
        kind.title,
        getLocalDatacenter(),
        localRack.name() == null ? "not set, so all racks weigh the same" : localRack.name());
  }

  @NonNull
  @Override
  public Queue<Node> newQueryPlan(@Nullable Request request, @Nullable Session session) {
    Pace limits = plans.limits();
    Admission admission = limits == null ? null : Admission.take(request);
    if (admission == null) {
      return plan(request, session, null, false);
    }
    if (admission.plan != null) {
      return admission.plan;
    }
    Encoding.check(request, context);
    Queue<Node> plan = plan(request, session, limits, false);
    if (plan == null) {
      throw new NoRoom(this, request, session);
    }
    return plan;
  }

  /** The plan of a request whose turn has come after a wait; null if it has to wait on. */
  @Nullable
  Queue<Node> planWaiting(Request request, @Nullable Session session) {
    // The driver closes its policies before its throttler, which fails what waits.
    return closed ? null : plan(request, session, plans.limits(), true);
  }

  /** The nodes that a request which has to wait waits for: its replicas, or one of them. */
  Set<Node> awaited(Request request, @Nullable Session session) {
    return plans.awaited(getReplicas(request, session), pools(session), request);
  }

  /** Null if the request is limited and has to wait. */
  private Queue<Node> plan(
      Request request, Session session, @Nullable Pace limits, boolean waited) {
    if (!policySwitch.isOn()) {
      return super.newQueryPlan(request, session);
    }
    try {
      return newOrderedPlan(request, session, limits, waited);
    } catch (Throwable e) {
      // Where the driver's policy throws too, the fault is not this one's: others go on as before.
      Queue<Node> stock = super.newQueryPlan(request, session);
      policySwitch.onFault("make a query plan", e);
      return stock;
    }
  }

  private Queue<Node> newOrderedPlan(
      Request request, Session session, @Nullable Pace limits, boolean waited) {
    LocalNodes local = membership.nodes();
    if (local.size() == 0) {
      return maybeAddDcFailover(request, QueryPlan.EMPTY);
    }
    Set<Node> replicas = getReplicas(request, session);
    WeightedQueryPlan plan = plans.plan(local, replicas, pools(session), request, limits, waited);
    if (plan == null) {
      return null;
    }
    if (plan instanceof HedgedQueryPlan) {
      // The driver's composition of two plans would leave this one at the first copy it refuses.
      return ((HedgedQueryPlan) plan).andThen(maybeAddDcFailover(request, QueryPlan.EMPTY));
    }
    return maybeAddDcFailover(request, plan);
  }

  /**
   * The driver tells that a node came back once it has asked the others about it, and at once that
   * it went: by then it may have gone again, and nobody would tell of that any more.
   */
  @Override
  public void onUp(@NonNull Node node) {
    if (!isThere(node)) {
      return;
    }
    super.onUp(node);
    orSwitchOff(
        "add a node",
        () -> {
          if (liveLocalNodes().contains(node)) {
            membership.up(node, this::isThere);
          }
        });
    if (!isThere(node)) {
      super.onDown(node); // another thread of the driver may have told so meanwhile
    }
  }

  /** Not by its host id, which is another once a node that replaced it has its address. */
  private boolean isThere(Node node) {
    NodeState state = node.getState();
    return state != NodeState.DOWN
        && state != NodeState.FORCED_DOWN
        && allNodes().containsValue(node);
  }

  private Map<UUID, Node> allNodes() {
    return context.getMetadataManager().getMetadata().getNodes();
  }

  @Override
  public void onDown(@NonNull Node node) {
    super.onDown(node);
    orSwitchOff("leave out a node", () -> membership.down(node));
  }

  @Override
  public void onRemove(@NonNull Node node) {
    super.onRemove(node);
    orSwitchOff("remove a node", () -> membership.removed(node));
  }

  private void orSwitchOff(String what, Runnable action) {
    try {
      action.run();
    } catch (Throwable e) {
      policySwitch.onFatalFault(what, e);
    }
  }

  private void onTopology(TopologyEvent event) {
    if (event.type == TopologyEvent.Type.SUGGEST_UP) {
      try {
        membership.announcedUp(event.broadcastRpcAddress);
      } catch (Throwable e) {
        policySwitch.onFault("start the ramp of a node", e);
      }
    }
  }

  /** Called in equal intervals. */
  void lookForLostAnswers() {
    LocalNodes nodes = membership.nodes();
    for (int i = 0; i < nodes.size(); i++) {
      nodes.get(i).lookForLostAnswers();
    }
  }

  /** Whether the session asks nodes how they are, and marks second copies. */
  boolean hearsNodes() {
    return context instanceof FeedbackSource;
  }

  /** May be called more than once. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    lightweightTransactions.close();
    if (topologyListener != null) {
      context.getEventBus().unregister(topologyListener, TopologyEvent.class);
    }
    if (hearsNodes()) {
      ((FeedbackSource) context).removeListener(responses);
    }
    if (looks != null) {
      looks.close();
    }
    membership.close();
    metrics.remove(this);
    try {
      if (jmx != null) {
        jmx.close();
      }
    } catch (Exception e) {
      LOG.warn("[{}] Could not unregister from JMX", logPrefix, e);
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
    return Map.of(kind.title + "Policy", settings);
  }

  /** What the policy knows, and its switch; also registered with JMX. */
  @NonNull
  public WeightedLeastLoadedMXBean control() {
    return control;
  }

  boolean canHedge() {
    return planner.canHedge();
  }

  /**
   * Has slow requests of a profile copied, from the session's start on.
   *
   * @throws IllegalArgumentException if they are already, by other settings
   */
  synchronized Hedges hedge(HedgingSettings hedging, String profileName) {
    Hedges known = hedges;
    if (known == null) {
      known = planner.startHedging(hedging, this);
      membership.onTracked(known::follow);
      hedges = known;
    } else if (!known.settings.isSame(hedging)) {
      throw new IllegalArgumentException(
          "Profiles with one load balancing policy have one budget of copies: give them the same "
              + "options of AdaptiveSpeculativeExecution, or sections "
              + "basic.load-balancing-policy that differ");
    }
    known.askedBy(profileName);
    return known;
  }

  /** Has requests wait while their replicas are at their limits, from the session's start on. */
  void pace(Pace limits) {
    membership.onTracked(limits::follow);
    plans.limit(limits);
  }

  LocalPlans plans() {
    return plans;
  }

  /** Null if requests are not copied. */
  @Nullable
  Hedges hedges() {
    return hedges;
  }

  /**
   * Returns the plan that a request would get now, and what each of its nodes was judged by, as
   * text. Nothing is sent; a probe that the plan would be is taken to be one.
   */
  @NonNull
  public String explain(@NonNull Request request) {
    return plans.explain(request, replicasOf(request), pools(responses.session()));
  }

  boolean isEnabled() {
    return policySwitch.isOn();
  }

  void setEnabled(boolean enabled) {
    if (enabled && !policySwitch.isOn()) {
      startMembership(() -> allNodes().values());
    }
    policySwitch.set(enabled);
  }

  PolicySwitch faults() {
    return policySwitch;
  }

  /** Null if none is set. */
  @Nullable
  String localRack() {
    return localRack.name();
  }

  /** Null before the policy is initialised. */
  @Nullable
  String localDatacenter() {
    return getLocalDatacenter();
  }

  LocalNodes localNodes() {
    return membership.nodes();
  }

  /** Null for a node that is down, or not in the local data centre. */
  @Nullable
  TrackedNode tracked(Node node) {
    return membership.nodes().get(node);
  }

  /** Empty if they are not known. */
  Set<Node> replicasOf(Request request) {
    return replicasOf(request, responses.session());
  }

  Set<Node> replicasOf(Request request, @Nullable Session session) {
    return getReplicas(request, session);
  }

  boolean isLightweightTransaction(Request request) {
    return lightweightTransactions.includes(request);
  }

  DriverContext context() {
    return context;
  }

  /**
   * Whether requests of a profile are planned here; true of all if another policy wraps this one.
   */
  boolean plans(String profileName) {
    return context.getLoadBalancingPolicy(profileName) == this
        || context.getLoadBalancingPolicy(profile.getName()) != this;
  }

  /** Of the profiles that share a policy the driver names any. */
  private String shownName() {
    return context.getLoadBalancingPolicy(DriverExecutionProfile.DEFAULT_NAME) == this
        ? DriverExecutionProfile.DEFAULT_NAME
        : profile.getName();
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

  private void startMembership(Supplier<Collection<Node>> all) {
    membership.start(getLocalDatacenter(), metrics, all, this::liveLocalNodes);
  }

  private Set<Node> liveLocalNodes() {
    return getLiveNodes().dc(getLocalDatacenter());
  }
}
