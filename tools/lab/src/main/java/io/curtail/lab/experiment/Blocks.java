/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.campaign.Progress;
import io.curtail.campaign.Turns;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.fault.Fault;
import io.curtail.lab.fault.FluctuatingStorage;
import io.curtail.lab.fault.SlowStorages;
import io.curtail.lab.fault.StorageReads;
import io.curtail.lab.hooks.StoragePlan;
import io.curtail.lab.load.Arrivals;
import io.curtail.lab.load.DelayError;
import io.curtail.lab.load.LoadGenerator;
import io.curtail.lab.load.LoadResult;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.meter.CpuMeter;
import io.curtail.lab.meter.NodeCost;
import io.curtail.lab.meter.ReadMeter;
import io.curtail.lab.meter.ReadsServed;
import io.curtail.lab.meter.RunCost;
import io.curtail.simulator.Replay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures arms under a condition, on one live cluster, in blocks. A block measures each arm once,
 * with the same seed and the same node disturbed, in random {@link Turns}. Under a disturbance a
 * block also has a run of the reference arm while all is well: its 99.9th percentile says what
 * counts as touched.
 */
public final class Blocks {
  /** Numbers the plans of storage, so that a node sees a new one. */
  private static final AtomicLong PLANS = new AtomicLong();

  /** Until a plan begins, so that all nodes have it. */
  private static final long START_DELAY_NANOS = 100_000_000;

  private static final long LATE_MICROS = 500;
  private static final long WAIT_SECONDS = 180;

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
    List<String> notWell = node == null ? List.of() : notWell(condition, testbed, node);
    String what = slot.arm().name() + (condition.isDisturbed() && node == null ? ", all well" : "");
    timetable.started(condition, block, what);
    testbeds.wake(testbed);
    testbed.cluster().network().use(condition.latencies());
    slot.arm().activate();
    LoadSpec load = condition.load().withSeed(settings.seed() * 1_000 + block);
    Loaded loaded = load(condition, slot.arm(), load, node);
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
        notWell,
        load.seed(),
        loaded.result(),
        loaded.reads(),
        loaded.nodeCpuMillis(),
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

  private List<String> notWell(Condition condition, Testbed testbed, LabNode first) {
    return condition.disturbance().nodes(testbed.cluster(), first).stream()
        .map(LabNode::host)
        .toList();
  }

  /**
   * What a run gave.
   *
   * @param foreignCpuShare while the load ran, between 0 and 1
   */
  private record Loaded(
      LoadResult result,
      double foreignCpuShare,
      ReadsServed reads,
      double nodeCpuNanos,
      RunCost cost,
      StorageRun storage) {
    Loaded with(StorageRun served) {
      return new Loaded(result, foreignCpuShare, reads, nodeCpuNanos, cost, served);
    }

    double nodeCpuMillis() {
      return nodeCpuNanos / 1e6 / Math.max(1, result.requests());
    }
  }

  private Loaded load(Condition condition, Arm arm, LoadSpec load, LabNode node)
      throws IOException, InterruptedException {
    if (node == null) {
      return served(condition, arm, load, Map.of(), running -> {});
    }
    Cluster cluster = arm.testbed().cluster();
    Disturbance disturbance = condition.disturbance();
    Map<String, Object> trouble = disturbance.simulated(cluster.replicas().size(), load.warmUp());
    if (disturbance.beginSeconds() < 0) {
      try (Fault fault = disturbance.begin(cluster, node)) {
        return served(condition, arm, load, trouble, last(condition, fault));
      }
    }
    return served(
        condition,
        arm,
        load,
        trouble,
        running -> {
          sleepUntil(running.countFromNanos() + (long) (disturbance.beginSeconds() * 1e9));
          try (Fault fault = disturbance.begin(cluster, node)) {
            last(condition, fault).during(running);
          }
        });
  }

