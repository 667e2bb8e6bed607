/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

import io.curtail.lab.arm.PolicyArms;
import io.curtail.lab.arm.ServerModeArms;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.disturbance.LateAnswers;
import io.curtail.lab.disturbance.PausingNode;
import io.curtail.lab.disturbance.SlowDisksInTurn;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.load.KeyDistribution;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.load.Policy;
import io.curtail.lab.network.ZoneLatencies;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Acts in which stock and Curtail take turns under the same load. */
record ComparedAct(
    String name,
    String explanation,
    ZoneLatencies latencies,
    Disturbance disturbance,
    Function<Testbed, List<Arm>> arms,
    Function<Judgement, Scene> judge)
    implements Act {
  /**
   * Delays are so many times as long as in the talk, so that a laptop's noise is small beside them.
   */
  static final int SLOW_MOTION = 50;

  static final int ROWS = 2_000;
  private static final int BLOCKS = 2;
  private static final int SECONDS = 6;
  private static final double RATE_HZ = 240;
  private static final Duration ADDED = Duration.ofMillis(10L * SLOW_MOTION);
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final Duration BETWEEN_PAUSES = Duration.ofSeconds(1);
  private static final Duration SLOW_DISK = Duration.ofMillis(400);
  private static final Duration TURN = Duration.ofSeconds(2);

  static Act nearestZone() {
    String name = "three zones, a copy in each";
    return new ComparedAct(
        name,
        "The zones are 50 times as far apart as real ones: up to 43 ms. The stock driver asks any"
            + " of the three copies; Curtail's weighted-least-loaded asks the near one.",
        ZoneLatencies.TALK.times(SLOW_MOTION),
        null,
        testbed -> policies(testbed, Policy.WEIGHTED_LEAST_LOADED),
        judgement -> judgement.nineOfTen(name, "the near copy answers"));
  }

  static Act slowNode() {
    String name = "a node that answers 0.5 s late";
    return new ComparedAct(
        name,
        "Everything that one node sends arrives half a second late, as behind a bad network card."
            + " Curtail's adaptive policy knows how long answers take.",
        ZoneLatencies.NONE,
        new LateAnswers(ADDED),
        testbed -> policies(testbed, Policy.ADAPTIVE),
        judgement -> judgement.slower(ADDED.dividedBy(2), name, "fewer wait for it"));
  }

  static Act pausedNode() {
    String name = "a node that pauses for 2 s";
    return new ComparedAct(
        name,
        "One node stands still again and again, as in a long garbage collection. Who has just asked"
            + " it must wait; the adaptive policy asks no more until it answers, and sends second"
            + " copies of what waits.",
        ZoneLatencies.NONE,
        new PausingNode(PAUSE, BETWEEN_PAUSES),
        testbed -> policies(testbed, Policy.ADAPTIVE_HEDGED),
        judgement -> judgement.slower(PAUSE.dividedBy(4), name, "fewer wait for it"));
  }

  static Act slowDisks() {
    String name = "disks that are slow in turn";
    return new ComparedAct(
        name,
        "The nodes take turns at having a disk that needs 0.4 s a read, as when it is busy with"
            + " something else. Cassandra's dynamic snitch chooses the replica, or curtail-server"
            + " does, and passes reads on that would wait. Second copies of reads are off (speculative_retry), which would hide the"
            + " choice.",
        ZoneLatencies.NONE,
        new SlowDisksInTurn(SLOW_DISK, TURN),
        testbed ->
            ServerModeArms.of(testbed, List.of(ServerMode.DYNAMIC_SNITCH, ServerMode.C3_PASSING)),
        judgement -> judgement.slower(SLOW_DISK.dividedBy(2), name, "fewer wait for a slow disk"));
  }

  private static List<Arm> policies(Testbed testbed, Policy curtail) {
    return PolicyArms.of(testbed, List.of(Policy.STOCK_DEFAULT, curtail));
  }

  @Override
  public Scene play(Stage stage) throws IOException, InterruptedException {
    LoadSpec load =
        LoadSpec.openLoop(
                RATE_HZ, Duration.ofSeconds(SECONDS), KeyDistribution.named("uniform", ROWS))
            .withMix(Mix.C);
    Condition condition =
        Condition.of("demo", name, load, BLOCKS)
            .withLatencies(latencies)
            .withDisturbance(disturbance);
    ConditionResult result = stage.measure(condition, arms.apply(stage.testbed()));
    return judge.apply(new Judgement(result));
  }
}
