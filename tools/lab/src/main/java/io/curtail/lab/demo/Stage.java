/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

import io.curtail.campaign.Progress;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.Experiment;
import io.curtail.lab.experiment.Settings;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.experiment.Testbeds;
import io.curtail.lab.experiment.Timetable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The cluster that all acts are played on, and what was measured there. Used by one thread. */
final class Stage {
  private final Testbeds testbeds;
  private final Testbed testbed;
  private final Settings settings;
  private final Timetable timetable;
  private final Progress progress;
  private final List<ConditionResult> results = new ArrayList<>();

  Stage(Testbeds testbeds, Testbed testbed, Settings settings, Progress progress) {
    this.testbeds = testbeds;
    this.testbed = testbed;
    this.settings = settings;
    this.progress = progress;
    timetable = new Timetable(progress);
  }

  Testbed testbed() {
    return testbed;
  }

  Progress progress() {
    return progress;
  }

  /** Measures the arms; the first is the reference. */
  ConditionResult measure(Condition condition, List<Arm> arms)
      throws IOException, InterruptedException {
    ConditionResult result = new ConditionResult(condition, arms.stream().map(Arm::name).toList());
    timetable.plan(condition, arms.size());
    results.add(result);
    new Experiment(testbeds, arms, settings, timetable, progress).run(condition, result);
    return result;
  }

  /** What is finished so far. */
  List<ConditionResult> results() {
    return results.stream().filter(result -> !result.runs().isEmpty()).toList();
  }
}