  /**
   * Loads nodes whose storage takes what the condition says.
   *
   * @param trouble in the simulator; null if it does not know such a thing
   */
  private static Loaded served(
      Condition condition, Arm arm, LoadSpec load, Map<String, Object> trouble, Course course)
      throws IOException, InterruptedException {
    Fluctuation fluctuation = condition.fluctuation();
    if (fluctuation == null) {
      return counted(arm, load, LoadGenerator.start(arm.clients(), load), course);
    }
    Testbed testbed = arm.testbed();
    // By JMX, which does not reach into the namespace of a node's network.
    Map<String, Long> before = condition.findsCeiling() ? Map.of() : arm.counts();
    long start = System.nanoTime() + START_DELAY_NANOS;
    StoragePlan plan = fluctuation.plan(PLANS.incrementAndGet(), load.seed(), start);
    try (FluctuatingStorage storage =
        FluctuatingStorage.start(testbed.cluster().replicas(), plan)) {
      LoadGenerator.Running running = LoadGenerator.start(arm.clients(), load, start);
      Loaded loaded = counted(arm, load, running, course);
      if (condition.findsCeiling()) {
        return loaded;
      }
      StorageReads served = storage.served();
      Map<String, Long> counts = StorageRun.counted(before, arm.counts());
      Arrivals arrivals = Arrivals.of(load, arm.clients().size());
      boolean isKnown = trouble != null && SimulatedArm.knows(load.consistency(), arrivals);
      SimulatedArm simulatedArm = isKnown ? arm.simulated() : null;
      Replay simulated =
          simulatedArm == null
              ? null
              : simulatedArm.replay(testbed, fluctuation, load, arrivals, trouble);
      return loaded.with(
          new StorageRun(served, served.extraWork(arrivals.reads()), simulated, counts));
    }
  }

  /** What happens in a run, from the beginning of its counted part. */
  private interface Course {
    void during(LoadGenerator.Running running) throws IOException, InterruptedException;
  }

  private static Course last(Condition condition, Fault fault) {
    return running -> {
      sleepUntil(running.countFromNanos() + lastEndNanos(condition));
      fault.close();
    };
  }

  private static Loaded counted(
      Arm arm, LoadSpec load, LoadGenerator.Running running, Course course)
      throws IOException, InterruptedException {
    Testbed testbed = arm.testbed();
    CpuMeter all = testbed.startCpuMeter();
    int seconds = (int) ((load.length().toMillis() + 999) / 1000);
    try (ReadMeter meter = ReadMeter.start(testbed.session(), running.countFromNanos(), seconds)) {
      sleepUntil(running.countFromNanos());
      double cpuBefore = CpuMeter.nodeNanos(testbed.cluster());
      List<NodeCost.Meter> meters = arm.startCostMeters();
      course.during(running);
      LoadResult result = running.await(allowedSeconds(load));
      // Now: what follows may wait for the nodes, and would make the share of others smaller.
      double foreignCpuShare = all.foreignShare();
      double cpu = CpuMeter.nodeNanos(testbed.cluster()) - cpuBefore;
      RunCost cost = meters.isEmpty() ? null : cost(arm, meters, result);
      return new Loaded(result, foreignCpuShare, meter.await(), cpu, cost, null);
    }
  }

  private static RunCost cost(Arm arm, List<NodeCost.Meter> meters, LoadResult result)
      throws IOException, InterruptedException {
    NodeCost during = NodeCost.sum(meters);
    List<NodeCost.Meter> after = arm.startCostMeters();
    if (result.writes().getTotalCount() > 0) {
      arm.settle();
    }
    Testbed testbed = arm.testbed();
    long residentBytes = testbed.cluster().nodes().stream().mapToLong(LabNode::residentBytes).sum();
    long userBytes =
        result.writes().getTotalCount()
            * testbed.dataset().table().rowBytes()
            * testbed.copiesOfEachRow();
    return new RunCost(meters.size(), during, NodeCost.sum(after), residentBytes, userBytes);
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

  private RunQuality quality(LoadResult loaded, double foreignCpuShare) {
    DelayError delays = loaded.delayError();
    return new RunQuality(
        loaded.latenessMicros().getValueAtPercentile(99) / 1e3,
        delays.percentileMicros(50) / 1e3,
        delays.shareLaterThan(settings.slowMotion() * LATE_MICROS),
        foreignCpuShare);
  }
}
