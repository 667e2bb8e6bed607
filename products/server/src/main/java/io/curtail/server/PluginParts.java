/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import org.apache.cassandra.locator.IEndpointSnitch;

/** The parts of the plug-in, made for each other. Thread-safe. */
final class PluginParts {
  final Host host;
  final IEndpointSnitch topology;
  final StockOrder stock;
  final Counts counts = new Counts();
  final Decisions decisions;
  final LiveSettings live;
  final Guard guard;
  final Guard passingGuard;
  final LocalReads localReads;

  /** This thread's. */
  final ThreadLocal<ReplicaSorter> sorters;

  final SecondCopies copies;
  final PassedReads passed;
  final ReadPlanner planner;
  final MeasuredTraffic traffic;
  final QueryHooks hooks;

  /**
   * @param topology the cluster's own snitch: knows data centres and racks
   */
  @SuppressWarnings("ThreadLocalUsage") // there is one plug-in in a process
  PluginParts(Settings settings, Host host, IEndpointSnitch topology, StockOrder stock) {
    this.host = host;
    this.topology = topology;
    this.stock = stock;
    decisions = new Decisions(host.nanoTime());
    live = new LiveSettings(settings, host, counts, this::followMode);
    guard = new Guard(host::nanoTime, live::switchOff);
    passingGuard = new Guard(host::nanoTime, live::switchPassingOff);
    localReads = new LocalReads(host);
    sorters = ThreadLocal.withInitial(() -> new ReplicaSorter(host, localReads));
    copies = new SecondCopies(live, counts, passingGuard);
    passed = new PassedReads(live, host, localReads, copies, counts);
    Probing probing = new Probing(host, localReads, counts, guard);
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
    hooks = new QueryHooks(live, host, traffic, counts, guard);
  }

  private void followMode(Mode mode) {
    guard.attempt(
        "starting or stopping the dynamic snitch",
        () -> stock.run(live.ordersReads() && !mode.ranks()));
  }

  /** Lets them see the node's messages and peers, and starts what runs beside its reads. */
  void hookIn(SettingsFile file, Runnable checkSnitch) {
    Cassandra50CarriedArrivals arrivals =
        new Cassandra50CarriedArrivals(passed, live, host, counts, passingGuard);
    Cassandra50Carrier carrier =
        new Cassandra50Carrier(passed, copies, arrivals, traffic, live, host, counts, passingGuard);
    Cassandra50Departures departures =
        new Cassandra50Departures(carrier, passed, copies, live, host, sorters, counts);
    new Cassandra50Messages(traffic, guard, departures, carrier, arrivals, passed, passingGuard)
        .observe();
    new Cassandra50Queries(traffic, guard).observe();
    Cassandra50.subscribe(new PeerMembership(live, host, passed, guard));
    new BackgroundTasks(live, host, file, localReads, passed, copies, guard, checkSnitch).start();
  }
}
