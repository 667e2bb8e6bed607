/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plug-in of this node: its settings and what it measures. There is one in a process, whatever
 * number of snitches Cassandra makes, because a snitch can be exchanged through JMX and come back.
 * Thread-safe.
 */
final class Plugin implements Membership {
  private static final Logger LOGGER = LoggerFactory.getLogger(Plugin.class);
  private static volatile Plugin instance;

  private final SettingsFile file;
  private final IEndpointSnitch topology;
  private final Host host;
  private final ReadOrdering ordering;
  private final LocalReads localReads;
  private final Guard guard = new Guard(this::switchOff);
  private final Counts counts = new Counts();
  private final Decisions decisions;

  @SuppressWarnings("ThreadLocalUsage") // there is one plug-in in a process
  private final ThreadLocal<ReplicaOrder> order;

  private final AtomicBoolean installed = new AtomicBoolean();
  private volatile Settings settings;
  private volatile Selector selector;
  private volatile ReadBacklog backlog;
  private volatile Mode mode = Mode.OFF;

  // What keeps the mode that is set from being in force.
  private volatile String switchedOff;
  private volatile boolean wrapped;
  private volatile boolean inUse = true;

  /**
   * @param topology the cluster's own snitch
   * @param stock the dynamic snitch around it
   */
  Plugin(
      Settings settings,
      SettingsFile file,
      Host host,
      IEndpointSnitch topology,
      IEndpointSnitch stock) {
    this.settings = settings;
    this.file = file;
    this.host = host;
    this.topology = topology;
    ordering = new ReadOrdering(this, host, topology, stock);
    localReads = new LocalReads(host);
    order = ThreadLocal.withInitial(() -> new ReplicaOrder(host, localReads));
    decisions = new Decisions(host.nanoTime());
  }

  /**
   * Returns the plug-in of this process; the first call reads the settings.
   *
   * @throws org.apache.cassandra.exceptions.ConfigurationException if they cannot be used: the node
   *     does not start
   */
  static synchronized Plugin instance() {
    if (instance == null) {
      instance = create();
    }
    return instance;
  }

  /** Returns the plug-in if there is one that works, otherwise null. */
  static Plugin existing() {
    Plugin existing = instance;
    return existing != null && existing.installed.get() ? existing : null;
  }

  private static Plugin create() {
    SettingsFile file = SettingsFile.find();
    try {
      Settings settings = Settings.defaults().with(file.read());
      IEndpointSnitch topology = topology(settings);
      return new Plugin(
          settings,
          file,
          new Cassandra50(topology),
          topology,
          new DynamicEndpointSnitch(topology, "curtail"));
    } catch (IOException | IllegalArgumentException e) {
      throw Cassandra50.refusal("Curtail cannot start with " + file + ": " + e.getMessage());
    }
  }

  private static IEndpointSnitch topology(Settings settings) {
    if (settings.delegateSnitch().isEmpty()) {
      throw new IllegalArgumentException(
          "delegate_snitch: must name the endpoint_snitch that the cluster used before, such as"
              + " GossipingPropertyFileSnitch");
    }
    IEndpointSnitch snitch = Cassandra50.construct(settings.delegateSnitch());
    if (snitch instanceof CurtailSnitch || snitch instanceof DynamicEndpointSnitch) {
      throw new IllegalArgumentException(
          "delegate_snitch: must know the topology itself, not " + settings.delegateSnitch());
    }
    return snitch;
  }

  /** Hooks into the node, once. */
  void install() {
    if (!installed.compareAndSet(false, true)) {
      return;
    }
    take(settings, false);
    lookAround();
    try {
      Cassandra50.tap(new MeasuredTraffic(this, host), guard);
      Cassandra50.subscribe(this);
      new Upkeep(this, host, file).start();
    } catch (RuntimeException | LinkageError e) {
      guard.failed("hooking into the node", e, host.nanoTime());
      switchOff("it could not hook into the node: " + e);
    }
    attempt("registering tables", this::registerTables);
    attempt("registering the MBean", () -> CurtailManagement.register(this));
    attempt("registering metrics", () -> ServerMetrics.register(this));
    LOGGER.info(
        "Curtail is installed: mode {}, policy {}, topology from {}, settings in {}",
        mode,
        settings.policy.name(),
        settings.delegateSnitch(),
        file);
  }

