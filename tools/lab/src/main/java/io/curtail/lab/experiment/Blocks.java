/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.campaign.Progress;
import io.curtail.campaign.Turns;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.SlowStorages;
import io.curtail.lab.load.DelayError;
import io.curtail.lab.load.LoadResult;
import io.curtail.lab.load.LoadSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures arms under a condition, on one live cluster, in blocks. A block measures each arm once,
 * with the same seed and the same node disturbed, in random {@link Turns}. Under a disturbance a
 * block also has a run of the reference arm while all is well: its 99.9th percentile says what
 * counts as touched.
 */
public final class Blocks {
  private static final long LATE_MICROS = 500;

  /**
   * Cassandra looks every 5 s at how long reads take, to know which ones to send a second time:
   * with disks that have just become slow that may be most of them.
   */
  private static final int SETTLE_SECONDS = 8;

  private final Testbeds testbeds;
  private final List<Arm> arms;
  private final ScenarioSettings settings;
  private final Timetable timetable;
  private final Progress progress;

  /** The first arm is the reference. */
  public Blocks(
      Testbeds testbeds,
      List<Arm> arms,
      ScenarioSettings settings,
      Timetable timetable,
      Progress progress) {
    this.testbeds = testbeds;
    this.arms = List.copyOf(arms);
    this.settings = settings;
    this.timetable = timetable;
    this.progress = progress;
  }

  /** One run of a block. */
  private record Slot(Arm arm, boolean disturbed) {}

  /**
   * Fills the result block by block, so that it holds what is finished when this is interrupted. A
   * block with a discarded run is repeated, at most half as often as there are blocks.
   */
  public void run(Condition condition, ConditionResult result)
      throws IOException, InterruptedException {
    int limit = condition.blocks() + Math.max(1, condition.blocks() / 2);
    List<LabNode> allNodes =
        arms.stream()
            .map(Arm::testbed)
            .distinct()
            .flatMap(testbed -> testbed.cluster().nodes().stream())
            .toList();
    if (condition.diskTime().isZero()) {
      blocks(condition, result, limit);
    } else {
      try (SlowStorages disks = SlowStorages.slow(allNodes, condition.diskTime())) {
        progress.report(disks.description());
        WarmUp.run(
            testbeds,
            arms.subList(0, 1),
            condition.load(),
            List.of(condition.load().mix()),
            SETTLE_SECONDS,
            progress);
        blocks(condition, result, limit);
      }
    }
    if (result.countedBlocks().size() < condition.blocks()) {
      progress.report(
          "only %d of %d blocks passed the rules: the machine was too busy for %s"
              .formatted(result.countedBlocks().size(), condition.blocks(), condition.title()));
    }
  }

  private void blocks(Condition condition, ConditionResult result, int limit)
      throws IOException, InterruptedException {
    for (int block = 1; block <= limit; block++) {
      if (result.countedBlocks().size() >= condition.blocks()) {
        return;
      }
      if (block > condition.blocks()) {
        timetable.planBlock(condition, arms.size());
      }
      List<ArmRun> runs = new ArrayList<>();
      for (Slot slot : slots(condition, block)) {
        runs.add(measure(condition, slot, block, runs.size() + 1));
      }
      result.add(runs);
    }
  }

  private List<Slot> slots(Condition condition, int block) {
    List<Slot> slots = new ArrayList<>();
    arms.forEach(arm -> slots.add(new Slot(arm, condition.isDisturbed())));
    if (condition.needsHealthyRun()) {
      slots.add(new Slot(arms.get(0), false));
    }
    return Turns.order(slots, block - 1, 31 * settings.seed());
  }

  private ArmRun measure(Condition condition, Slot slot, int block, int order)
      throws IOException, InterruptedException {
    Testbed testbed = slot.arm().testbed();
    LabNode node = slot.disturbed() ? disturbedNode(testbed, block) : null;
    List<LabNode> notWell =
        node == null ? List.of() : condition.disturbance().nodes(testbed.cluster(), node);
    String what = slot.arm().name() + (condition.isDisturbed() && node == null ? ", all well" : "");
    timetable.started(condition, block, what);
    testbeds.wake(testbed);
    testbed.cluster().network().use(condition.latencies());
    slot.arm().activate();
    LoadSpec load = condition.load().withSeed(settings.seed() * 1_000 + block);
    ArmMeasurement.Loaded loaded = ArmMeasurement.run(condition, slot.arm(), load, node);
    RunQuality quality = quality(loaded.result(), loaded.foreignCpuShare());
    if (node != null) {
      testbed.awaitRecovery();
    }
    List<String> violations = quality.violations(settings.rules());
    violations.forEach(violation -> progress.report("  discarded: " + violation));
    return new ArmRun(
        condition,
        slot.arm().name(),
        block,
        order,
        slot.disturbed(),
        notWell.stream().map(LabNode::host).toList(),
        load.seed(),
        loaded.result(),
        loaded.reads(),
        loaded.nodeCpuMillis(),
        loaded.messagesPerRequest(),
        loaded.cost(),
        quality,
        violations,
        loaded.storage());
  }

  /** Another one in each block, so that no zone is favoured. */
  private LabNode disturbedNode(Testbed testbed, int block) {
    List<LabNode> nodes = testbed.cluster().nodes();
    return nodes.get(Math.floorMod(settings.seed() + block, nodes.size()));
  }

  private RunQuality quality(LoadResult loaded, double foreignCpuShare) {
    DelayError delays = loaded.delayError();
    return new RunQuality(
        loaded.latenessMicros().getValueAtPercentile(99) / 1e3,
        delays.percentileMicros(50) / 1e3,
        delays.shareLaterThan(settings.slowMotion() * LATE_MICROS),
        foreignCpuShare);
  }
}
