/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.fault.Fault;
import io.curtail.lab.fault.FluctuatingStorage;
import io.curtail.lab.fault.StorageReads;
import io.curtail.lab.hooks.StoragePlan;
import io.curtail.lab.load.Arrivals;
import io.curtail.lab.load.LoadGenerator;
import io.curtail.lab.load.LoadResult;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.meter.CpuMeter;
import io.curtail.lab.meter.MessageMeter;
import io.curtail.lab.meter.NodeCost;
import io.curtail.lab.meter.ReadMeter;
import io.curtail.lab.meter.ReadsServed;
import io.curtail.lab.meter.RunCost;
import io.curtail.simulator.Replay;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Loads the nodes of an arm once, under a condition, and takes what clients, nodes and storage tell
 * of it.
 */
final class ArmMeasurement {
  /** Numbers the plans of storage, so that a node sees a new one. */
  private static final AtomicLong PLANS = new AtomicLong();

  /** Until a plan begins, so that all nodes have it. */
  private static final long START_DELAY_NANOS = 100_000_000;

  private static final long WAIT_SECONDS = 180;

  private ArmMeasurement() {}

  /**
   * What a run gave.
   *
   * @param foreignCpuShare while the load ran, between 0 and 1
   */
  record Loaded(
      LoadResult result,
      double foreignCpuShare,
      ReadsServed reads,
      double nodeCpuNanos,
      double messages,
      RunCost cost,
      StorageRun storage) {
    Loaded with(StorageRun served) {
      return new Loaded(result, foreignCpuShare, reads, nodeCpuNanos, messages, cost, served);
    }

    double nodeCpuMillis() {
      return nodeCpuNanos / 1e6 / Math.max(1, result.requests());
    }

    double messagesPerRequest() {
      return messages / Math.max(1, result.requests());
    }
  }

  /**
   * Runs the load.
   *
   * @param node where something goes wrong meanwhile; null if nothing does
   */
  static Loaded run(Condition condition, Arm arm, LoadSpec load, LabNode node)
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
      MessageMeter messages = MessageMeter.start(testbed.sessions());
      double cpuBefore = CpuMeter.nodeNanos(testbed.cluster());
      List<NodeCost.Meter> meters = arm.startCostMeters();
      course.during(running);
      LoadResult result = running.await(allowedSeconds(load));
      // Now: what follows may wait for the nodes, and would make the share of others smaller.
      double foreignCpuShare = all.foreignShare();
      messages.end();
      double cpu = CpuMeter.nodeNanos(testbed.cluster()) - cpuBefore;
      RunCost cost = meters.isEmpty() ? null : cost(arm, meters, result);
      return new Loaded(result, foreignCpuShare, meter.await(), cpu, messages.sent(), cost, null);
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
}
