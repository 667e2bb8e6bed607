/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import org.apache.cassandra.locator.SimpleSnitch;

/** What reads that may be passed on go through at a coordinator, without its messages. */
abstract class CoordinatorParts {
  final FakeHost host = new FakeHost();
  private final SimpleSnitch topology = new SimpleSnitch();
  final PluginParts parts =
      new PluginParts(
          Settings.defaults(), host, topology, new StockOrder(topology, snitch -> null));
  final LiveSettings live = parts.live;
  final Guard guard = new Guard(host::nanoTime, live::switchPassingOff);
  final SecondCopies copies = new SecondCopies(live, parts.counts, guard);
  final LocalReads localReads = new LocalReads(host);
  final PassedReads reads = new PassedReads(live, host, localReads, copies, parts.counts);
}
