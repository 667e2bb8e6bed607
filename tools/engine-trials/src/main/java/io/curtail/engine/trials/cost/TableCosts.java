/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import io.curtail.campaign.Progress;
import io.curtail.campaign.Turns;
import io.curtail.engine.trials.TrialNode;
import io.curtail.testnode.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs {@link TableCase}s in one node, stock and RocksDB in {@link Turns}: what slows the machine
 * slows both.
 *
 * @param pairs how often each is measured
 * @param turnMillis how long each time
 * @param profiled whether each gets a turn under a profiler in the end, which does not count
 */
public record TableCosts(List<TableCase> cases, int pairs, long turnMillis, boolean profiled) {
  /** The stock memtable that RocksDB is held against; its data files are in the chunk cache. */
  public static final String STOCK = "trie";

  public static final String ROCKS = "rocksdb";

  private static final int WARM_UPS = 4;
  private static final int PROFILED_MILLIS = 2_000;
  private static final List<String> STORAGES = List.of(STOCK, ROCKS);

  private static final Map<String, String> PARAMETERS =
      Map.of(
          "block_cache", "512MiB",
          "write_buffers", "256MiB",
          "write_buffer", "64MiB",
          "max_log_size", "512MiB");

  /** The flags of {@code jvm-server.options} that change the cost of a request. */
  private static final List<String> FLAGS =
      List.of("-Xms1g", "-Xmx1g", "-XX:TieredStopAtLevel=4", "-XX:+PreserveFramePointer");

  public TableCosts {
    cases = List.copyOf(cases);
  }

  /** How long {@link #run} takes, about. */
  public long seconds() {
    long millis = (pairs + WARM_UPS) * turnMillis + (profiled ? PROFILED_MILLIS : 0);
    return 40 + cases.size() * 2L * millis / 1_000;
  }

  /**
   * What {@link #run} found.
   *
   * @param turns all that count
   * @param profiles one of each case and storage, if they are profiled
   */
  public record Result(List<TableCost> turns, List<TableProfile> profiles) {}

  /**
   * Runs all cases in rounds.
   *
   * @param directory for the node's files
   * @param flameGraphs for a file of each profile; null for none
   * @param progress told what runs next
   */
  public Result run(TrialNode node, Path directory, Path flameGraphs, Progress progress)
      throws IOException {
    var settings =
        node.withDefaults(PARAMETERS)
            .settings(directory)
            .flags(FLAGS)
            .flags(List.of("-javaagent:" + NativeCallCounter.agent(directory)))
            .yaml("file_cache_enabled", "true")
            .yaml("file_cache_size", "512MiB")
            .yaml("commitlog_segment_size", "32MiB")
            .yaml("commitlog_total_space", "512MiB")
            .yaml("memtable_heap_space", "256MiB")
            .yaml("memtable_offheap_space", "256MiB")
            .yaml("memtable_allocation_type", "offheap_objects");
    try (NodeProcess started = NodeProcess.start(settings)) {
      progress.report("filling the tables of node " + started.pid());
      started.cql(
          "CREATE KEYSPACE bench WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 1}");
      for (TableCase.TestTable table : cases.stream().map(TableCase::table).distinct().toList()) {
        for (String storage : STORAGES) {
          started.call(TableTurns.class, "fill", table.name(), storage);
        }
      }
      List<TableCost> costs = new ArrayList<>();
      for (int round = 0; round < WARM_UPS + pairs; round++) {
        progress.report("round " + (round + 1) + " of " + (WARM_UPS + pairs));
        for (Turn turn : turns(round)) {
          TableCost cost = turn.measure(started, turnMillis);
          if (round >= WARM_UPS) {
            costs.add(cost);
          }
        }
      }
      return new Result(costs, profiles(started, flameGraphs, progress));
    }
  }

  private List<TableProfile> profiles(NodeProcess node, Path flameGraphs, Progress progress)
      throws IOException {
    List<TableProfile> profiles = new ArrayList<>();
    for (Turn turn : profiled ? turns(0) : List.<Turn>of()) {
      progress.report("profile of " + turn.test.title() + ", " + turn.storage);
      profiles.add(turn.profile(node, PROFILED_MILLIS, flameGraphs));
    }
    return profiles;
  }

  /** A case on one storage. */
  record Turn(TableCase test, String storage) {
    private TableCost measure(NodeProcess node, long millis) throws IOException {
      updateRows(node);
      List<String> lines =
          node.call(TableTurns.class, "measure", test.name(), storage, Long.toString(millis));
      return TableCost.of(test, storage, lines.get(0));
    }

    private TableProfile profile(NodeProcess node, long millis, Path flameGraphs)
        throws IOException {
      updateRows(node);
      String name = "engine-" + test.name().toLowerCase(Locale.ROOT) + "-" + storage + ".html";
      String file =
          flameGraphs == null ? "" : flameGraphs.resolve(name).toAbsolutePath().toString();
      String time = Long.toString(millis);
      List<String> lines =
          node.call(ProfiledTurn.class, "profile", test.name(), storage, time, file);
      return TableProfile.of(test, storage, lines.get(0));
    }

    /** Before a turn, and before its profile begins. */
    private void updateRows(NodeProcess node) throws IOException {
      if (test.isOfUpdatedRows()) {
        node.call(TableTurns.class, "updateAll", test.table().name(), storage);
      }
    }
  }

  /** Every case once on each storage, so that all are warm when they count. */
  List<Turn> turns(int round) {
    List<Turn> turns = new ArrayList<>();
    for (TableCase test : cases) {
      for (String storage : Turns.order(STORAGES, round)) {
        turns.add(new Turn(test, storage));
      }
    }
    return turns;
  }
}
