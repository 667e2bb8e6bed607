/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.campaign.Progress;

/** Counts the runs that are planned and done, and tells the user how long the rest will take. */
public final class Timetable {
  /** For opening the next run, waiting for the last answers, and recovery. */
  private static final double SECONDS_BETWEEN_RUNS = 1;

  private final Progress progress;
  private int plannedRuns;
  private int startedRuns;
  private double secondsLeft;

  public Timetable(Progress progress) {
    this.progress = progress;
  }

  public void plan(Condition condition, int arms) {
    for (int block = 0; block < condition.blocks(); block++) {
      planBlock(condition, arms);
    }
  }

  void planBlock(Condition condition, int arms) {
    int runs = runsInBlock(condition, arms);
    plannedRuns += runs;
    secondsLeft += runs * seconds(condition);
  }

  private static int runsInBlock(Condition condition, int arms) {
    return arms + (condition.needsHealthyRun() ? 1 : 0);
  }

  private static double seconds(Condition condition) {
    return condition.runSeconds() + SECONDS_BETWEEN_RUNS;
  }

  void started(Condition condition, int block, String what) {
    startedRuns++;
    String place =
        block <= condition.blocks()
            ? "block " + block + " of " + condition.blocks()
            : "another block";
    progress.report(
        startedRuns, plannedRuns, secondsLeft, condition.title() + " | " + place + " | " + what);
    secondsLeft = Math.max(0, secondsLeft - seconds(condition));
  }
}
