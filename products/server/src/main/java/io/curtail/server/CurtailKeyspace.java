/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.List;
import org.apache.cassandra.db.virtual.VirtualKeyspace;

/** The virtual keyspace {@code curtail}: each node answers for itself. */
final class CurtailKeyspace {
  private CurtailKeyspace() {}

  static VirtualKeyspace create(
      LiveSettings live,
      Host host,
      LocalReads localReads,
      Guard guard,
      Guard passingGuard,
      Counts counts,
      Decisions decisions) {
    return new VirtualKeyspace(
        VirtualTables.KEYSPACE,
        List.of(
            new ReplicaScoresTable(live, host),
            new ServerLoadTable(live, host, localReads, guard, passingGuard, counts),
            new SettingsTable(live),
            new DecisionsTable(decisions)));
  }
}
