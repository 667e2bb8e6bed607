/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.meter.RunCost;
import java.util.function.ToDoubleFunction;

/** What arms are compared by, a number for each run; NaN where a run does not have it. */
enum Metric {
  P50("p50", 50),
  P95("p95", 95),
  P99("p99", 99),
  P999("p99.9", 99.9),
  MEAN("mean", run -> run.result().all().getMean() / 1e3),
  THROUGHPUT("throughput", run -> run.result().answersPerSecond()),
  NODE_CPU("node CPU", ArmRun::nodeCpuMillis),
  MESSAGES("messages", ArmRun::messages),
  COLLECTION("time in collections", cost(cost -> cost.during().pauses().nanos() / 1e6)),
  HEAP("heap allocated", cost(cost -> cost.during().allocatedBytes()));

  private final String label;
  private final double percentile;

  @SuppressWarnings("ImmutableEnumChecker") // functions of their argument alone
  private final ToDoubleFunction<ArmRun> value;

  Metric(String label, ToDoubleFunction<ArmRun> value) {
    this.label = label;
    this.percentile = Double.NaN;
    this.value = value;
  }

  Metric(String label, double percentile) {
    this.label = label;
    this.percentile = percentile;
    this.value = run -> run.result().all().getValueAtPercentile(percentile) / 1e3;
  }

  /** A request's. */
  private static ToDoubleFunction<ArmRun> cost(ToDoubleFunction<RunCost> value) {
    return run ->
        run.cost() == null ? Double.NaN : value.applyAsDouble(run.cost()) / run.result().requests();
  }

  String label() {
    return label;
  }

  /** Of which percentile it is the latency; NaN for others. */
  double percentile() {
    return percentile;
  }

  /** Whether it is a time that a client waits. */
  boolean isLatency() {
    return compareTo(MEAN) <= 0;
  }

  /** Whether only arms have it whose nodes' costs are followed. */
  boolean isCost() {
    return this == COLLECTION || this == HEAP;
  }

  /**
   * In milliseconds, a request's where it is time of the nodes; bytes; messages between nodes a
   * request; or requests a second.
   */
  double of(ArmRun run) {
    return value.applyAsDouble(run);
  }
}
