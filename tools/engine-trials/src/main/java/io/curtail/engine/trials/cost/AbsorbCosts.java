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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Absorbs the same data file by each of the engine's two ways, in turns. */
public final class AbsorbCosts {
  /** RocksDB takes in files. */
  public static final String FILES = "files";

  /** Rows are written, as a client's are. */
  public static final String WRITES = "writes";

  /** The parameter in which the two ways differ. */
  public static final String INGEST_FROM = "ingest_from";

  private static final Map<String, String> LEAST = Map.of(FILES, "1MiB", WRITES, "1024GiB");

  private static final int WARM_UPS = 1;

  private static final Map<String, String> PARAMETERS =
      Map.of(
          "block_cache", "128MiB",
          "write_buffers", "64MiB",
          "write_buffer", "32MiB",
          "max_log_size", "256MiB");

  private AbsorbCosts() {}

  /**
   * Measures both ways in a node each.
   *
   * @param rows of a kilobyte in the data file
   * @param pairs how often each is measured
   * @param progress told what runs next
   * @return by way, in the order of the turns
   */
  public static Map<String, List<AbsorbCost>> run(
      TrialNode node, Path directory, int rows, int pairs, Progress progress) throws IOException {
    Map<String, List<AbsorbCost>> costs = new LinkedHashMap<>();
    try (NodeProcess files = start(node, directory, FILES);
        NodeProcess writes = start(node, directory, WRITES)) {
      for (int turn = 0; turn < WARM_UPS + pairs; turn++) {
        progress.report("turn " + (turn + 1) + " of " + (WARM_UPS + pairs));
        for (String way : Turns.order(List.of(FILES, WRITES), turn)) {
          NodeProcess one = way.equals(FILES) ? files : writes;
          AbsorbCost cost =
              AbsorbCost.of(
                  one.call(AbsorbTurns.class, "measure", "t" + turn, String.valueOf(rows)).get(0));
          if (turn >= WARM_UPS) {
            costs.computeIfAbsent(way, absent -> new ArrayList<>()).add(cost);
          }
        }
      }
    }
    return costs;
  }

  private static NodeProcess start(TrialNode node, Path directory, String way) throws IOException {
    NodeProcess started =
        NodeProcess.start(
            node.withDefaults(PARAMETERS)
                .with(INGEST_FROM, LEAST.get(way))
                .settings(directory.resolve(way))
                .flags(List.of("-Xms512m", "-Xmx512m", "-XX:TieredStopAtLevel=4"))
                .yaml("compaction_throughput", "0MiB/s"));
    started.cql(
        "CREATE KEYSPACE bench WITH replication = {'class': 'SimpleStrategy',"
            + " 'replication_factor': 1}");
    return started;
  }
}
