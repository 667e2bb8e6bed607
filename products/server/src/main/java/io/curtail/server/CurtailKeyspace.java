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

  static VirtualKeyspace create(Plugin plugin) {
    return new VirtualKeyspace(
        VirtualTables.KEYSPACE,
        List.of(
            new ReplicaScoresTable(plugin),
            new ServerLoadTable(plugin),
            new SettingsTable(plugin),
            new DecisionsTable(plugin)));
  }
}
