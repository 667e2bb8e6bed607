/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.Progress;
import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.fault.Fault;
import io.curtail.lab.fault.Faults;
import io.curtail.lab.load.DelayError;
import io.curtail.lab.load.LoadGenerator;
import io.curtail.lab.load.LoadResult;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.meter.CpuMeter;
import io.curtail.lab.meter.ReadMeter;
import io.curtail.lab.meter.ReadsServed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Measures arms under a condition, on one live cluster, in blocks. A block measures each arm once,
 * with the same seed and the same node disturbed, in random order; every second block has the order
 * of the one before it reversed (AB, BA), so that a drift of the machine favours nobody. Under a
 * disturbance a block also has a run of the reference arm while all is well: its 99.9th percentile
 * says what counts as touched.
 */
public final class Experiment {
  private static final long LATE_MICROS = 500;
  private static final long WAIT_SECONDS = 180;

  /**
   * Cassandra looks every 5 s at how long reads take, to know which ones to send a second time:
   * with disks that have just become slow that may be most of them.
   */
  private static final int SETTLE_SECONDS = 8;

  private final Testbed testbed;
  private final List<Arm> arms;
  private final Settings settings;
  private final Timetable timetable;
  private final Progress progress;

  /** The first arm is the reference. */
  public Experiment(
      Testbed testbed, List<Arm> arms, Settings settings, Timetable timetable, Progress progress) {
    this.testbed = testbed;
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
    Fault disks = Faults.all(testbed.cluster(), condition.diskTime());
    try {
      if (!condition.diskTime().isZero()) {
        WarmUp.run(testbed, arms.subList(0, 1), condition.load(), SETTLE_SECONDS, progress);
      }
      testbed.cluster().network().use(condition.latencies());
      blocks(condition, result, limit);
    } finally {
      disks.close();
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
      List<Run> runs = new ArrayList<>();
      for (Slot slot : slots(condition, block)) {
        runs.add(measure(condition, slot, block, runs.size() + 1));
      }
      result.add(runs);
    }
  }

  private List<Slot> slots(Condition condition, int block) {
    List<Slot> slots = new ArrayList<>();
    arms.forEach(arm -> slots.add(new Slot(arm, condition.isDisturbed())));
    if (condition.isDisturbed()) {
      slots.add(new Slot(arms.get(0), false));
    }
    int pair = (block - 1) / 2;
    Collections.shuffle(slots, new Random(31 * settings.seed() + pair));
    if (block % 2 == 0) {
      Collections.reverse(slots);
    }
    return slots;
  }

  private Run measure(Condition condition, Slot slot, int block, int order)
      throws IOException, InterruptedException {
    LabNode node = slot.disturbed() ? disturbedNode(block) : null;
    List<String> notWell = node == null ? List.of() : notWell(condition, node);
    String what = slot.arm().name() + (condition.isDisturbed() && node == null ? ", all well" : "");
    timetable.started(condition, block, what);
    slot.arm().activate();
    LoadSpec load = condition.load().withSeed(settings.seed() * 1_000 + block);
    CpuMeter cpu = testbed.startCpuMeter();
    Loaded loaded = load(condition, slot.arm(), load, node);
    RunQuality quality = quality(loaded.result(), cpu.foreignShare());
    if (node != null) {
      testbed.awaitRecovery();
    }
    List<String> violations = quality.violations(settings.rules());
    violations.forEach(violation -> progress.report("  discarded: " + violation));
    return new Run(
        condition,
        slot.arm().name(),
        block,
        order,
        slot.disturbed(),
        notWell,
        load.seed(),
        loaded.result(),
        loaded.reads(),
        loaded.nodeCpuMillis(),
        quality,
        violations);
  }

  /** Another one in each block, so that no zone is favoured. */
  private LabNode disturbedNode(int block) {
    List<LabNode> nodes = testbed.cluster().nodes();
    return nodes.get(Math.floorMod(settings.seed() + block, nodes.size()));
  }

  private List<String> notWell(Condition condition, LabNode first) {
    return condition.disturbance().nodes(testbed.cluster(), first).stream()
        .map(node -> node.address().getAddress().getHostAddress())
        .toList();
  }

  private record Loaded(LoadResult result, ReadsServed reads, double nodeCpuNanos) {
    double nodeCpuMillis() {
      return nodeCpuNanos / 1e6 / Math.max(1, result.requests());
    }
  }

  private Loaded load(Condition condition, Arm arm, LoadSpec load, LabNode node)
      throws IOException, InterruptedException {
    if (node == null) {
      return result(LoadGenerator.start(arm.clients(), load), load);
    }
    Disturbance disturbance = condition.disturbance();
    Fault fault = null;
    try {
      if (disturbance.beginSeconds() < 0) {
        fault = disturbance.begin(testbed.cluster(), node);
      }
      LoadGenerator.Running running = LoadGenerator.start(arm.clients(), load);
      try (ReadMeter meter = meter(running, load)) {
        double cpuBefore = cpuWhenCounting(running);
        if (fault == null) {
          sleepUntil(running.countFromNanos() + (long) (disturbance.beginSeconds() * 1e9));
          fault = disturbance.begin(testbed.cluster(), node);
        }
        sleepUntil(running.countFromNanos() + lastEndNanos(condition));
        fault.close();
        return loaded(running, load, meter, cpuBefore);
      }
    } finally {
      if (fault != null) {
        fault.close();
      }
    }
  }

  private Loaded result(LoadGenerator.Running running, LoadSpec load) throws InterruptedException {
    try (ReadMeter meter = meter(running, load)) {
      return loaded(running, load, meter, cpuWhenCounting(running));
    }
  }

  private double cpuWhenCounting(LoadGenerator.Running running) throws InterruptedException {
    sleepUntil(running.countFromNanos());
    return CpuMeter.nodeNanos(testbed.cluster());
  }

  private Loaded loaded(
      LoadGenerator.Running running, LoadSpec load, ReadMeter meter, double cpuBefore)
      throws InterruptedException {
    LoadResult result = running.await(allowedSeconds(load));
    double cpu = CpuMeter.nodeNanos(testbed.cluster()) - cpuBefore;
    return new Loaded(result, meter.await(), cpu);
  }

  private ReadMeter meter(LoadGenerator.Running running, LoadSpec load) {
    return ReadMeter.start(
        testbed.session(),
        running.countFromNanos(),
        (int) ((load.length().toMillis() + 999) / 1000));
  }

  private static long lastEndNanos(Condition condition) {
    return condition.disturbance().spans(condition.load().length()).stream()
        .mapToLong(span -> (long) (span.toSeconds() * 1e9))
        .max()
        .orElse(0);
  }

  private static long allowedSeconds(LoadSpec load) {
    return load.warmUp().plus(load.length()).toSeconds() + WAIT_SECONDS;
  }

  private static void sleepUntil(long nanoTime) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
  }

  private static RunQuality quality(LoadResult loaded, double foreignCpuShare) {
    DelayError delays = loaded.delayError();
    return new RunQuality(
        loaded.latenessMicros().getValueAtPercentile(99) / 1e3,
        delays.percentileMicros(50) / 1e3,
        delays.shareLaterThan(LATE_MICROS),
        foreignCpuShare);
  }
}
