/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab;

import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.Progress;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.Experiment;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.Settings;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.experiment.Timetable;
import io.curtail.lab.experiment.WarmUp;
import io.curtail.lab.report.CampaignReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs scenarios one after the other; those with as many nodes share a cluster. */
public final class Campaign implements LabRun {
  private final List<Scenario> scenarios;
  private final Settings settings;
  private final Progress progress;
  private final List<ConditionResult> results = new ArrayList<>();
  private final int warmUpSeconds;
  private boolean interrupted;

  /** The warm-up is that of each cluster, in seconds. */
  public Campaign(
      List<Scenario> scenarios, Settings settings, int warmUpSeconds, Progress progress) {
    this.scenarios = List.copyOf(scenarios);
    this.settings = settings;
    this.warmUpSeconds = warmUpSeconds;
    this.progress = progress;
  }

  /**
   * Runs everything. When its thread is interrupted it stops the cluster and returns; what was
   * finished is in {@link #report()}.
   *
   * @throws IllegalStateException if a cluster does not start or a run does not end
   */
  @Override
  public void run() throws IOException {
    Timetable timetable = new Timetable(progress);
    Map<Group, List<Scenario>> groups = new LinkedHashMap<>();
    for (Scenario scenario : scenarios) {
      Group group = new Group(nodes(scenario), scenario.arms());
      groups.computeIfAbsent(group, n -> new ArrayList<>()).add(scenario);
      int arms = group.arms().count(settings);
      scenario.conditions(settings).forEach(c -> timetable.plan(c, arms));
    }
    try {
      for (Map.Entry<Group, List<Scenario>> group : groups.entrySet()) {
        run(group.getKey(), group.getValue(), timetable);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
  }

  /** Scenarios that can share a cluster. */
  private record Group(int nodes, ArmSet arms) {}

  private int nodes(Scenario scenario) {
    return settings.nodes().orElse(scenario.nodes());
  }

  private void run(Group group, List<Scenario> members, Timetable timetable)
      throws IOException, InterruptedException {
    ClusterSpec.Builder cluster =
        ClusterSpec.builder()
            .name("run-" + ProcessHandle.current().pid())
            .nodes(group.nodes())
            .jit(settings.jit())
            .networking(settings.networking())
            .raisedPriority(isRoot());
    group.arms().equip(cluster);
    try (Testbed testbed = Testbed.start(cluster.build(), settings, progress)) {
      List<Arm> arms = group.arms().arms(testbed, settings);
      WarmUp.run(testbed, arms, settings.load(1, 1), warmUpSeconds, progress);
      Experiment experiment = new Experiment(testbed, arms, settings, timetable, progress);
      for (Scenario scenario : members) {
        for (Condition condition : scenario.conditions(settings)) {
          ConditionResult result =
              new ConditionResult(condition, arms.stream().map(Arm::name).toList());
          results.add(result);
          experiment.run(condition, result);
        }
      }
    }
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** What is finished so far. */
  @Override
  public CampaignReport report() {
    return new CampaignReport(
        scenarios,
        results.stream().filter(result -> !result.runs().isEmpty()).toList(),
        settings,
        interrupted);
  }
}