  private void attempt(String doing, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | LinkageError e) {
      guard.failed(doing, e, host.nanoTime());
    }
  }

  private void registerTables() {
    if (Cassandra50.hasKeyspace(VirtualTables.KEYSPACE)) {
      LOGGER.error(
          "Curtail's tables are not available on this node: the cluster has a keyspace '{}' of its"
              + " own, which they must not hide. JMX and metrics are there.",
          VirtualTables.KEYSPACE);
    } else {
      Cassandra50.register(CurtailKeyspace.create(this));
    }
  }

  /** Finds out whether the node still uses this snitch, and as it is. */
  void lookAround() {
    boolean isWrapped = Cassandra50.isWrapped();
    if (isWrapped && !wrapped && Cassandra50.isInUse()) {
      LOGGER.error(
          "Curtail does NOTHING on this node: Cassandra's dynamic snitch is wrapped around it and"
              + " would reorder what it ranks. Write 'dynamic_snitch: false' in cassandra.yaml and"
              + " restart.");
    }
    wrapped = isWrapped;
    boolean used = Cassandra50.isInUse();
    if (used != inUse) {
      inUse = used;
      LOGGER.info(used ? "Curtail is back" : "Curtail is off: another snitch has taken its place");
    }
    refreshMode();
    selector.update(settings, host, false);
  }

  /**
   * Changes settings of the running node.
   *
   * @throws IllegalArgumentException if one is not understood; then none is taken
   */
  synchronized void set(Map<String, String> changes) {
    Settings before = settings;
    Settings changed = before.withLive(changes);
    if (changes.containsKey(Knob.MODE.toString())) {
      switchedOff = null;
    }
    take(changed, needsNewSelector(before, changed));
    if (before.mode != changed.mode) {
      LOGGER.info("Curtail goes from mode {} to {}", before.mode, changed.mode);
    }
  }

  private static boolean needsNewSelector(Settings before, Settings after) {
    return before.policy != after.policy
        || !before.activeRateControl().equals(after.activeRateControl());
  }

  private synchronized void take(Settings changed, boolean forget) {
    settings = changed;
    backlog = new ReadBacklog(changed.backlogThreads, counts);
    if (forget || selector == null) {
      selector = new Selector(changed, host);
    } else {
      selector.update(changed, host, true);
    }
    refreshMode();
  }

  private synchronized void refreshMode() {
    mode = problem() == null ? settings.mode : Mode.OFF;
  }

  private void switchOff(String reason) {
    switchedOff = reason;
    refreshMode();
    LOGGER.error(
        "Curtail switched itself off on this node: {}. Cassandra's own dynamic snitch orders reads."
            + " Set a mode to switch it on again.",
        reason);
  }

  /** Why the mode that is set is not in force; null if it is. */
  String problem() {
    if (!inUse) {
      return "another snitch is in use";
    }
    return wrapped ? "dynamic_snitch is on" : switchedOff;
  }

  @Override
  public void onDown(InetAddressAndPort endpoint) {
    Peer peer = selector.peers().get(endpoint);
    if (peer != null) {
      peer.forgetOutstanding(host.nanoTime());
    }
  }

  @Override
  public void onRestarted(InetAddressAndPort endpoint) {
    onRemoved(endpoint);
  }

  @Override
  public void onRemoved(InetAddressAndPort endpoint) {
    selector.peers().remove(endpoint);
  }

  /** What is done now: off whenever something forbids the mode that is set. */
  Mode mode() {
    return mode;
  }

  /** Whether another dynamic snitch is around ours. */
  boolean isWrapped() {
    return wrapped;
  }

  Settings settings() {
    return settings;
  }

  Selector selector() {
    return selector;
  }

  ReadBacklog backlog() {
    return backlog;
  }

  ReadOrdering ordering() {
    return ordering;
  }

  IEndpointSnitch topology() {
    return topology;
  }

  /** This thread's. */
  ReplicaOrder order() {
    return order.get();
  }

  LocalReads localReads() {
    return localReads;
  }

  Host host() {
    return host;
  }

  Guard guard() {
    return guard;
  }

  Counts counts() {
    return counts;
  }

  Decisions decisions() {
    return decisions;
  }
}
