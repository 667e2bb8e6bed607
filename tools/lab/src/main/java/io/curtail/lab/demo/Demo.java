/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

import io.curtail.campaign.Progress;
import io.curtail.campaign.StoppableRun;
import io.curtail.lab.arm.ServerModeArms;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.Jit;
import io.curtail.lab.engine.EngineMemtables;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.experiment.Testbeds;
import io.curtail.lab.experiment.Timetable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A short tour on one cluster of three nodes, for someone who sees Curtail first. */
public final class Demo extends StoppableRun {
  private static final int NODES = 3;
  private static final int ZONES = 3;

  private static final Map<String, String> ROCKSDB =
      Map.of("block_cache", "32MiB", "write_buffers", "32MiB", "write_buffer", "8MiB");

  private final List<Path> engine;
  private final ScenarioSettings settings;
  private final List<Act> acts =
      List.of(
          ComparedAct.nearestZone(),
          ComparedAct.slowNode(),
          ComparedAct.pausedNode(),
          ComparedAct.slowDisks(),
          new KilledNodeAct());
  private final List<Scene> scenes = new ArrayList<>();
  private final List<ConditionResult> results = new ArrayList<>();

  /**
   * @param engine the jars of {@code curtail-engine}
   */
  public Demo(List<Path> engine, long seed, Progress progress) {
    super(progress);
    this.engine = List.copyOf(engine);
    settings =
        ScenarioSettings.builder()
            .jit(Jit.C1)
            .rows(ComparedAct.ROWS)
            .slowMotion(ComparedAct.SLOW_MOTION)
            .speculativeRetry("never")
            .maxForeignCpuShare(1)
            .seed(seed)
            .build();
  }

  @Override
  protected void measure() throws IOException, InterruptedException {
    progress.report(
        "Three Cassandra nodes in three zones; stock and Curtail take turns, in slow motion.");
    try (Testbeds testbeds = new Testbeds("demo", settings, progress)) {
      Testbed testbed = testbeds.start(cluster());
      Stage stage =
          new Stage(testbeds, testbed, settings, new Timetable(progress), results, progress);
      for (Act act : acts) {
        progress.report("\n" + act.name().toUpperCase(Locale.ROOT));
        progress.report(act.explanation());
        Scene scene = act.play(stage);
        scenes.add(scene);
        progress.report(
            "%s: stock %s, Curtail %s: %s"
                .formatted(scene.measure(), scene.stock(), scene.curtail(), scene.seen()));
      }
    }
  }

  private ClusterSpecBuilder cluster() throws IOException {
    ClusterSpecBuilder cluster = ClusterSpec.builder().nodes(NODES);
    ServerModeArms.equip(cluster);
    cluster.addClassPath(engine);
    return cluster.zones(ZONES).addYaml(EngineMemtables.yaml(ROCKSDB).entrySet());
  }

  @Override
  public DemoReport report() {
    return new DemoReport(acts, scenes, results, isStopped());
  }
}
