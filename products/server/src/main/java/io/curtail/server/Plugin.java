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
import org.apache.cassandra.locator.SimpleSnitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plug-in of this node: makes its parts and hooks them into the node. There is one in a
 * process, whatever number of snitches Cassandra makes, because a snitch can be exchanged through
 * JMX and come back. Thread-safe.
 */
final class Plugin {
  private static final Logger LOGGER = LoggerFactory.getLogger(Plugin.class);
  private static volatile Plugin instance;

  private final SettingsFile file;
  private final IEndpointSnitch topology;
  private final Host host;
  private final StockOrder stock;
  private final Counts counts = new Counts();
  private final Decisions decisions;
  private final Guard guard;
  private final LiveSettings live;
  private final LocalReads localReads;
  private final ThreadLocal<ReplicaSorter> sorters;
  private final ReadPlanner planner;
  private final MeasuredTraffic traffic;
  private final SecondCopies copies;
  private final PassedReads passed;
  private final Guard passingGuard;
  private final AtomicBoolean installed = new AtomicBoolean();

  @SuppressWarnings("ThreadLocalUsage") // there is one plug-in in a process
  Plugin(
      Settings settings, SettingsFile file, Host host, IEndpointSnitch topology, StockOrder stock) {
    this.file = file;
    this.host = host;
    this.topology = topology;
    this.stock = stock;
    decisions = new Decisions(host.nanoTime());
    live = new LiveSettings(settings, host, counts, this::followMode);
    guard = new Guard(host::nanoTime, live::switchOff);
    localReads = new LocalReads(host);
    sorters = ThreadLocal.withInitial(() -> new ReplicaSorter(host, localReads));
    Probing probing = new Probing(host, localReads, counts, guard);
    passingGuard = new Guard(host::nanoTime, live::switchPassingOff);
    copies = new SecondCopies(live, counts, passingGuard);
    passed = new PassedReads(live, host, localReads, copies, counts);
    planner =
        new ReadPlanner(
            live,
            host,
            topology,
            stock,
            sorters,
            new GuardedPassing(passed, passingGuard),
            probing,
            counts,
            decisions,
            guard);
    traffic = new MeasuredTraffic(live, host, sorters, probing, counts, guard);
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
      Settings settings = Settings.defaults().with(values(file));
      IEndpointSnitch topology = topology(settings);
      StockOrder stock = new StockOrder(topology, Cassandra50DynamicSnitch::new);
      return new Plugin(settings, file, new Cassandra50Host(topology), topology, stock);
    } catch (IOException | IllegalArgumentException e) {
      throw Cassandra50.refusal("Curtail cannot start with " + file + ": " + e.getMessage());
    }
  }

  // Cassandra's tools make the snitch too, without the options of the node, and send no reads.
  private static Map<String, String> values(SettingsFile file) throws IOException {
    return Cassandra50.isTool() && !file.exists()
        ? Map.of(Knob.DELEGATE_SNITCH.toString(), SimpleSnitch.class.getName())
        : file.read();
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
    live.start();
    checkSnitch();
    try {
      Cassandra50CarriedArrivals arrivals =
          new Cassandra50CarriedArrivals(passed, live, host, counts, passingGuard);
      Cassandra50Carrier carrier =
          new Cassandra50Carrier(
              passed, copies, arrivals, traffic, live, host, counts, passingGuard);
      Cassandra50Departures departures =
          new Cassandra50Departures(carrier, passed, copies, live, host, sorters, counts);
      new Cassandra50Messages(traffic, guard, departures, carrier, arrivals, passed, passingGuard)
          .observe();
      Cassandra50.subscribe(new PeerMembership(live, host, passed, guard));
      new BackgroundTasks(live, host, file, localReads, passed, copies, guard, this::checkSnitch)
          .start();
    } catch (RuntimeException | LinkageError e) {
      guard.failed("hooking into the node", e);
      live.switchOff("it could not hook into the node: " + e);
    }
    attempt("registering tables", this::registerTables);
    attempt("registering the MBean", () -> CurtailManagement.register(live, guard, counts));
    attempt("registering metrics", () -> ServerMetrics.register(live, guard, passingGuard, counts));
    LOGGER.info(
        "Curtail is installed: mode {}, policy {}, topology from {}, settings in {}",
        live.mode(),
        live.settings().policy.name(),
        live.settings().delegateSnitch(),
        file);
  }

  private void attempt(String doing, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | LinkageError e) {
      guard.failed(doing, e);
    }
  }

  private void registerTables() {
    if (Cassandra50.hasKeyspace(VirtualTables.KEYSPACE)) {
      LOGGER.error(
          "Curtail's tables are not available on this node: the cluster has a keyspace '{}' of its"
              + " own, which they must not hide. JMX and metrics are there.",
          VirtualTables.KEYSPACE);
    } else {
      Cassandra50.register(
          CurtailKeyspace.create(live, host, localReads, guard, passingGuard, counts, decisions));
    }
  }

  private void checkSnitch() {
    live.snitchIs(Cassandra50.isWrapped(), Cassandra50.isInUse());
  }

  private void followMode(Mode mode) {
    attempt(
        "starting or stopping the dynamic snitch",
        () -> stock.run(live.ordersReads() && !mode.ranks()));
  }

  ReadPlanner planner() {
    return planner;
  }

  /** This thread's. */
  RequestContext context() {
    return sorters.get().context();
  }

  MeasuredTraffic traffic() {
    return traffic;
  }

  /** Knows data centres and racks. */
  IEndpointSnitch topology() {
    return topology;
  }

  LiveSettings live() {
    return live;
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
}
