/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import io.curtail.campaign.process.Polling;
import io.curtail.engine.trials.crash.CrashTables;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * An index and a view that are dropped and built again from the rows that are there, while clients
 * write. What asks them waits until they are. Used by one thread.
 */
record Builds(Nodes nodes, ChaosSession client, Load load, Patience patience) {
  /** Makes the view of {@code crash.indexed} if it is not there yet. */
  static final String CREATE_VIEW =
      "CREATE MATERIALIZED VIEW IF NOT EXISTS crash.%s AS SELECT p, n, v FROM crash.indexed WHERE v"
              .formatted(Plan.VIEW)
          + " IS NOT NULL AND p IS NOT NULL AND n IS NOT NULL PRIMARY KEY (v, p, n) WITH memtable ="
          + " 'rocksdb'";

  private static final Duration MOST_BUILDING = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofMillis(200);

  private static final String HAS_INDEX =
      "SELECT * FROM system.\"IndexInfo\" WHERE table_name = 'crash' AND index_name = 'by_v'";
  private static final String HAS_VIEW =
      "SELECT * FROM system.built_views WHERE keyspace_name = 'crash' AND view_name = '%s'"
          .formatted(Plan.VIEW);

  void index() throws IOException, InterruptedException {
    load.withoutChecks(
        () -> build("DROP INDEX IF EXISTS crash.by_v", CrashTables.CREATE_INDEX, HAS_INDEX));
  }

  void view() throws IOException, InterruptedException {
    String drop = "DROP MATERIALIZED VIEW IF EXISTS crash." + Plan.VIEW;
    load.withoutChecks(() -> build(drop, CREATE_VIEW, HAS_VIEW));
  }

  private void build(String drop, String create, String isBuilt)
      throws IOException, InterruptedException {
    patience.run(() -> client.change(drop));
    patience.run(() -> client.change(create));
    for (int node : nodes.members()) {
      patience.run(() -> await(node, isBuilt));
    }
  }

  private void await(int node, String isBuilt) throws InterruptedException {
    InetSocketAddress address = nodes.node(node).address();
    Polling.until(
        MOST_BUILDING,
        POLL,
        () -> !client.rows(address, isBuilt).isEmpty(),
        () -> "node " + node + " has not built it: " + isBuilt);
  }
}
