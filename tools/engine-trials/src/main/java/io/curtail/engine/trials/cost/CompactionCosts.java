/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import io.curtail.campaign.Progress;
import io.curtail.engine.trials.Directories;
import io.curtail.engine.trials.TrialNode;
import io.curtail.testnode.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes the same rows with each way to keep data files in order, one after the other. */
public final class CompactionCosts {
  /** Of the disk, for each byte of rows, in the last case. */
  private static final double LITTLE_ROOM = 2.5;

  private static final List<Case> CASES =
      List.of(new Case("levels", 0), new Case("universal", 0), new Case("universal", LITTLE_ROOM));

  private record Case(String compaction, double room) {
    String description() {
      return "compaction: " + compaction + (room > 0 ? ", a disk of " + room + " times them" : "");
    }
  }

  private CompactionCosts() {}

  /**
   * Measures each once: the numbers are counts, of which the machine's speed changes little.
   *
   * @param directory for the files, which are three times as large as the rows at most
   * @param rows of 5,700 bytes
   * @param progress told what runs next
   */
  public static List<CompactionCost> run(
      TrialNode node, Path directory, int rows, Progress progress) throws IOException {
    List<CompactionCost> costs = new ArrayList<>();
    try (NodeProcess started = NodeProcess.start(node.settings(directory.resolve("node")))) {
      for (Case each : CASES) {
        progress.report("writing rows, " + each.description());
        Path files = Files.createDirectory(directory.resolve(each.compaction()));
        String line =
            started
                .call(
                    CompactionTurns.class,
                    "measure",
                    files.toString(),
                    each.compaction(),
                    String.valueOf(rows),
                    String.valueOf(each.room()))
                .get(0);
        double[] numbers =
            Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
        costs.add(
            new CompactionCost(
                each.compaction(),
                each.room(),
                numbers[0],
                numbers[1],
                numbers[2],
                numbers[3],
                numbers[4],
                numbers[5],
                numbers[6]));
        Directories.delete(files);
      }
    }
    return costs;
  }
}
