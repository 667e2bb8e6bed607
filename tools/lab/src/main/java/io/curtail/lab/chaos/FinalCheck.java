/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import com.datastax.oss.driver.api.core.DriverException;
import io.curtail.campaign.Progress;
import io.curtail.campaign.process.Polling;
import io.curtail.engine.trials.crash.CrashCheck;
import io.curtail.engine.trials.crash.CrashTables;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

/** Compares everything when nobody writes any more. Used by one thread. */
final class FinalCheck {
  private static final int ATTEMPTS = 10;
  private static final Duration AGAIN = Duration.ofSeconds(2);

  /** Cassandra sends again what a view missed after some time. */
  private static final Duration MOST_BEHIND = Duration.ofSeconds(90);

  private static final int SHOWN = 10;

  private final Nodes nodes;
  private final ChaosSession client;
  private final Load load;
  private final PurgedTable purged;
  private final Progress progress;
  private volatile boolean rebuiltIndexes;

  FinalCheck(Nodes nodes, ChaosSession client, Load load, PurgedTable purged, Progress progress) {
    this.nodes = nodes;
    this.client = client;
    this.load = load;
    this.purged = purged;
    this.progress = progress;
  }

  /** Whether an index lacked entries, and all were built again. Any thread. */
  boolean rebuiltIndexes() {
    return rebuiltIndexes;
  }

  /** Compares, and reports what differs and what cannot be read. */
  void run() throws IOException, InterruptedException {
    try {
      compare();
    } catch (IllegalStateException e) {
      load.violations().report(e.getMessage());
    }
  }

  private void compare() throws IOException, InterruptedException {
    progress.report("comparing all of %d partitions".formatted(load.partitions().size()));
    for (WrittenPartition partition : load.partitions()) {
      if (!isRight(partition, true)) {
        return;
      }
    }
    for (WrittenPartition partition : load.partitions()) {
      if (!rebuiltIndexes && isSo(() -> load.wrong(partition, false) != null)) {
        rebuildIndexes();
      }
      if (rebuiltIndexes && !isRight(partition, false)) {
        return;
      }
    }
    if (!isPurgedRight("", client::rows)) {
      return;
    }
    repair();
    if (eachNodeAlone()) {
      view();
    }
  }

  private boolean isRight(WrittenPartition partition, boolean mayLackIndexEntries)
      throws IOException, InterruptedException {
    return isSo(() -> load.check(partition, mayLackIndexEntries));
  }

  /** What may end with an error at first. */
  private interface Look {
    boolean make() throws IOException, InterruptedException;
  }

  private static boolean isSo(Look look) throws IOException, InterruptedException {
    AtomicBoolean isSo = new AtomicBoolean();
    patiently(() -> isSo.set(look.make()));
    return isSo.get();
  }

  private static void patiently(Attempt attempt) throws IOException, InterruptedException {
    try {
      Attempt.repeat(ATTEMPTS, attempt, failed -> Thread.sleep(AGAIN.toMillis()));
    } catch (DriverException | IllegalStateException e) {
      throw new IllegalStateException("cannot be read or repaired: " + e.getMessage(), e);
    }
  }

  private void rebuildIndexes() throws IOException, InterruptedException {
    progress.report("an index lacks entries, as Cassandra's may after a kill: building all again");
    // Cassandra's own operation reads data files only, and those with the engine have few or none.
    for (String statement : List.of("DROP INDEX IF EXISTS crash.by_v", CrashTables.CREATE_INDEX)) {
      patiently(() -> client.change(statement));
    }
    rebuiltIndexes = true;
  }

  private void repair() throws IOException, InterruptedException {
    progress.report("repairing all");
    for (int node : nodes.members()) {
      patiently(() -> nodes.repair(node));
    }
  }

  /**
   * A quorum hides what one of its nodes has lost; after a repair each of them must have all, also
   * when those with the engine have died.
   */
  private boolean eachNodeAlone() throws IOException, InterruptedException {
    nodes.killEngines();
    progress.report("comparing what each node has by itself");
    for (int node : nodes.members()) {
      InetSocketAddress address = nodes.node(node).address();
      for (WrittenPartition partition : load.partitions()) {
        if (!isSo(
            () ->
                load.check(
                    partition,
                    true,
                    "node " + node + " alone, after a repair and a kill: ",
                    query -> client.rows(address, query)))) {
          return false;
        }
      }
      if (!isPurgedRight("node " + node + " alone: ", query -> client.rows(address, query))) {
        return false;
      }
    }
    return true;
  }

  private boolean isPurgedRight(String who, CrashCheck.Query reader)
      throws IOException, InterruptedException {
    for (PurgedPartition partition : purged.partitions()) {
      if (!isSo(() -> purged.check(partition, who, reader))) {
        return false;
      }
    }
    return true;
  }

  private void view() throws InterruptedException {
    if (!Polling.holds(MOST_BEHIND, AGAIN, this::isViewRight)) {
      Set<String> lacking = rows("indexed");
      Set<String> risen = rows(Plan.VIEW);
      Set<String> both = new TreeSet<>(lacking);
      both.retainAll(risen);
      lacking.removeAll(both);
      risen.removeAll(both);
      String what =
          "the view lacks %d rows, such as %s, and has %d that the table has not, such as %s"
              .formatted(lacking.size(), some(lacking), risen.size(), some(risen));
      load.violations().report(what);
    }
  }

  private static List<String> some(Set<String> rows) {
    return rows.stream().limit(SHOWN).toList();
  }

  private boolean isViewRight() {
    try {
      return rows("indexed").equals(rows(Plan.VIEW));
    } catch (DriverException e) {
      progress.report("not read, trying again: " + e.getMessage());
      return false;
    }
  }

  private Set<String> rows(String table) {
    return new TreeSet<>(client.rows("SELECT p, n, v FROM " + Jmx.KEYSPACE + "." + table));
  }
}
