/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

import io.curtail.campaign.Progress;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.Blocks;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.experiment.Testbeds;
import io.curtail.lab.experiment.Timetable;
import java.io.IOException;
import java.util.List;

/**
 * The cluster that all acts are played on, and what was measured there. Used by one thread.
 *
 * @param timetable of all acts
 * @param results takes what is measured, as soon as it is whole
 */
record Stage(
    Testbeds testbeds,
    Testbed testbed,
    ScenarioSettings settings,
    Timetable timetable,
    List<ConditionResult> results,
    Progress progress) {

  /** Measures the arms; the first is the reference. */
  ConditionResult measure(Condition condition, List<Arm> arms)
      throws IOException, InterruptedException {
    ConditionResult result = new ConditionResult(condition, arms.stream().map(Arm::name).toList());
    timetable.plan(condition, arms.size());
    new Blocks(testbeds, arms, settings, timetable, progress).run(condition, result);
    results.add(result);
    return result;
  }
}
