/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import io.curtail.engine.trials.crash.CrashTables;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Whether an index that was built a moment ago finds the rows that are there, on each node with the
 * engine by itself. A build that nobody is killed in leaves none out; what a kill takes of an index
 * later, in Cassandra's memtable, it takes from Cassandra, too, so later nobody is strict. Used by
 * one thread, while nobody writes.
 */
record IndexCheck(Nodes nodes, ChaosSession client, Load load) {
  private static final int ATTEMPTS = 8;
  private static final int AGAIN_MILLIS = 1_000;

  /**
   * Of a partition, the newest rows, which were written while it was built, and some older ones.
   */
  private static final int NEWEST = 10;

  private static final int EACH = 7;

  void run() throws InterruptedException {
    for (int node : nodes.members()) {
      if (Plan.hasEngine(node)) {
        for (WrittenPartition partition : load.partitions()) {
          check(node, partition.number());
        }
      }
    }
  }

  private void check(int node, int partition) throws InterruptedException {
    InetSocketAddress address = nodes.node(node).address();
    List<String> rows = client.rows(address, "SELECT n FROM crash.indexed WHERE p = " + partition);
    for (int i = 0; i < rows.size(); i++) {
      if (i % EACH == 0 || i >= rows.size() - NEWEST) {
        int n = Integer.parseInt(rows.get(i).substring("n=".length()));
        find(node, partition, n);
      }
    }
  }

  /** A hint that is applied at this moment may have brought the row, and not yet its entry. */
  private void find(int node, int partition, int n) throws InterruptedException {
    String query =
        "SELECT n FROM crash.indexed WHERE p = %d AND v = %d"
            .formatted(partition, CrashTables.indexed(partition, n));
    for (int i = 1; client.rows(nodes.node(node).address(), query).isEmpty(); i++) {
      if (i == ATTEMPTS) {
        String what =
            "node %d has built the index, which does not find row %d of partition %d"
                .formatted(node, n, partition);
        load.violations().report(what);
        return;
      }
      Thread.sleep(AGAIN_MILLIS);
    }
  }
}
