/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab;

import io.curtail.campaign.Progress;
import io.curtail.campaign.StoppableRun;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.Blocks;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.Testbeds;
import io.curtail.lab.experiment.Timetable;
import io.curtail.lab.experiment.WarmUp;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.report.CampaignReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Runs scenarios one after the other; those with as many nodes share a cluster. */
public final class Campaign extends StoppableRun {
  private final List<Scenario> scenarios;
  private final ScenarioSettings settings;
  private final List<ConditionResult> results = new ArrayList<>();
  private final OptionalInt warmUpSeconds;
  private final Map<String, Long> diskBytes = new LinkedHashMap<>();

  /**
   * The warm-up is that of each cluster, in seconds; by scenario if empty.
   *
   * @throws IllegalArgumentException if a scenario cannot run with these settings
   */
  public Campaign(
      List<Scenario> scenarios,
      ScenarioSettings settings,
      OptionalInt warmUpSeconds,
      Progress progress) {
    super(progress);
    this.scenarios = List.copyOf(scenarios);
    this.settings = settings;
    this.warmUpSeconds = warmUpSeconds;
    if (warmUpSeconds.orElse(0) < 0) {
      throw new IllegalArgumentException("warm-up: 0 seconds or more");
    }
    for (Scenario scenario : scenarios) {
      scenario.conditions(settings);
      scenario.arms().count(settings);
    }
  }

  @Override
  protected void measure() throws IOException, InterruptedException {
    Timetable timetable = new Timetable(progress);
    Map<Group, List<Scenario>> groups = new LinkedHashMap<>();
    for (Scenario scenario : scenarios) {
      Group group = new Group(nodes(scenario), scenario.arms());
      groups.computeIfAbsent(group, each -> new ArrayList<>()).add(scenario);
      int arms = group.arms().count(settings);
      scenario.conditions(settings).forEach(c -> timetable.plan(c, arms));
    }
    for (Map.Entry<Group, List<Scenario>> group : groups.entrySet()) {
      run(group.getKey(), group.getValue(), timetable);
    }
  }

  /** Scenarios that can share a cluster. */
  private record Group(int nodes, ArmSet arms) {}

  private int nodes(Scenario scenario) {
    return settings.nodes().orElse(scenario.nodes());
  }

  private void run(Group group, List<Scenario> members, Timetable timetable)
      throws IOException, InterruptedException {
    List<Condition> conditions =
        members.stream().flatMap(scenario -> scenario.conditions(settings).stream()).toList();
    try (Testbeds testbeds = new Testbeds("run", settings, progress)) {
      List<Arm> arms = group.arms().start(testbeds, settings, group.nodes());
      for (Arm arm : arms) {
        arm.diskBytes().ifPresent(bytes -> diskBytes.put(arm.name(), bytes));
      }
      LoadSpec load = conditions.get(0).load();
      List<Mix> mixes =
          conditions.stream().map(condition -> condition.load().mix()).distinct().toList();
      int seconds = warmUpSeconds.orElse(group.arms().warmUpSeconds());
      WarmUp.run(testbeds, arms, load, mixes, seconds, progress);
      if (group.arms().areCompiledApart()) {
        WarmUp.untilCompiled(testbeds, arms, load, mixes, seconds, progress);
      }
      Blocks blocks = new Blocks(testbeds, arms, settings, timetable, progress);
      for (Condition condition : conditions) {
        ConditionResult result =
            new ConditionResult(condition, arms.stream().map(Arm::name).toList());
        results.add(result);
        blocks.run(condition, result);
      }
    }
  }

  /** What is finished so far. */
  @Override
  public CampaignReport report() {
    return new CampaignReport(
        scenarios,
        results.stream().filter(result -> !result.runs().isEmpty()).toList(),
        settings,
        Map.copyOf(diskBytes),
        isStopped());
  }
}
