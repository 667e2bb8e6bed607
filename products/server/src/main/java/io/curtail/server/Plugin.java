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
 * The plug-in of this node: hooks its parts in and makes them known. There is one in a process,
 * whatever number of snitches Cassandra makes, because a snitch can be exchanged through JMX and
 * come back. Thread-safe.
 */
final class Plugin {
  private static final Logger LOGGER = LoggerFactory.getLogger(Plugin.class);
  private static volatile Plugin instance;

  private final SettingsFile file;
  private final PluginParts parts;
  private final AtomicBoolean installed = new AtomicBoolean();

  private Plugin(SettingsFile file, PluginParts parts) {
    this.file = file;
    this.parts = parts;
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

  /** Returns what a plug-in that is installed does for requests; null while there is none. */
  static QueryHooks existingHooks() {
    Plugin existing = instance;
    return existing != null && existing.installed.get() ? existing.parts.hooks : null;
  }

  private static Plugin create() {
    SettingsFile file = SettingsFile.find();
    try {
      Settings settings = Settings.defaults().with(values(file));
      IEndpointSnitch topology = topology(settings);
      StockOrder stock = new StockOrder(topology, Cassandra50DynamicSnitch::new);
      Host host = new Cassandra50Host(topology);
      return new Plugin(file, new PluginParts(settings, host, topology, stock));
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

  boolean isInstalled() {
    return installed.get();
  }

  /** Hooks into the node, once. */
  void install() {
    if (!installed.compareAndSet(false, true)) {
      return;
    }
    LiveSettings live = parts.live;
    Guard guard = parts.guard;
    live.start();
    checkSnitch();
    try {
      parts.hookIn(file, this::checkSnitch);
    } catch (RuntimeException | LinkageError e) {
      guard.failed("hooking into the node", e);
      live.switchOff("it could not hook into the node: " + e);
    }
    guard.attempt("registering tables", this::registerTables);
    guard.attempt(
        "registering the MBean", () -> CurtailManagement.register(live, guard, parts.counts));
    guard.attempt(
        "registering metrics",
        () -> ServerMetrics.register(live, guard, parts.passingGuard, parts.counts));
    LOGGER.info(
        "Curtail is installed: mode {}, policy {}, topology from {}, settings in {}",
        live.mode(),
        live.settings().policy.name(),
        live.settings().delegateSnitch(),
        file);
  }

  private void registerTables() {
    if (Cassandra50.hasKeyspace(VirtualTables.KEYSPACE)) {
      LOGGER.error(
          "Curtail's tables are not available on this node: the cluster has a keyspace '{}' of its"
              + " own, which they must not hide. JMX and metrics are there.",
          VirtualTables.KEYSPACE);
    } else {
      Cassandra50.register(
          CurtailKeyspace.create(
              parts.live,
              parts.host,
              parts.localReads,
              parts.guard,
              parts.passingGuard,
              parts.counts,
              parts.decisions));
    }
  }

  private void checkSnitch() {
    parts.live.snitchIs(Cassandra50.isWrapped(), Cassandra50.isInUse());
  }

  ReadPlanner planner() {
    return parts.planner;
  }

  /** Knows data centres and racks. */
  IEndpointSnitch topology() {
    return parts.topology;
  }
}
