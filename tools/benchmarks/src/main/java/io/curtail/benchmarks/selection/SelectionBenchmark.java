/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.selection;

import io.curtail.benchmarks.ThreadCpu;
import io.curtail.selection.Candidates;
import io.curtail.selection.Feedback;
import io.curtail.selection.NamedPolicy;
import io.curtail.selection.Policies;
import io.curtail.selection.PolicySettings;
import io.curtail.selection.RandomSource;
import io.curtail.selection.RankingPolicy;
import io.curtail.selection.ReplicaLoad;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Ranking three replicas and recording one response, beside a plain sort of three doubles. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SelectionBenchmark {
  private static final int REPLICAS = 192;
  private static final int INPUTS = 1_024;
  private static final long STEP_NANOS = 100_000;

  @Param({"curtail", "c3", "least-outstanding", "weighted-least-loaded", "prequal"})
  String policy;

  private ReplicaLoad[] replicas;
  private RankingPolicy ranking;
  private Candidates workspace;
  private Feedback[] feedback;
  private double[] values;
  private final double[] three = new double[3];
  private long nowNanos;

  @Setup
  public void fill() {
    NamedPolicy named = Policies.named(policy);
    RandomSource random = RandomSource.seeded(1);
    ranking = named.newRanking(PolicySettings.DEFAULTS);
    workspace = new Candidates(random);
    feedback = new Feedback[INPUTS];
    values = new double[INPUTS + 3];
    for (int i = 0; i < INPUTS; i++) {
      feedback[i] = new Feedback(random.nextInt(8), 4, 4, 1_000_000 + random.nextInt(4_000_000));
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextDouble();
    }
    replicas = new ReplicaLoad[REPLICAS];
    for (int i = 0; i < REPLICAS; i++) {
      replicas[i] = new ReplicaLoad(named.loadSettings());
      replicas[i].onSent();
      replicas[i].onSent();
      replicas[i].onResponse(2_000_000 + random.nextInt(8_000_000), feedback[i], i);
    }
    nowNanos = 1_000_000;
  }

  @Benchmark
  public double sort(ThreadCpu cpu) {
    int i = cpu.next() & (INPUTS - 1);
    three[0] = values[i];
    three[1] = values[i + 1];
    three[2] = values[i + 2];
    Arrays.sort(three);
    return three[0];
  }

  @Benchmark
  public ReplicaLoad rank(ThreadCpu cpu) {
    int i = Integer.remainderUnsigned(cpu.next(), REPLICAS - 2);
    nowNanos += STEP_NANOS;
    workspace.start(nowNanos).add(replicas[i]).add(replicas[i + 1]).add(replicas[i + 2]);
    ranking.rank(workspace);
    return workspace.get(0);
  }

  @Benchmark
  public void record(ThreadCpu cpu) {
    int i = cpu.next();
    nowNanos += STEP_NANOS + (i & 0xFFF); // no two answers of a replica are as far apart
    ReplicaLoad replica = replicas[Integer.remainderUnsigned(i, REPLICAS)];
    replica.onSent(nowNanos);
    replica.onResponse(2_000_000 + (i & 0xFFFFF), feedback[i & (INPUTS - 1)], nowNanos);
  }
}
