/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.Progress;
import io.curtail.lab.load.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs scenarios one after the other; those with as many nodes share a cluster. */
public final class Campaign {
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
  public void run() throws IOException {
    Timetable timetable = new Timetable(progress);
    Map<Integer, List<Scenario>> byNodes = new LinkedHashMap<>();
    for (Scenario scenario : scenarios) {
      byNodes.computeIfAbsent(nodes(scenario), n -> new ArrayList<>()).add(scenario);
      scenario.conditions(settings).forEach(c -> timetable.plan(c, settings.policies().size()));
    }
    try {
      for (Map.Entry<Integer, List<Scenario>> group : byNodes.entrySet()) {
        run(group.getKey(), group.getValue(), timetable);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
  }

  private int nodes(Scenario scenario) {
    return settings.nodes().orElse(scenario.nodes());
  }

  private void run(int nodes, List<Scenario> group, Timetable timetable)
      throws IOException, InterruptedException {
    ClusterSpec spec =
        ClusterSpec.builder()
            .name("run-" + ProcessHandle.current().pid())
            .nodes(nodes)
            .jit(settings.jit())
            .networking(settings.networking())
            .raisedPriority(isRoot())
            .build();
    try (Testbed testbed = Testbed.start(spec, settings.clientZones(), settings.rows(), progress)) {
      List<Arm> arms = new ArrayList<>();
      for (Policy policy : settings.policies()) {
        arms.add(testbed.arm(policy));
      }
      WarmUp.run(testbed, arms, settings.load(1, 1), warmUpSeconds, progress);
      Experiment experiment = new Experiment(testbed, arms, settings, timetable, progress);
      for (Scenario scenario : group) {
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
  public CampaignReport report() {
    return new CampaignReport(
        scenarios,
        results.stream().filter(result -> !result.runs().isEmpty()).toList(),
        settings,
        interrupted);
  }
}
